//! Keys and recorded runs, made once from fixed seeds.

use std::sync::{Arc, OnceLock};

use quorate_mldsa::session::{Parties, PartyId, SessionId, SpentInMemory};
use quorate_mldsa::{
    Dealing, Dkg, DkgParams, KeyShare, Level, MessageRepresentative, Sign, SignParams, SigningRun,
};
use quorate_testkit::lockstep::{ECHO, Frames, HEADER, Place, record};

use crate::fixture::{MESSAGE, id, parties, rng};

/// The code is the same at every level, and this one is the fastest.
pub(crate) const LEVEL: Level = Level::MlDsa44;
pub(crate) const SID: SessionId = SessionId::new([48; 32]);
/// Where a frame's body begins.
pub(crate) const BODY: usize = HEADER + ECHO;
/// Of a key of three parties, of which two sign.
pub(crate) const GENERATED: DkgParams = DkgParams::new(LEVEL, 2);

/// A key of three, all of which sign, and attempts with it.
pub(crate) struct Attempts {
    pub(crate) dealt: Dealing,
    pub(crate) mu: MessageRepresentative,
    /// The frames of an attempt in which all are honest.
    pub(crate) honest: Frames,
    /// The frames of an attempt in which party 2's last response is wrong.
    pub(crate) cheated: Frames,
}

pub(crate) fn attempts() -> &'static Attempts {
    static ATTEMPTS: OnceLock<Attempts> = OnceLock::new();
    ATTEMPTS.get_or_init(|| {
        let dealt = Dealing::new(LEVEL, 3, &parties(), &mut rng(48)).expect("3 of 3");
        let mu = dealt.public.verifying_key().represent(MESSAGE, b"").expect("short");
        let run = |alter: fn(Place, &mut Vec<u8>)| {
            let params = |me| params(&dealt, mu, me);
            record::<Sign>(&parties(), SID, params, |place, frame, _| alter(place, frame)).0
        };
        let honest = run(|_, _| {});
        let cheated = run(|place, frame| {
            if (place.0, place.1) == (id(2), 3) {
                frame[BODY + 1] ^= 1;
            }
        });
        assert!(honest[&(id(2), 3, true, id(1))].len() > BODY + 1, "a slot is accepted");
        Attempts { dealt, mu, honest, cheated }
    })
}

/// A signer's part in the attempt.
fn params(dealt: &Dealing, mu: MessageRepresentative, me: PartyId) -> SignParams {
    let at = parties().position(me).expect("a party");
    let share = KeyShare::from_bytes(LEVEL, &dealt.shares[at].to_bytes()).expect("a share");
    let record = share.attempt(0, SID, &parties(), &mu).expect("the first");
    let receipt = record.store(&mut SpentInMemory::new()).expect("an empty table");
    SignParams::new(Arc::new(share), mu, 0, receipt)
}

impl Attempts {
    pub(crate) fn params(&self, me: PartyId) -> SignParams {
        params(&self.dealt, self.mu, me)
    }

    pub(crate) fn run(&self) -> SigningRun {
        let signers: Parties = parties();
        SigningRun { sid: SID, signers, public: self.dealt.public.clone(), mu: self.mu }
    }
}

/// The frames of a key generation.
pub(crate) fn generation() -> &'static Frames {
    static FRAMES: OnceLock<Frames> = OnceLock::new();
    FRAMES.get_or_init(|| {
        let (frames, results) = record::<Dkg>(&parties(), SID, |_| GENERATED, |_, _, _| {});
        assert!(results.values().all(Result::is_ok));
        frames
    })
}
