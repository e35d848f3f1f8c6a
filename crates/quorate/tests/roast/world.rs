//! A run over a network that reorders and repeats, with bad signers of every kind.

use std::collections::BTreeMap;

use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::keys::Family;
use quorate::frost::generic::roast::{AnswerOutcome, AnswerRejected, Ask, Refused, SignerFault};
use quorate::frost::generic::{
    Ciphersuite, Dealing, Frost, KeyShare, PublicKeyPackage, RoastCoordinator, RoastSigner,
    Signature,
};
use quorate::session::container::{DIGEST, HEADER, Kind};
use quorate::session::{SealKey, SpentInMemory};
use quorate::{Parties, PartyId, SessionId};
use quorate_testkit::lockstep::{id, seal_key, sid};
use quorate_testkit::{Lcg, rng, rng_of};

pub(crate) const TEXT: &[u8] = b"pay 5 to Carol";
pub(crate) const RUN: u8 = 7;

/// The ways of being bad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bad {
    /// Never sends anything.
    Silent,
    /// Sends its first message, and nothing more.
    StallsWhenAsked,
    /// Answers once, and never again.
    StallsAfterOne,
    /// A share that is one too large.
    WrongShare,
    /// First commitments that are not those of its nonces.
    WrongCommitment,
    /// Bytes of the right kind that cannot be read.
    Malformed,
    /// Answers a request with its previous message.
    Replays,
    /// A share that names another session.
    OtherSession,
    /// A share that names another package.
    OtherPackage,
    /// A first message in another's name.
    OtherName,
    /// A second first message.
    TwoFirst,
    /// Another signer's message, as its own.
    Steals,
}

pub(crate) const ALL: [Bad; 12] = [
    Bad::Silent,
    Bad::StallsWhenAsked,
    Bad::StallsAfterOne,
    Bad::WrongShare,
    Bad::WrongCommitment,
    Bad::Malformed,
    Bad::Replays,
    Bad::OtherSession,
    Bad::OtherPackage,
    Bad::OtherName,
    Bad::TwoFirst,
    Bad::Steals,
];

/// A form with some bytes replaced, and its digest and length made to fit again.
pub(crate) fn forged<S: Ciphersuite>(form: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    const ANY: Kind = Kind { code: 0, name: "", version: 1 };
    Frost::<S>::label(ANY).altered(form, change)
}

/// Where the parts of a signer's message are.
pub(crate) struct Layout {
    pub(crate) party: usize,
    pub(crate) package: usize,
    pub(crate) hiding: usize,
    pub(crate) session: usize,
    pub(crate) digest: usize,
    pub(crate) z: usize,
    pub(crate) end: usize,
}

pub(crate) fn layout<S: Ciphersuite>() -> Layout {
    let point = size_of::<<S::Curve as Curve>::PointBytes>();
    let scalar = size_of::<<S::Curve as Curve>::ScalarBytes>();
    let (party, package) = (HEADER, HEADER + 2);
    let hiding = package + 68 + 32;
    let session = hiding + 2 * point;
    let (digest, z) = (session + 2, session + 34);
    Layout { party, package, hiding, session, digest, z, end: z + scalar }
}

/// A message whose share is one too large.
pub(crate) fn with_wrong_share<S: Ciphersuite>(form: &[u8]) -> Vec<u8> {
    let Layout { z, end, .. } = layout::<S>();
    let one = <S::Curve as Curve>::Scalar::from(1);
    let old = S::Curve::decode_scalar(&form[z..end]).unwrap();
    let new = S::Curve::encode_scalar(&(old + one));
    forged::<S>(form, |bytes| bytes[z..end].copy_from_slice(new.as_ref()))
}

/// A signer, honest or not.
pub(crate) struct Player<S: Ciphersuite> {
    pub(crate) share: KeyShare<S>,
    pub(crate) signer: RoastSigner<S>,
    pub(crate) table: SpentInMemory,
    pub(crate) bad: Option<Bad>,
    /// The signer's first message.
    first: Vec<u8>,
    answers: usize,
}

/// A message on its way.
enum Flying {
    Up(PartyId, Vec<u8>),
    Down(PartyId, Vec<u8>),
}

/// A run.
pub(crate) struct World<S: Ciphersuite> {
    pub(crate) public: PublicKeyPackage<S>,
    pub(crate) coordinator: RoastCoordinator<S>,
    pub(crate) players: BTreeMap<PartyId, Player<S>>,
    pub(crate) random: Lcg,
    flying: Vec<Flying>,
    /// The messages that the coordinator took or refused, in order.
    pub(crate) log: Vec<(PartyId, Vec<u8>)>,
}

pub(crate) fn key() -> SealKey {
    seal_key()
}

pub(crate) fn run_id() -> SessionId {
    sid(RUN)
}

