//! Sequences of operations on three signers of a 2-of-3 key and their coordinator.

use std::collections::{BTreeMap, BTreeSet};

use chacha20::ChaCha20Rng;
use quorate_frost::session::{Continuity, PartyId, SealKey, SpentInMemory};
use quorate_frost::{
    AggregateError, ClaimError, Commitments, Coordinator, DecodeError, KeyShare, NonceBatch,
    Nonces, PackageError, ShareRejected, Signature, SignatureShare, SigningPackage, SigningSession,
};

use crate::fixture::{Fixture, KEY, Suite, id, rng};
use crate::input::Input;

const MAX_OPERATIONS: usize = 40;
const MAX_NONCES: usize = 12;
const MAX_SESSIONS: usize = 4;

/// A session of the coordinator's, and what is known about it from outside.
struct Signing<S: Suite> {
    session: SigningSession<S>,
    /// Shares that the signers made for exactly this package.
    honest: BTreeMap<PartyId, SignatureShare<S>>,
    received: BTreeMap<PartyId, SignatureShare<S>>,
}

struct Signer<S: Suite> {
    loose: Vec<Nonces<S>>,
    batch: NonceBatch<S>,
    /// The batch as it was stored last.
    stored: Vec<u8>,
    /// The table that claims are recorded in.
    spent: SpentInMemory,
}

struct World<S: Suite> {
    fixture: &'static Fixture<S>,
    rng: ChaCha20Rng,
    key: SealKey,
    coordinator: Coordinator<S>,
    signers: Vec<Signer<S>>,
    commitments: Vec<Commitments<S>>,
    sessions: Vec<Signing<S>>,
    /// Shares on their way, each for the session at that place.
    shares: Vec<(usize, SignatureShare<S>)>,
    /// How many signatures came out.
    signatures: usize,
}

/// Whatever the order of the operations: nonces are spent once; a signature that comes out
/// verifies; and if none does, exactly those whose shares were altered are named.
pub(crate) fn signing_operations<S: Suite>(data: &[u8]) -> bool {
    let mut world = World::<S>::new();
    let mut input = Input::new(data);
    for _ in 0..MAX_OPERATIONS {
        let Some(operation) = input.next() else { break };
        world.operate(operation, &mut input);
    }
    world.finish_all();
    world.signatures > 0
}

impl<S: Suite> World<S> {
    fn new() -> Self {
        let fixture = S::fixture();
        let mut rng = rng(200);
        let key = SealKey::new(KEY);
        let signers = fixture
            .shares
            .iter()
            .map(|share| {
                let batch = share.precompute(0, &mut rng);
                assert!(batch.is_empty());
                let stored = batch.seal(&key);
                Signer { loose: Vec::new(), batch, stored, spent: SpentInMemory::new() }
            })
            .collect();
        Self {
            fixture,
            rng,
            key,
            coordinator: Coordinator::new(fixture.public.clone()),
            signers,
            commitments: Vec::new(),
            sessions: Vec::new(),
            shares: Vec::new(),
            signatures: 0,
        }
    }

    fn operate(&mut self, operation: u8, input: &mut Input<'_>) {
        let at = usize::from(operation >> 4) % 3;
        match operation & 15 {
            0 | 1 => self.commit(at),
            2 => self.precompute(at),
            3 => self.alter_commitments(input),
            4 | 5 => self.start(input),
            6 => {
                (0..3).for_each(|at| self.commit(at));
                self.start(input);
            }
            7..=9 if self.sessions.is_empty() => {}
            7 | 8 => {
                let place = input.below(self.sessions.len());
                self.sign(at, place);
            }
            9 => {
                let place = input.below(self.sessions.len());
                (0..3).for_each(|at| self.sign(at, place));
            }
            10 => self.alter_share(input),
            11 => self.receive(input),
            12 => {
                // What came last overtakes the rest: altered shares the right ones.
                for (place, share) in self.shares.clone().into_iter().rev() {
                    self.take(place, share.id(), share);
                }
            }
            13 => self.store(at),
            14 => self.restore(at),
            _ if self.sessions.is_empty() => {}
            _ => {
                let place = input.below(self.sessions.len());
                let signing = self.sessions.remove(place);
                self.shares.retain(|(of, _)| *of != place);
                self.shares.iter_mut().filter(|(of, _)| *of > place).for_each(|(of, _)| *of -= 1);
                let expected = self.aggregate(&signing);
                let result = self.coordinator.aggregate(signing.session);
                assert!(result == expected);
            }
        }
    }

    fn commit(&mut self, at: usize) {
        if self.commitments.len() < MAX_NONCES {
            let (nonces, commitments) = self.fixture.shares[at].commit(&mut self.rng);
            assert_eq!(nonces.id(), commitments.nonce_id());
            self.signers[at].loose.push(nonces);
            self.commitments.push(commitments);
        }
    }

