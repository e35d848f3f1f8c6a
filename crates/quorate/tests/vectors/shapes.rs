//! Groups of every shape that has to work: from 2 parties to 1000, thresholds low, middle and
//! full, signing sets of t, t + 1 and n, any identifiers.

use std::collections::BTreeSet;

use quorate::frost::generic::{Ciphersuite, DealError, Dealing, DkgParams};
use quorate::frost::{ed25519::Ed25519Sha512, secp256k1::Secp256k1Sha256};
use quorate::{Parties, PartyId};

use crate::data::id;
use crate::group::{Group, rng, sign};

/// `count` of the parties, spread over all of them.
fn spread(ids: &[PartyId], count: usize) -> Vec<PartyId> {
    (0..count).map(|at| ids[at * ids.len() / count]).collect()
}

fn sets_sign<S: Ciphersuite>(group: &Group<S>, threshold: u16) {
    let ids = group.ids();
    let t = usize::from(threshold);
    let sizes = BTreeSet::from([t, (t + 1).min(ids.len()), ids.len()]);
    for size in sizes {
        sign(group, &spread(&ids, size), b"any shape", &mut rng(7));
    }
}

fn thresholds(n: u16) -> BTreeSet<u16> {
    BTreeSet::from([2, (n / 2).max(2), n])
}

fn dealt<S: Ciphersuite>() {
    for n in [2, 3, 10] {
        let parties = Parties::numbered(n).unwrap();
        for threshold in thresholds(n) {
            sets_sign(&Group::<S>::dealt(threshold, &parties, &mut rng(1)), threshold);
        }
    }
}

fn generated<S: Ciphersuite>() {
    for n in [2, 3, 10] {
        let parties = Parties::numbered(n).unwrap();
        for threshold in thresholds(n) {
            let params = DkgParams::new(threshold);
            sets_sign(&Group::<S>::generated(params, &parties, n.into()), threshold);
        }
    }
}

/// The dealer's shares for `n` parties, and signatures of as many signers as `sizes` says.
fn large<S: Ciphersuite>(n: u16, threshold: u16, sizes: &[usize]) {
    let parties = Parties::numbered(n).unwrap();
    let ids: Vec<PartyId> = parties.iter().collect();
    let holders: BTreeSet<PartyId> = sizes.iter().flat_map(|size| spread(&ids, *size)).collect();
    let Dealing { shares, public } = Dealing::<S>::new(threshold, &parties, &mut rng(1)).unwrap();
    assert_eq!(shares.len(), usize::from(n));
    let shares = shares
        .into_iter()
        .filter(|share| holders.contains(&share.id()))
        .map(|share| share.accept(threshold, &public).unwrap())
        .collect();
    let group = Group { shares, public };
    for size in sizes {
        sign(&group, &spread(&ids, *size), b"any shape", &mut rng(9));
    }
}

fn hundred<S: Ciphersuite>() {
    for (threshold, size) in [(2, 2), (50, 51), (100, 100)] {
        large::<S>(100, threshold, &[size]);
    }
}

/// Identifiers are numbers of parties, not places in a list.
fn any_identifiers<S: Ciphersuite>() {
    for (threshold, ids) in
        [(2, vec![1, 65535]), (2, vec![65534, 65535]), (3, vec![1, 7, 300, 65535])]
    {
        let parties = Parties::new(ids.into_iter().map(id)).unwrap();
        sets_sign(&Group::<S>::dealt(threshold, &parties, &mut rng(1)), threshold);
        let params = DkgParams::new(threshold);
        sets_sign(&Group::<S>::generated(params, &parties, 8), threshold);
    }
}

fn impossible<S: Ciphersuite>() {
    let parties = Parties::numbered(3).unwrap();
    for threshold in [0, 1, 4, u16::MAX] {
        assert_eq!(
            Dealing::<S>::new(threshold, &parties, &mut rng(1)).unwrap_err(),
            DealError::BadThreshold { threshold, parties: 3 }
        );
    }
}

quorate_testkit::suite_tests!(dealt, generated, hundred, any_identifiers, impossible);

#[test]
fn thousand_ed25519_low() {
    large::<Ed25519Sha512>(1000, 2, &[2, 3]);
}

#[test]
#[ignore = "long: cargo test --release -p quorate --test vectors -- --ignored thousand"]
fn thousand_ed25519_middle() {
    large::<Ed25519Sha512>(1000, 500, &[500]);
}

#[test]
#[ignore = "long: cargo test --release -p quorate --test vectors -- --ignored thousand"]
fn thousand_ed25519_full() {
    large::<Ed25519Sha512>(1000, 1000, &[1000]);
}

#[test]
fn thousand_secp256k1_low() {
    large::<Secp256k1Sha256>(1000, 2, &[2, 3]);
}

#[test]
#[ignore = "long: cargo test --release -p quorate --test vectors -- --ignored thousand"]
fn thousand_secp256k1_middle() {
    large::<Secp256k1Sha256>(1000, 500, &[500]);
}
