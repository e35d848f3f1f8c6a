//! Sequences of operations on three signers of a 2-of-3 key, their storage, and the party that puts their
//! shares together.

mod combining;

use std::collections::{BTreeMap, BTreeSet};

use quorate_cggmp::{
    Claim, ClaimError, KeyShare, MessageDigest, Mismatch, Presignature, PresignatureId,
    Presignatures, SignatureShare,
};
use quorate_frost::session::{Continuity, Parties, PartyId, RecordError, SealKey, SpentInMemory};

use self::combining::Combining;
use super::fixture::{Fixture, Made, Order, Suite};
use crate::fixture::{KEY, id};
use crate::input::Input;

const MAX_OPERATIONS: usize = 32;
const ORDERS: [Order; 4] = [
    Order { path: &[], message: b"fuzz" },
    Order { path: &[], message: b"" },
    Order { path: &[5], message: b"fuzz" },
    Order { path: &[5, 1], message: b"another" },
];

struct Signer<C: Suite> {
    held: Presignatures<C>,
    /// The presignatures that were used or dropped, which are not taken in again.
    gone: BTreeSet<PresignatureId>,
    /// The inventory as it was stored last, and what was gone then.
    stored: (Vec<u8>, BTreeSet<PresignatureId>),
    /// The unique index that claims are recorded in. It outlives every crash.
    spent: SpentInMemory,
    /// Shares that left this signer.
    released: BTreeMap<[u8; 32], SignatureShare<C>>,
}

struct World<C: Suite> {
    fixture: &'static Fixture<C>,
    key: SealKey,
    signers: Vec<Signer<C>>,
    combining: Combining<C>,
}

/// Whatever the order of the operations: while claims are recorded, no presignature is spent on
/// two orders; a signature that comes out verifies; and if none does, exactly those whose shares
/// are wrong or missing are named.
pub(crate) fn ecdsa_operations<C: Suite>(data: &[u8]) -> bool {
    let mut world = World::<C>::new();
    let mut input = Input::new(data);
    for _ in 0..MAX_OPERATIONS {
        let Some(operation) = input.next() else { break };
        world.operate(operation, &mut input);
    }
    world.combining.signatures > 0
}

impl<C: Suite> World<C> {
    fn new() -> Self {
        let key = SealKey::new(KEY);
        let signer = |at| {
            let held = Presignatures::new(party(at));
            let stored = (held.seal(&key), BTreeSet::new());
            let (gone, spent, released) = (BTreeSet::new(), SpentInMemory::new(), BTreeMap::new());
            Signer { held, gone, stored, spent, released }
        };
        let signers = (0..3).map(signer).collect();
        Self { fixture: C::fixture(), key, signers, combining: Combining::new() }
    }

    fn operate(&mut self, operation: u8, input: &mut Input<'_>) {
        let at = usize::from(operation >> 4) % 3;
        match operation & 15 {
            0 | 1 => self.give(at, self.made(input)),
            2 => {
                let made = self.made(input);
                (0..3).for_each(|at| self.give(at, made));
            }
            3 | 4 => {
                let (made, order) = (self.made(input), order(input));
                self.claim(at, made, order, input.byte());
            }
            5 | 6 => {
                let (made, order) = (self.made(input), order(input));
                (0..3).for_each(|at| self.claim(at, made, order, 0));
            }
            7 => self.store(at),
            8 => self.restore(at),
            9 => self.break_stored(at, input),
            10 => self.intersect(at),
            11 => self.keep_only(at, input.byte()),
            12 => self.combining.alter(input),
            13 => {
                let (made, order) = (self.made(input), order(input));
                self.combining.combine(made, order, input);
            }
            _ => {
                let (made, order) = (self.made(input), order(input));
                self.combining.combine_released(made, order);
            }
        }
    }

