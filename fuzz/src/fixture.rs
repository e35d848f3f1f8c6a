//! What every input of a suite starts from: a 2-of-3 key, one signature, and one complete run of
//! the key generation. Made once from fixed seeds, so that inputs behave the same in every run.

use std::collections::BTreeMap;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use quorate_frost::{
    Ciphersuite, Commitments, Dealing, Dkg, DkgParams, KeyShare, NonceBatch, PublicKeyPackage,
    Signature, SignatureShare, SigningPackage,
};
use quorate_session::{
    Outgoing, Parties, PartyId, Progress, SealKey, Sealed, Session, SessionId, Step, To,
};

pub(crate) const THRESHOLD: u16 = 2;
pub(crate) const MESSAGE: &[u8] = b"fuzz";
/// What `SealKey`s are made of.
pub(crate) const KEY: [u8; 32] = [5; 32];

pub(crate) trait Suite: Ciphersuite {
    fn fixture() -> &'static Fixture<Self>;
}

pub(crate) struct Fixture<S: Ciphersuite> {
    pub(crate) shares: Vec<KeyShare<S>>,
    pub(crate) public: PublicKeyPackage<S>,
    /// The first share as it was dealt.
    pub(crate) dealt: Vec<u8>,
    /// Of the signers 1 and 2.
    pub(crate) commitments: Vec<Commitments<S>>,
    pub(crate) package: SigningPackage<S>,
    pub(crate) signature_shares: Vec<SignatureShare<S>>,
    pub(crate) signature: Signature<S>,
    pub(crate) batch: NonceBatch<S>,
    pub(crate) dkg: Run<S>,
}

/// A key generation in which all went well.
pub(crate) struct Run<S: Ciphersuite> {
    /// Everything that was sent, by round and sender.
    pub(crate) sent: BTreeMap<(u8, PartyId), Vec<Outgoing>>,
    /// What party 1 would have stored: at the beginning, and after each frame and round.
    pub(crate) seals: Vec<Sealed>,
    pub(crate) public: PublicKeyPackage<S>,
}

impl<S: Ciphersuite> Fixture<S> {
    pub(crate) fn new() -> Self {
        let mut rng = rng(100);
        let dealing = Dealing::<S>::new(THRESHOLD, &parties(), &mut rng).expect("2 of 3");
        let dealt = dealing.shares[0].to_bytes().to_vec();
        let accept = |share: quorate_frost::DealtShare<S>| share.accept().expect("just dealt");
        let shares: Vec<_> = dealing.shares.into_iter().map(accept).collect();
        let public = dealing.public;
        let (nonces, commitments): (Vec<_>, Vec<_>) =
            shares.iter().take(2).map(|share| share.commit(&mut rng)).unzip();
        let package = SigningPackage::new(commitments.clone(), MESSAGE).expect("two signers");
        let signature_shares: Vec<_> = shares
            .iter()
            .zip(nonces)
            .map(|(share, nonces)| share.sign(&package, nonces).expect("its own nonces"))
            .collect();
        let signature = public.aggregate(&package, &signature_shares).expect("honest signers");
        let (batch, _) = shares[0].precompute(2, &mut rng);
        let dkg = Run::new();
        Self {
            shares,
            public,
            dealt,
            commitments,
            package,
            signature_shares,
            signature,
            batch,
            dkg,
        }
    }
}

impl<S: Ciphersuite> Run<S> {
    fn new() -> Self {
        let key = SealKey::new(KEY);
        let mut seals = Vec::new();
        let mut sent = BTreeMap::new();
        let mut steps: Vec<_> = parties().iter().map(start::<S>).collect();
        loop {
            let mut sessions = Vec::new();
            let mut outgoing = Vec::new();
            for Step { session, outgoing: messages } in steps.drain(..) {
                let me = session.me();
                outgoing.extend(messages.iter().cloned().map(|message| (me, message)));
                sent.insert((session.round().get(), me), messages);
                sessions.push(session);
            }
            seals.push(sessions[0].seal(&key));
            for session in &mut sessions {
                for (from, message) in &outgoing {
                    if is_for(session.me(), *from, message.to) {
                        session.receive(*from, &message.bytes).expect("an honest frame");
                        if session.me() == id(1) {
                            seals.push(session.seal(&key));
                        }
                    }
                }
            }
            let mut outputs = Vec::new();
            for session in sessions {
                match session.advance().expect("nobody cheats") {
                    Progress::Round(step) => steps.push(step),
                    Progress::Done(output) => outputs.push(output),
                    Progress::Waiting(_) => unreachable!("everything was delivered"),
                }
            }
            if let Some(output) = outputs.pop() {
                return Self { sent, seals, public: output.public };
            }
        }
    }

    /// What the others sent to `me` in a round.
    pub(crate) fn received(
        &self,
        me: PartyId,
        round: u8,
    ) -> impl Iterator<Item = (PartyId, &[u8])> + '_ {
        self.sent.range((round, id(1))..=(round, id(3))).flat_map(move |((_, from), messages)| {
            let mine = messages.iter().filter(move |message| is_for(me, *from, message.to));
            mine.map(move |message| (*from, message.bytes.as_slice()))
        })
    }
}

/// Whether a message is to be delivered to `me`.
pub(crate) fn is_for(me: PartyId, from: PartyId, to: To) -> bool {
    from != me && (to == To::Everyone || to == To::Only(me))
}

/// The key generation at one party, always with the same randomness.
pub(crate) fn start<S: Ciphersuite>(me: PartyId) -> Step<Dkg<S>> {
    let sid = SessionId::new([9; 32]);
    let mut rng = rng(me.get().to_be_bytes()[1]);
    Session::start(sid, me, &parties(), params(), &mut rng).expect("2 of 3")
}

pub(crate) fn params<S: Ciphersuite>() -> DkgParams<S> {
    DkgParams::new(THRESHOLD)
}

pub(crate) fn parties() -> Parties {
    Parties::numbered(3).expect("three parties")
}

pub(crate) fn id(number: u16) -> PartyId {
    PartyId::new(number).expect("not zero")
}

pub(crate) fn rng(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}