/// A dealt key.
pub(crate) fn dealt<S: Ciphersuite>(
    threshold: u16,
    parties: u16,
) -> (PublicKeyPackage<S>, Vec<KeyShare<S>>) {
    let all = Parties::numbered(parties).unwrap();
    let Dealing { shares, public } = Dealing::<S>::new(threshold, &all, &mut rng(1)).unwrap();
    let shares = shares.into_iter().map(|share| share.accept(threshold, &public).unwrap());
    let shares = shares.collect();
    (public, shares)
}

impl<S: Ciphersuite> World<S> {
    /// A run in which `bad` are the kinds of the bad signers; the seed chooses their places.
    pub(crate) fn new(threshold: u16, parties: u16, bad: &[Bad], seed: u64) -> Self {
        let (public, shares) = dealt::<S>(threshold, parties);
        let coordinator = RoastCoordinator::start(public.clone(), run_id(), TEXT).unwrap();
        let mut random = Lcg(seed);
        let mut kinds: Vec<Option<Bad>> = bad.iter().copied().map(Some).collect();
        kinds.resize(usize::from(parties), None);
        for at in (1..kinds.len()).rev() {
            kinds.swap(at, random.below(at + 1));
        }
        let player = |(share, bad): (KeyShare<S>, _)| {
            let random = &mut rng_of(seed ^ u64::from(share.id().get()) << 32);
            let signer = RoastSigner::start(&share, run_id(), TEXT, random).unwrap();
            let (table, first) = (SpentInMemory::new(), signer.message().to_vec());
            (share.id(), Player { share, signer, table, bad, first, answers: 0 })
        };
        let players = shares.into_iter().zip(kinds).map(player).collect();
        let (flying, log) = (Vec::new(), Vec::new());
        Self { public, coordinator, players, random, flying, log }
    }

    pub(crate) fn bad(&self) -> Vec<PartyId> {
        self.players.iter().filter(|(_, one)| one.bad.is_some()).map(|(id, _)| *id).collect()
    }

    /// Plays to the end, and returns the signature, if there is one when no message is left.
    pub(crate) fn play(&mut self) -> Option<Signature<S>> {
        for me in self.players.keys().copied().collect::<Vec<_>>() {
            self.first(me);
        }
        while !self.flying.is_empty() {
            let at = self.random.below(self.flying.len());
            let one = self.flying.swap_remove(at);
            if self.random.below(10) == 0 {
                // Once more, later.
                self.flying.push(match &one {
                    Flying::Up(from, bytes) => Flying::Up(*from, bytes.clone()),
                    Flying::Down(to, bytes) => Flying::Down(*to, bytes.clone()),
                });
            }
            match one {
                Flying::Up(from, bytes) => {
                    if let Some(signature) = self.deliver(from, &bytes) {
                        return Some(signature);
                    }
                }
                Flying::Down(to, bytes) => self.ask(to, &bytes),
            }
        }
        None
    }

    fn first(&mut self, me: PartyId) {
        let player = &self.players[&me];
        let first = player.signer.message().to_vec();
        let Layout { party, hiding, session, .. } = layout::<S>();
        let middle = (hiding + session) / 2;
        let sent = match player.bad {
            Some(Bad::Silent) => Vec::new(),
            Some(Bad::Malformed) => {
                let at = hiding + self.random.below(session - hiding);
                let short = forged::<S>(&first, |bytes| bytes.truncate(at));
                vec![short]
            }
            Some(Bad::WrongCommitment) => vec![forged::<S>(&first, |bytes| {
                let (d, e) = (bytes[hiding..middle].to_vec(), bytes[middle..session].to_vec());
                bytes[hiding..middle].copy_from_slice(&e);
                bytes[middle..session].copy_from_slice(&d);
            })],
            Some(Bad::OtherName) => {
                let named = if me == id(1) { id(2) } else { id(1) };
                let named = named.get().to_be_bytes();
                vec![forged::<S>(&first, |bytes| bytes[party..party + 2].copy_from_slice(&named))]
            }
            Some(Bad::TwoFirst) => {
                let random = &mut rng_of(99);
                let again = RoastSigner::start(&player.share, run_id(), TEXT, random).unwrap();
                vec![first, again.message().to_vec()]
            }
            Some(Bad::Steals) => {
                let other = self.players.keys().copied().find(|other| *other != me).unwrap();
                vec![self.players[&other].signer.message().to_vec()]
            }
            _ => vec![first],
        };
        self.flying.extend(sent.into_iter().map(|bytes| Flying::Up(me, bytes)));
    }

