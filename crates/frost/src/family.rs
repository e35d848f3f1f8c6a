//! The family of a suite's keys, with which `quorate-keys` handles them.

use alloc::vec::Vec;
use core::marker::PhantomData;

use quorate_keys::Family;
use quorate_session::wire::Reader;

use crate::suite::{KeySuite, PointBytes, is_odd};

/// The [`Family`] of the keys of suite `S`. Its name is the suite's context string, so keys of
/// two suites never mix, and neither do Taproot's internal keys and its output keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frost<S>(PhantomData<S>);

impl<S: KeySuite> Family for Frost<S> {
    type Curve = S::Curve;
    type Extra = ();

    const NAME: &'static str = S::CONTEXT;
    const CODE: u8 = S::CODE;
    const SHIFTS_TO: &'static [&'static str] = S::TWEAKED;

    fn put_extra(_extra: &(), _bytes: &mut Vec<u8>) {}

    fn read_extra(_reader: &mut Reader<'_>) -> Option<()> {
        Some(())
    }

    /// Keys with odd y are kept with the other sign (BIP-340).
    fn accepts(key: &PointBytes<S>) -> bool {
        !is_odd::<S>(key)
    }
}

/// Resharing and refresh, a protocol for a [`Session`](quorate_session::Session).
pub type Reshare<S> = quorate_keys::Reshare<Frost<S>>;
/// The key, the dealers and the new committee of a resharing.
pub type ResharePlan<S> = quorate_keys::ResharePlan<Frost<S>>;
/// A party's part in a resharing.
pub type ReshareParams<S> = quorate_keys::ReshareParams<Frost<S>>;
/// The result of a resharing for one party.
pub type Reshared<S> = quorate_keys::Reshared<Frost<S>>;
/// The repair of a lost share, a protocol for a [`Session`](quorate_session::Session).
pub type Repair<S> = quorate_keys::Repair<Frost<S>>;
/// The key, the helpers and the target of a repair.
pub type RepairPlan<S> = quorate_keys::RepairPlan<Frost<S>>;
/// A party's part in a repair.
pub type RepairParams<S> = quorate_keys::RepairParams<Frost<S>>;
/// The result of a repair for one party.
pub type Repaired<S> = quorate_keys::Repaired<Frost<S>>;
/// The acknowledgement that all parties have stored their shares, a protocol for a
/// [`Session`](quorate_session::Session).
pub type Acknowledge<S> = quorate_keys::Acknowledge<Frost<S>>;
/// The package of which a party has stored its share.
pub type AcknowledgeParams<S> = quorate_keys::AcknowledgeParams<Frost<S>>;
/// The proof that all parties have stored their shares of one package.
pub type StoredByAll<S> = quorate_keys::StoredByAll<Frost<S>>;