    /// Makes a new batch; what is left of the old one is gone.
    fn precompute(&mut self, at: usize) {
        if self.commitments.len() < MAX_NONCES {
            let batch = self.fixture.shares[at].precompute(2, &mut self.rng);
            assert!(batch.ids().eq(batch.commitments().map(|one| one.nonce_id())));
            self.commitments.extend(batch.commitments());
            self.signers[at].batch = batch;
        }
    }

    fn alter_commitments(&mut self, input: &mut Input<'_>) {
        if let Some(one) = pick(&self.commitments, input) {
            let bytes = input.tampered(&one.to_bytes()).expect("not empty");
            // The sender's number may be one of the bytes: then it is another party's message.
            let read = |party: u16| Commitments::<S>::from_bytes(id(party), &bytes).ok();
            self.commitments.extend((1..=4).find_map(read));
        }
    }

    /// Starts a session with those of the last eight commitments that a mask chooses.
    fn start(&mut self, input: &mut Input<'_>) {
        let mask = input.byte();
        let length = input.below(20);
        let message = input.bytes(length);
        let chosen: Vec<_> = (0..8)
            .zip(self.commitments.iter().rev())
            .filter_map(|(bit, one)| (mask >> bit & 1 == 1).then_some(*one))
            .collect();
        let ids: BTreeSet<_> = chosen.iter().map(Commitments::id).collect();
        let sent = chosen.iter().map(|one| (one.id(), one.to_bytes()));
        match self.coordinator.start(sent, message) {
            Ok(session) => {
                assert!(ids.len() == chosen.len() && ids.len() >= 2);
                assert!(ids.iter().all(|id| id.get() <= 3));
                let package = session.package();
                let again = SigningPackage::<S>::from_bytes(&package.to_bytes());
                assert!(again.as_ref() == Ok(package));
                if self.sessions.len() < MAX_SESSIONS {
                    let (honest, received) = (BTreeMap::new(), BTreeMap::new());
                    self.sessions.push(Signing { session, honest, received });
                }
            }
            Err(PackageError::Empty) => assert!(chosen.is_empty()),
            Err(PackageError::Mismatch { party, .. }) => {
                let own = self.fixture.public.package_id();
                assert!(chosen.iter().any(|one| one.id() == party && one.package_id() != own));
            }
            Err(PackageError::DuplicateParty(_)) => assert!(ids.len() < chosen.len()),
            Err(PackageError::UnknownParty(id)) => assert!(ids.contains(&id) && id.get() > 3),
            Err(PackageError::TooFewSigners { got, need: 2 }) => {
                assert!(got == 1 && ids.len() == 1)
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn sign(&mut self, at: usize, place: usize) {
        let Signing { session, honest, .. } = &mut self.sessions[place];
        let package = session.package();
        let me = self.fixture.shares[at].id();
        let wanted = package.commitments_of(me).map(|one| one.nonce_id());
        let share = &self.fixture.shares[at];
        let Some(nonces) = self.signers[at].nonces(share, package) else { return };
        let fits = wanted == Some(nonces.id());
        match share.sign(package, nonces) {
            Ok(share) => {
                assert!(fits, "signed with other nonces");
                // Nonces from a backup make the same share again, and no other.
                assert!(honest.insert(me, share).is_none_or(|before| before == share));
                assert_eq!(self.fixture.public.verify_share(package, &share), Ok(()));
                self.shares.push((place, share));
            }
            Err(error) => assert!(!fits, "refused: {error}"),
        }
    }

    fn alter_share(&mut self, input: &mut Input<'_>) {
        if let Some((place, share)) = pick(&self.shares, input) {
            let bytes = input.tampered(&share.to_bytes()).expect("not empty");
            let read = |party: u16| SignatureShare::from_bytes(id(party), &bytes).ok();
            let altered = (1..=4).find_map(read);
            self.shares.extend(altered.map(|share| (place, share)));
        }
    }

    fn receive(&mut self, input: &mut Input<'_>) {
        let Some((mut place, share)) = pick(&self.shares, input) else { return };
        let how = input.byte();
        if how & 15 == 1 {
            // A share of another session.
            place = usize::from(how >> 4) % self.sessions.len();
        }
        let from = if how & 15 == 2 { id(u16::from(how >> 4) + 1) } else { share.id() };
        self.take(place, from, share);
    }

    fn take(&mut self, place: usize, from: PartyId, share: SignatureShare<S>) {
        let Signing { session, received, .. } = &mut self.sessions[place];
        let package = session.package();
        let is_signer = package.signers().contains(&from);
        let before = received.get(&share.id()).copied();
        let expected = if !is_signer {
            Err(ShareRejected::NotASigner)
        } else if from != share.id() {
            let theirs = DecodeError::NotTheSenders { sender: from, named: share.id() };
            Err(ShareRejected::Malformed(theirs))
        } else if let Err(why) = share.package_id().check_belongs_to(&package.package_id()) {
            Err(ShareRejected::Mismatch(why))
        } else if share.package_digest() != package.digest(None) {
            Err(ShareRejected::OtherPackage)
        } else if before.is_some_and(|before| before != share) {
            Err(ShareRejected::Conflicting)
        } else {
            received.insert(from, share);
            Ok(())
        };
        assert_eq!(session.receive(from, &share.to_bytes()), expected);
    }

    fn store(&mut self, at: usize) {
        let signer = &mut self.signers[at];
        signer.stored = signer.batch.seal(&self.key);
        let again = NonceBatch::<S>::open(&signer.stored, &self.key, Continuity::StayedUp)
            .expect("just sealed");
        assert!(again.ids().eq(signer.batch.ids()));
        assert!(again.seal(&self.key) == signer.stored);
        signer.batch = again;
    }

    /// Goes back to the batch that was stored: what was spent since is in it again.
    fn restore(&mut self, at: usize) {
        let signer = &mut self.signers[at];
        signer.batch =
            NonceBatch::open(&signer.stored, &self.key, Continuity::StayedUp).expect("stored");
    }

    /// Aggregates what a session received, and checks the result against what is known.
    fn aggregate(&mut self, signing: &Signing<S>) -> Result<Signature<S>, AggregateError> {
        let Signing { session, honest, received } = signing;
        let package = session.package();
        let shares: Vec<_> = received.values().rev().copied().collect();
        let result = self.fixture.public.aggregate(package, &shares);
        let missing: Vec<_> = session.waiting_for().collect();
        let absent = package.signers().iter().filter(|id| !received.contains_key(id));
        assert!(absent.eq(&missing));
        let wrong: Vec<_> = received
            .iter()
            .filter_map(|(id, share)| (honest.get(id) != Some(share)).then_some(*id))
            .collect();
        match &result {
            Ok(signature) => {
                // Two that are wrong by opposite amounts are right together; one is not.
                assert!(missing.is_empty() && wrong.len() != 1);
                let key = self.fixture.public.verifying_key();
                assert!(key.verify(package.message(), signature).is_ok());
                assert!(
                    Signature::from_bytes(signature.to_bytes().as_ref()).as_ref() == Ok(signature)
                );
                self.signatures += 1;
            }
            Err(AggregateError::MissingShares(named)) => {
                assert!(!missing.is_empty() && *named == missing);
            }
            Err(AggregateError::Cheaters(named)) => {
                assert!(missing.is_empty() && !wrong.is_empty());
                assert_eq!(*named, wrong);
            }
            Err(error) => panic!("{error}"),
        }
        result
    }

    /// The sessions that are left, all at once.
    fn finish_all(&mut self) {
        let sessions = std::mem::take(&mut self.sessions);
        let expected: Vec<_> = sessions.iter().map(|signing| self.aggregate(signing)).collect();
        let sessions = sessions.into_iter().map(|signing| signing.session).collect();
        assert!(self.coordinator.aggregate_all(sessions) == expected);
    }
}

impl<S: Suite> Signer<S> {
    /// The nonces that a package asks for, from the batch or else from those in memory; where it
    /// asks for none of them, any.
    fn nonces(&mut self, share: &KeyShare<S>, package: &SigningPackage<S>) -> Option<Nonces<S>> {
        match self.batch.claim_for(share, package) {
            Ok(claim) => {
                assert!(self.batch.claim_for(share, package).is_err(), "claimed twice");
                // A batch from a backup offers again what was spent: the record says so.
                if let Ok(receipt) = claim.record().store(&mut self.spent) {
                    return Some(claim.release(receipt).expect("its own receipt"));
                }
            }
            Err(why) => assert_eq!(why, ClaimError::NoNonces, "a coordinator's own package"),
        }
        let asked = self.loose.iter().position(|nonces| {
            let wanted = package.signers().iter().filter_map(|id| package.commitments_of(*id));
            wanted.into_iter().any(|one| one.nonce_id() == nonces.id())
        });
        match asked {
            Some(at) => Some(self.loose.swap_remove(at)),
            None => self.loose.pop(),
        }
    }
}

/// One of several, as the input says.
fn pick<T: Copy>(items: &[T], input: &mut Input<'_>) -> Option<T> {
    let choice = usize::from(input.byte());
    items.get(choice.checked_rem(items.len())?).copied()
}
