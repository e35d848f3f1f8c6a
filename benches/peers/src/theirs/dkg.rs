//! Distributed key generation by frost-core.

use std::collections::BTreeMap;

use frost_core::keys::SigningShare;
use frost_core::keys::dkg::{self, round1, round2};
use frost_core::{Ciphersuite, Identifier};
use quorate_benches::{Routine, Size};

use super::OldRng;

/// Secrets and messages of the first party.
pub(super) struct Dkg<C: Ciphersuite> {
    secret1: round1::SecretPackage<C>,
    secret2: round2::SecretPackage<C>,
    received1: BTreeMap<Identifier<C>, round1::Package<C>>,
    received2: BTreeMap<Identifier<C>, round2::Package<C>>,
}

fn identifier<C: Ciphersuite>(number: u16) -> Identifier<C> {
    number.try_into().expect("not zero")
}

pub(super) fn part1<C: Ciphersuite>(size: Size) -> Routine<'static> {
    let mut rng = OldRng::new(3);
    Routine::repeat(move || {
        dkg::part1::<C, _>(identifier(1), size.n, size.t, &mut rng).expect("a valid size")
    })
}

impl<C: Ciphersuite> Dkg<C> {
    /// Runs round 1 for every party, and of round 2 only what the first party gets.
    pub(super) fn new(size: Size) -> Self {
        let mut rng = OldRng::new(4);
        let me = identifier(1);
        let mut start =
            |id| dkg::part1::<C, _>(id, size.n, size.t, &mut rng).expect("a valid size");
        let (secret1, _) = start(me);
        let (mut received1, mut received2) = (BTreeMap::new(), BTreeMap::new());
        for id in (2..=size.n).map(identifier) {
            let (secret, package) = start(id);
            received1.insert(id, package);
            let share = SigningShare::from_coefficients(&secret.coefficients(), me);
            received2.insert(id, round2::Package::new(share));
        }
        let (secret2, _) = dkg::part2(secret1.clone(), &received1).expect("honest parties");
        Self { secret1, secret2, received1, received2 }
    }

    pub(super) fn part2(&self) -> Routine<'_> {
        Routine::consume(
            || self.secret1.clone(),
            |secret| dkg::part2(secret, &self.received1).expect("honest parties"),
        )
    }

    pub(super) fn part3(&self) -> Routine<'_> {
        Routine::repeat(|| {
            dkg::part3(&self.secret2, &self.received1, &self.received2).expect("honest parties")
        })
    }
}