    fn deliver(&mut self, from: PartyId, bytes: &[u8]) -> Option<Signature<S>> {
        self.log.push((from, bytes.to_vec()));
        let result = self.coordinator.receive(from, bytes);
        assert!(self.coordinator.sessions() <= self.coordinator.most_sessions());
        match result {
            Ok(AnswerOutcome::Done(signature)) => Some(signature),
            Ok(AnswerOutcome::Ask(Ask { signers, bytes, session })) => {
                assert_eq!(signers.len(), usize::from(self.public.threshold()));
                assert_eq!(self.coordinator.request(session).unwrap(), bytes);
                let marked: Vec<_> = self.coordinator.marked().map(|(party, _)| party).collect();
                assert!(signers.iter().all(|signer| !marked.contains(signer)), "asked again");
                self.flying
                    .extend(signers.into_iter().map(|signer| Flying::Down(signer, bytes.clone())));
                None
            }
            Ok(AnswerOutcome::Waiting) => None,
            Err(why) => {
                let bad = self.players[&from].bad;
                assert!(bad.is_some() || why == AnswerRejected::Duplicate, "party {from}: {why}");
                None
            }
        }
    }

    fn ask(&mut self, to: PartyId, request: &[u8]) {
        let player = self.players.get_mut(&to).unwrap();
        let before = player.signer.message().to_vec();
        if self.random.below(4) == 0 {
            // It was stored before its last message was sent, and is opened again.
            player.signer = RoastSigner::open(&player.signer.seal(&key()), &key()).unwrap();
            assert_eq!(player.signer.message(), before);
        }
        let again = player.answers > 0;
        let random = &mut rng_of(self.random.number());
        let honest = player.signer.answer(&player.share, request, &mut player.table, random);
        let honest = match (player.bad, honest) {
            (_, Ok(bytes)) => bytes.to_vec(),
            // A request that came once more, after a later one.
            (None, Err(Refused::NotNext { .. })) => return,
            (None, Err(why)) => panic!("party {to}: {why:?}"),
            (Some(_), Err(_)) => before.clone(),
        };
        player.answers += 1;
        let Layout { session, digest, .. } = layout::<S>();
        let sent = match player.bad {
            Some(Bad::Silent | Bad::StallsWhenAsked) => return,
            Some(Bad::StallsAfterOne) if again => return,
            Some(Bad::WrongShare) => with_wrong_share::<S>(&honest),
            Some(Bad::Replays) => player.first.clone(),
            Some(Bad::OtherSession) => forged::<S>(&honest, |bytes| bytes[session] ^= 1),
            Some(Bad::OtherPackage) => forged::<S>(&honest, |bytes| bytes[digest] ^= 1),
            // It knows its nonces, which are those of the right commitments.
            Some(Bad::WrongCommitment) => self.sign_anyway(to, request),
            _ => honest,
        };
        self.flying.push(Flying::Up(to, sent));
    }

    /// A share by other nonces than those that were committed to.
    fn sign_anyway(&self, me: PartyId, request: &[u8]) -> Vec<u8> {
        let player = &self.players[&me];
        let Layout { session, digest, z, .. } = layout::<S>();
        let number = &request[HEADER + 32..HEADER + 34];
        let package = package_of::<S>(request);
        let share = S::Curve::encode_scalar(&<S::Curve as Curve>::Scalar::from(5));
        forged::<S>(player.signer.message(), |bytes| {
            bytes.truncate(session);
            bytes.extend_from_slice(number);
            assert_eq!(bytes.len(), digest);
            bytes.extend_from_slice(&package.digest(None));
            assert_eq!(bytes.len(), z);
            bytes.extend_from_slice(share.as_ref());
        })
    }
}

/// The signing package in a request.
pub(crate) fn package_of<S: Ciphersuite>(
    request: &[u8],
) -> quorate::frost::generic::SigningPackage<S> {
    const PACKAGE: Kind = Kind { code: 5, name: "", version: 1 };
    let body = &request[HEADER + 34..request.len() - DIGEST];
    let mut bytes = Frost::<S>::label(PACKAGE).start(body.len());
    bytes.extend_from_slice(body);
    Frost::<S>::label(PACKAGE).end(&mut bytes);
    quorate::frost::generic::SigningPackage::from_bytes(&bytes).unwrap()
}

/// The fault with which a bad signer is marked, once it had its turn; none for those that are only silent.
pub(crate) fn fits(bad: Bad, fault: SignerFault) -> bool {
    match bad {
        Bad::Silent | Bad::StallsWhenAsked | Bad::StallsAfterOne | Bad::Replays => false,
        Bad::WrongShare | Bad::WrongCommitment => matches!(fault, SignerFault::WrongShare { .. }),
        Bad::Malformed | Bad::OtherName | Bad::Steals => matches!(fault, SignerFault::Malformed(_)),
        Bad::OtherSession | Bad::TwoFirst => matches!(fault, SignerFault::Unsolicited { .. }),
        Bad::OtherPackage => matches!(fault, SignerFault::OtherPackage { .. }),
    }
}
