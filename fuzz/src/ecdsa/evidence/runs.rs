//! Runs that evidence is about.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use quorate_cggmp::curves::Curve;
use quorate_cggmp::{
    AuxInfoGen, AuxInfoParams, AuxInfoRun, Evidence, MessageDigest, NotShown, Presign, RawDigest,
    Secp256k1 as C, Sign, SignParams, SigningGoal, SigningRun,
};
use quorate_frost::session::frame::{ECHO, HEADER, Header, echo};
use quorate_frost::session::{Fault, FrameBytes, PartyId, Round, SessionId};
use quorate_testkit::ecdsa::secrets_seeded;

use crate::ecdsa::fixture::{LEVEL, Suite, aux, presigning};
use crate::fixture::{MESSAGE, id, parties};
use crate::generation::{Delivery, record};

const SID: SessionId = SessionId::new([40; 32]);
const OTHER: SessionId = SessionId::new([41; 32]);

/// A run, with all that was delivered in it.
pub(super) struct Base {
    pub(super) number: u8,
    pub(super) context: [u8; 32],
    /// The party that broke the protocol.
    pub(super) guilty: Option<PartyId>,
    delivered: Vec<Delivery>,
    public: Public,
}

#[derive(Clone)]
enum Public {
    Signing(Box<SigningRun<C>>),
    AuxInfo(AuxInfoRun),
}

/// 0 and 1: presigning and signing; 2: presigning that ends with the red alert; 3: the making of
/// auxiliary information, which takes longest to judge.
pub(super) fn base(which: u8) -> &'static Base {
    static BASES: [OnceLock<Base>; 4] = [const { OnceLock::new() }; 4];
    match which % 16 {
        0..=4 => BASES[0].get_or_init(|| presigning_run(0, None)),
        5..=9 => BASES[1].get_or_init(signing_run),
        10..=14 => BASES[2].get_or_init(|| presigning_run(2, Some(id(2)))),
        _ => BASES[3].get_or_init(aux_info_run),
    }
}

impl Base {
    fn new(number: u8, delivered: Vec<Delivery>, guilty: Option<PartyId>, public: Public) -> Self {
        let context = Header::parse(&delivered[0].bytes).expect("a frame").context;
        Self { number, context, guilty, delivered, public }
    }

    /// Frames that a party could show, with those it sent itself: every broadcast, what was for it alone,
    /// and no more.
    pub(super) fn seen(&self, viewer: PartyId, rounds: u8) -> Vec<(PartyId, Vec<u8>)> {
        let mut list = Vec::new();
        for one in self.delivered.iter().filter(|one| one.round <= rounds) {
            let own = one.from == viewer && one.broadcast && self.guilty != Some(one.to);
            let frame = (one.from, one.bytes.clone());
            if (own || one.to == viewer) && !list.contains(&frame) {
                list.push(frame);
            }
        }
        list
    }

    /// Returns whether an honest party has sent this frame.
    pub(super) fn has_sent(&self, (from, bytes): &(PartyId, FrameBytes)) -> bool {
        // What reached the guilty party may have been altered, for it to play its part.
        let mut sent = self.delivered.iter().filter(|one| self.guilty != Some(one.to));
        sent.any(|one| one.from == *from && one.bytes == **bytes)
            || Header::parse(bytes).is_none_or(|header| header.context != self.context)
    }

    pub(super) fn verify(&self, evidence: &Evidence, elsewhere: bool) -> Result<Fault, NotShown> {
        let mut public = self.public.clone();
        match &mut public {
            Public::Signing(run) => {
                run.sid = if elsewhere { OTHER } else { run.sid };
                evidence.verify(&**run)
            }
            Public::AuxInfo(run) => {
                run.sid = if elsewhere { OTHER } else { run.sid };
                evidence.verify(run)
            }
        }
    }
}

fn public(goal: SigningGoal) -> Public {
    let (key, aux) = (C::fixture().shares[0].public().clone(), aux()[0].public().clone());
    Public::Signing(Box::new(SigningRun { sid: SID, signers: parties(), key, aux, goal }))
}

fn presigning_run(number: u8, liar: Option<PartyId>) -> Base {
    let mut told = BTreeMap::new();
    let alter = |one: &mut Delivery| {
        if let Some(liar) = liar {
            lie(one, liar, &mut told);
        }
    };
    let params = |me| presigning(me, &C::fixture().shares);
    let run = record::<Presign<C>>(SID, &parties(), params, alter);
    assert!(run.results.values().all(|result| result.is_ok() == liar.is_none()));
    Base::new(number, run.delivered, liar, public(SigningGoal::Presignature))
}

/// The liar's δ is one more than it should be. It answers the alert with what it really did, and
/// echoes what it told.
fn lie(one: &mut Delivery, liar: PartyId, told: &mut BTreeMap<PartyId, Vec<u8>>) {
    if !one.broadcast {
        return;
    }
    match one.round {
        3 if one.from == liar => {
            raise(&mut one.bytes);
            told.insert(liar, one.bytes[HEADER + ECHO..].to_vec());
        }
        3 => {
            told.insert(one.from, one.bytes[HEADER + ECHO..].to_vec());
            if one.to == liar {
                // So that it raises the alarm as well.
                raise(&mut one.bytes);
            }
        }
        4 if one.from == liar => {
            let context = Header::parse(&one.bytes).expect("a frame").context;
            let echo = echo(&context, Round(3), told.values());
            one.bytes[HEADER..HEADER + ECHO].copy_from_slice(&echo);
        }
        _ => {}
    }
}

/// δ + 1
fn raise(frame: &mut [u8]) {
    let delta = &mut frame[HEADER + ECHO..][..32];
    let raised = C::decode_scalar(delta).expect("a scalar") + From::from(1);
    delta.copy_from_slice(&C::encode_scalar(&raised));
}

fn signing_run() -> Base {
    let digest = RawDigest::from(MessageDigest::sha256(MESSAGE));
    let params = |me| SignParams::new(presigning(me, &C::fixture().shares), digest);
    let run = record::<Sign<C>>(SID, &parties(), params, |_| {});
    assert!(run.results.values().all(Result::is_ok));
    Base::new(1, run.delivered, None, public(SigningGoal::Signature(digest)))
}

fn aux_info_run() -> Base {
    let run = record::<AuxInfoGen>(SID, &parties(), aux_params, |_| {});
    assert!(run.results.values().all(Result::is_ok));
    let public = AuxInfoRun { sid: SID, parties: parties(), level: LEVEL };
    Base::new(15, run.delivered, None, Public::AuxInfo(public))
}

fn aux_params(me: PartyId) -> AuxInfoParams {
    let place = parties().position(me).expect("a party");
    AuxInfoParams::new(secrets_seeded(LEVEL, place, 5))
}