    fn made(&self, input: &mut Input<'_>) -> &'static Made<C> {
        let all = &self.fixture.presignatures;
        &all[input.below(all.len())]
    }

    /// A presignature comes from presigning, or once more from a backup of it.
    fn give(&mut self, at: usize, made: &Made<C>) {
        let Some(part) = made.part(party(at)) else { return };
        let again = Presignature::<C>::open(&part.seal(&self.key), &self.key).expect("just sealed");
        assert!(again.to_bytes() == part.to_bytes());
        let (name, Signer { held, gone, .. }) = (made.info.id(), &mut self.signers[at]);
        let (before, known) = (held.len(), held.info(&name).is_some());
        held.insert(again).expect("its own");
        let is_new = !known && !gone.contains(&name);
        assert_eq!(held.len(), before + usize::from(is_new));
        assert!(held.info(&name) == (known || is_new).then_some(&made.info));
    }

    /// Claims under the key, or under another where `which` says so, records, and releases.
    fn claim(&mut self, at: usize, made: &Made<C>, order: Order, which: u8) {
        let key = key_of(made, party(at), which);
        let signer = &mut self.signers[at];
        let name = made.info.id();
        let known = signer.held.info(&name).is_some();
        match signer.held.claim(&name, key, &order.path(), MessageDigest::sha256(order.message)) {
            Ok(claim) => {
                assert!(
                    known && made.info.check_belongs_to(key.public()).is_ok(),
                    "claimed under another key"
                );
                assert!(signer.held.info(&name).is_none(), "claimed, and still there");
                assert!(claim.info() == &made.info && claim.record().id == name.name());
                signer.gone.insert(name);
                if let Some(share) = signer.release(claim, made, order) {
                    assert!(share == made.owed(party(at), order));
                    self.combining.shares.push(share);
                }
            }
            Err(ClaimError::Unknown) => assert!(!known),
            Err(ClaimError::Mismatch(Mismatch::WrongKey)) => {
                assert!(known && key.verifying_key() != made.info.verifying_key());
                assert!(signer.held.info(&name).is_some(), "refused, and gone");
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn store(&mut self, at: usize) {
        let signer = &mut self.signers[at];
        signer.stored = (signer.held.seal(&self.key), signer.gone.clone());
        let again = Presignatures::<C>::open(&signer.stored.0, &self.key, Continuity::StayedUp)
            .expect("just sealed");
        assert!(again.ids().eq(signer.held.ids()));
        assert!(again.seal(&self.key) == signer.stored.0);
        signer.held = again;
    }

    /// Goes back to the inventory that was stored: what was spent since is in it again.
    fn restore(&mut self, at: usize) {
        let signer = &mut self.signers[at];
        let (stored, gone) = &signer.stored;
        signer.held = Presignatures::open(stored, &self.key, Continuity::StayedUp).expect("stored");
        signer.gone.clone_from(gone);
    }

    fn break_stored(&self, at: usize, input: &mut Input<'_>) {
        let bytes = input.tampered(&self.signers[at].stored.0).expect("a seal is not empty");
        assert!(Presignatures::<C>::open(&bytes, &self.key, Continuity::StayedUp).is_err());
    }

    /// Presignatures that all three hold that take all three, or two of them that take the two.
    fn intersect(&self, at: usize) {
        let (next, last) = ((at + 1) % 3, (at + 2) % 3);
        for places in [&[at, next][..], &[at, next, last]] {
            let signers = Parties::new(places.iter().map(|place| party(*place)));
            let signers = signers.expect("two at least");
            let held = |place: usize| {
                let held = &self.signers[place].held;
                let takes = |name: &_| held.info(name).expect("its own").signers() == &signers;
                held.ids().filter(takes).collect::<BTreeSet<_>>()
            };
            let others = places.iter().skip(1);
            let lists = others
                .clone()
                .map(|place| (party(*place), self.signers[*place].held.list(&signers)));
            let all = self.signers[at].held.intersect(&signers, lists).expect("honest lists");
            let expected = others.fold(held(at), |all, place| &all & &held(*place));
            assert!(expected.into_iter().eq(all.iter()));
        }
    }

    /// Drops those of the derived key, or those of the first.
    fn keep_only(&mut self, at: usize, which: u8) {
        let share = if which & 1 == 0 { &self.fixture.shares } else { &self.fixture.children };
        let Signer { held, gone, .. } = &mut self.signers[at];
        let before: BTreeSet<_> = held.ids().collect();
        let dropped = held.keep_only(share[0].public());
        assert_eq!(held.len() + dropped, before.len());
        gone.extend(before.into_iter().filter(|name| held.info(name).is_none()));
        let of_key = |name| {
            held.info(&name).is_some_and(|info| info.check_belongs_to(share[0].public()).is_ok())
        };
        assert!(held.ids().all(of_key));
    }
}

impl<C: Suite> Signer<C> {
    /// Records a claim and releases its share, unless another is recorded already.
    fn release(
        &mut self,
        claim: Claim<C>,
        made: &Made<C>,
        order: Order,
    ) -> Option<SignatureShare<C>> {
        let record = claim.record();
        let receipt = match record.store(&mut self.spent) {
            Ok(receipt) => receipt,
            Err(RecordError::Spent { id, on }) => {
                assert!(id == record.id && on != record.digest);
                return None;
            }
            Err(error) => panic!("{error}"),
        };
        let share = claim.release(receipt).expect("its own receipt");
        assert!(share.presignature().name() == record.id);
        assert!(share.digest() == MessageDigest::sha256(order.message).as_bytes());
        assert!(share.key_bytes() == made.child(order).key.as_bytes());
        let before = self.released.insert(record.id, share);
        assert!(before.is_none_or(|before| before == share), "spent on two orders");
        Some(share)
    }
}

/// The share of the key that a presignature is of, or of one that it may not be of.
fn key_of<C: Suite>(made: &Made<C>, party: PartyId, which: u8) -> &KeyShare<C> {
    let of = |shares: &'static [std::sync::Arc<KeyShare<C>>]| {
        shares.iter().find(|share| share.id() == party).expect("a party")
    };
    match which % 8 {
        1 => of(&C::fixture().shares),
        2 => of(&C::fixture().children),
        _ => made.share(party),
    }
}

fn party(at: usize) -> PartyId {
    id(u16::try_from(at).expect("small") + 1)
}

fn order(input: &mut Input<'_>) -> Order {
    ORDERS[input.below(ORDERS.len())]
}
