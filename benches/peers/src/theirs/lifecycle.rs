//! Refresh and repair by frost-core: all parts of one party, with what it is sent decoded as in a session.

use std::collections::BTreeMap;

use frost_core::keys::dkg::{round1, round2};
use frost_core::keys::refresh::{refresh_dkg_part1, refresh_dkg_part2, refresh_dkg_shares};
use frost_core::keys::repairable::{Delta, repair_share_part1, repair_share_part2};
use frost_core::keys::{IdentifierList, KeyPackage, PublicKeyPackage, generate_with_dealer};
use frost_core::{Ciphersuite, Identifier};
use quorate_benches::{Routine, Size};

use super::OldRng;

/// A key, and what its second party is sent.
pub(super) struct Life<C: Ciphersuite> {
    size: Size,
    public: PublicKeyPackage<C>,
    key: KeyPackage<C>,
    /// As bytes, each from its sender.
    received1: Vec<(Identifier<C>, Vec<u8>)>,
    received2: Vec<(Identifier<C>, Vec<u8>)>,
    deltas: Vec<Vec<u8>>,
}

fn identifier<C: Ciphersuite>(number: u16) -> Identifier<C> {
    number.try_into().expect("not zero")
}

impl<C: Ciphersuite> Life<C> {
    pub(super) fn new(size: Size) -> Self {
        let Size { t, n } = size;
        let mut rng = OldRng::new(5);
        let me = identifier(2);
        let (shares, public) =
            generate_with_dealer::<C, _>(n, t, IdentifierList::Default, &mut rng)
                .expect("a valid size");
        let package = |id: &Identifier<C>| {
            let (share, point) = (*shares[id].signing_share(), public.verifying_shares()[id]);
            KeyPackage::new(*id, share, point, *public.verifying_key(), t)
        };
        let (mut secrets, mut announced) = (BTreeMap::new(), BTreeMap::new());
        for id in (1..=n).map(identifier) {
            let (secret, package) =
                refresh_dkg_part1::<C, _>(id, n, t, &mut rng).expect("a valid size");
            secrets.insert(id, secret);
            announced.insert(id, package);
        }
        let mut received2 = Vec::new();
        for (id, secret) in secrets {
            if id == me {
                continue;
            }
            let mut others = announced.clone();
            others.remove(&id);
            let (_, mut sent) = refresh_dkg_part2(secret, &others).expect("honest parties");
            let mine = sent.remove(&me).expect("sent to all");
            received2.push((id, mine.serialize().expect("bytes")));
        }
        announced.remove(&me);
        let bytes =
            |(id, one): (Identifier<C>, round1::Package<C>)| (id, one.serialize().expect("bytes"));
        let received1 = announced.into_iter().map(bytes).collect();
        let helpers: Vec<_> = (1..=t).map(identifier).collect();
        let deltas = helpers.iter().map(|helper| {
            let sent = repair_share_part1(&helpers, &package(helper), &mut rng, identifier(n))
                .expect("t helpers");
            sent[&me].serialize()
        });
        let deltas = deltas.collect();
        let key = package(&me);
        Self { size, key, received1, received2, deltas, public }
    }

    pub(super) fn refresh(&self) -> Routine<'_> {
        let Size { t, n } = self.size;
        let mut rng = OldRng::new(6);
        Routine::consume(
            || (self.public.clone(), self.key.clone()),
            move |(public, key)| {
                let (secret, package) =
                    refresh_dkg_part1::<C, _>(identifier(2), n, t, &mut rng).expect("a valid size");
                let one: BTreeMap<_, _> = self
                    .received1
                    .iter()
                    .map(|(id, bytes)| {
                        (*id, round1::Package::deserialize(bytes).expect("valid bytes"))
                    })
                    .collect();
                let (secret, sent) = refresh_dkg_part2(secret, &one).expect("honest parties");
                let two: BTreeMap<_, _> = self
                    .received2
                    .iter()
                    .map(|(id, bytes)| {
                        (*id, round2::Package::deserialize(bytes).expect("valid bytes"))
                    })
                    .collect();
                let made = refresh_dkg_shares(&secret, &one, &two, public, key);
                (package, sent, made.expect("honest parties"))
            },
        )
    }

    pub(super) fn repair(&self) -> Routine<'_> {
        let helpers: Vec<_> = (1..=self.size.t).map(identifier).collect();
        let target = identifier(self.size.n);
        let mut rng = OldRng::new(7);
        Routine::repeat(move || {
            let sent = repair_share_part1(&helpers, &self.key, &mut rng, target);
            let deltas = self.deltas.iter();
            let deltas: Vec<_> =
                deltas.map(|one| Delta::deserialize(one).expect("valid bytes")).collect();
            (sent.expect("t helpers"), repair_share_part2::<C>(&deltas))
        })
    }
}
