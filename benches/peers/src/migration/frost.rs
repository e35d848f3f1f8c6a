//! Key packages of the frost-* crates.

use std::collections::BTreeMap;

use frost_core::keys::{
    IdentifierList, KeyPackage, PublicKeyPackage, SecretShare, dkg, generate_with_dealer, refresh,
};
use frost_core::{Ciphersuite, Identifier};

use super::Lines;
use crate::OldRng;

type Packages<C> = (BTreeMap<Identifier<C>, KeyPackage<C>>, PublicKeyPackage<C>);

/// How many keys of each source: two, of which Taproot's have odd and even y.
const KEYS: u8 = 2;

/// Keys of 2 of 3, from the dealer and from the key generation.
pub(super) fn file<C: Ciphersuite>() -> String {
    let mut lines = Lines::new("the frost-* crates 3.0");
    let all = numbers([1, 2, 3]);
    for key in 0..KEYS {
        stored(&mut lines, &format!("dealer{key}"), &dealt::<C>(&all, 60 + key));
        stored(&mut lines, &format!("dkg{key}"), &key_generation::<C>(2, 3, 62 + key));
    }
    stored(&mut lines, "sparse", &dealt::<C>(&numbers([2, 300, 65_535]), 64));
    let old = dealt::<C>(&all, 60);
    stored(&mut lines, "refreshed", &refreshed(&old, &all));
    let words = ["alice", "bob", "carol"];
    let derived = words.map(|word| Identifier::derive(word.as_bytes()).expect("a hash"));
    stored(&mut lines, "derived", &dealt::<C>(&derived, 66));
    lines.0
}

fn numbers<C: Ciphersuite>(numbers: [u16; 3]) -> [Identifier<C>; 3] {
    numbers.map(|number| number.try_into().expect("not zero"))
}

fn dealt<C: Ciphersuite>(ids: &[Identifier<C>], seed: u8) -> Packages<C> {
    let rng = &mut OldRng::new(seed);
    let ids = IdentifierList::Custom(ids);
    let (shares, public) = generate_with_dealer::<C, _>(3, 2, ids, rng).expect("a valid size");
    (shares.into_iter().map(|(id, share)| (id, package(share))).collect(), public)
}

fn package<C: Ciphersuite>(share: SecretShare<C>) -> KeyPackage<C> {
    share.try_into().expect("an honest dealer")
}

/// The shares of the same key after a refresh.
fn refreshed<C: Ciphersuite>(
    (packages, public): &Packages<C>,
    ids: &[Identifier<C>],
) -> Packages<C> {
    let rng = &mut OldRng::new(65);
    let (zeros, new) =
        refresh::compute_refreshing_shares(public.clone(), ids, rng).expect("the same parties");
    let share = |zero: SecretShare<C>| {
        let id = *zero.identifier();
        (id, refresh::refresh_share(zero, &packages[&id]).expect("an honest dealer"))
    };
    (zeros.into_iter().map(share).collect(), new)
}

/// Runs their key generation to the end, everybody honest.
///
/// # Panics
/// If `t` of `n` is not a size that it takes.
pub fn key_generation<C: Ciphersuite>(t: u16, n: u16, seed: u8) -> Packages<C> {
    const HONEST: &str = "honest parties";
    let mut rng = OldRng::new(seed);
    let (mut secrets1, mut packages1) = (BTreeMap::new(), BTreeMap::new());
    for id in (1..=n).map(|number| number.try_into().expect("not zero")) {
        let (secret, package) = dkg::part1::<C, _>(id, n, t, &mut rng).expect("a valid size");
        secrets1.insert(id, secret);
        packages1.insert(id, package);
    }
    let others1 =
        |me| packages1.clone().into_iter().filter(|(id, _)| *id != me).collect::<BTreeMap<_, _>>();
    let (mut secrets2, mut packages2) = (BTreeMap::new(), BTreeMap::new());
    for (id, secret) in secrets1 {
        let (secret, sent) = dkg::part2(secret, &others1(id)).expect(HONEST);
        secrets2.insert(id, secret);
        packages2.insert(id, sent);
    }
    let mut made = BTreeMap::new();
    let mut public = None;
    for (id, secret) in secrets2 {
        let received = packages2
            .iter()
            .filter(|(from, _)| **from != id)
            .map(|(from, sent)| (*from, sent[&id].clone()));
        let (package, all) = dkg::part3(&secret, &others1(id), &received.collect()).expect(HONEST);
        made.insert(id, package);
        public = Some(all);
    }
    (made, public.expect("at least two parties"))
}

/// Every package in both forms, and the public one as frost-core 2 has it: without the threshold.
fn stored<C: Ciphersuite>(lines: &mut Lines, name: &str, (packages, public): &Packages<C>) {
    const STORED: &str = "a key";
    let old =
        PublicKeyPackage::new(public.verifying_shares().clone(), *public.verifying_key(), None);
    for (part, public) in [("public", public), ("public2", &old)] {
        lines.bytes(&format!("{name}/{part}.bin"), &public.serialize().expect(STORED));
        lines.json(&format!("{name}/{part}.json"), public);
    }
    for (place, package) in (1..).zip(packages.values()) {
        lines.bytes(&format!("{name}/{place}.bin"), &package.serialize().expect(STORED));
        lines.json(&format!("{name}/{place}.json"), package);
    }
}
