//! Signatures of groups that a dealer or the parties themselves made, put before verifiers that
//! share nothing with the library.

use quorate::frost::generic::{DkgParams, Signature};
use quorate::{Parties, PartyId};

use crate::data::id;
use crate::group::{Group, rng, sign};
use crate::outside::Outside;

/// All sets of at least `threshold` of the parties.
fn sets(ids: &[PartyId], threshold: usize) -> Vec<Vec<PartyId>> {
    let sets = (0u32..1 << ids.len()).filter(|set| set.count_ones() as usize >= threshold);
    let chosen = |set: u32| {
        ids.iter().enumerate().filter(move |(at, _)| set & (1 << at) != 0).map(|(_, id)| *id)
    };
    sets.map(|set| chosen(set).collect()).collect()
}

fn all_sets_sign<S: Outside>(group: &Group<S>, threshold: usize) {
    let key = group.public.verifying_key().as_bytes().as_ref();
    for (at, signers) in sets(&group.ids(), threshold).into_iter().enumerate() {
        let message = vec![0x5a; at * 7];
        let signature = sign(group, &signers, &message, &mut rng(at as u8)).to_bytes();
        let signature = signature.as_ref();
        assert!(S::holds(key, &message, signature), "{signers:?}");
        assert!(!S::holds(key, &[message.as_slice(), b"!"].concat(), signature));
        altered_is_refused::<S>(key, &message, signature);
    }
}

/// Altered signatures are refused by the outsider, and here.
fn altered_is_refused<S: Outside>(key: &[u8], message: &[u8], signature: &[u8]) {
    let ours = quorate::frost::generic::VerifyingKey::<S>::from_bytes(key).unwrap();
    for at in [0, 1, signature.len() / 2, signature.len() - 2, signature.len() - 1] {
        let mut bytes = signature.to_vec();
        bytes[at] ^= 1;
        assert!(!S::holds(key, message, &bytes));
        let parsed = Signature::<S>::from_bytes(&bytes);
        assert!(parsed.is_err() || ours.verify(message, &parsed.unwrap()).is_err());
    }
    for wrong in [&signature[1..], &signature[..signature.len() - 1], &[signature, &[0]].concat()] {
        assert!(Signature::<S>::from_bytes(wrong).is_err());
    }
}

fn shapes() -> [(u16, Parties); 2] {
    let spread = Parties::new([1, 7, 300, 256, 65535].map(id)).unwrap();
    [(2, Parties::numbered(3).unwrap()), (3, spread)]
}

fn dealt<S: Outside>() {
    for (threshold, parties) in shapes() {
        all_sets_sign(&Group::<S>::dealt(threshold, &parties, &mut rng(1)), threshold.into());
    }
}

fn generated<S: Outside>() {
    for (threshold, parties) in shapes() {
        let group = Group::<S>::generated(DkgParams::new(threshold), &parties, 4);
        all_sets_sign(&group, threshold.into());
    }
}

quorate_testkit::suite_tests!(dealt, generated);

/// Internal keys of Taproot, dealt and generated, sign once they are tweaked.
#[test]
fn tweaked_internal_keys() {
    use quorate::frost::secp256k1_tr::TaprootInternal;
    for (threshold, parties) in shapes() {
        let dealt = Group::<TaprootInternal>::dealt(threshold, &parties, &mut rng(1));
        let params = DkgParams::new(threshold);
        let generated = Group::<TaprootInternal>::generated(params, &parties, 4);
        for group in [dealt, generated] {
            let tweaked = crate::bip341::tweaked(&group, Some([3; 32]));
            all_sets_sign(&tweaked, threshold.into());
        }
    }
}

/// Suites do not take each other's forms, even over one curve.
#[test]
fn forms_name_their_suite() {
    use quorate::frost::generic::{DecodeError, KeyShare, KeySuite, PublicKeyPackage};
    use quorate::frost::secp256k1::Secp256k1Sha256 as Plain;
    use quorate::frost::secp256k1_tr::Secp256k1Taproot as Taproot;
    use quorate::session::container::ContainerError;
    assert_ne!(Plain::CODE, Taproot::CODE);
    let group = Group::<Plain>::dealt(2, &Parties::numbered(2).unwrap(), &mut rng(1));
    let other = Group::<Taproot>::dealt(2, &Parties::numbered(2).unwrap(), &mut rng(1));
    let share = KeyShare::<Taproot>::from_bytes(&group.shares[0].to_bytes(), &other.public);
    let error = DecodeError::Container(ContainerError::WrongFamily {
        expected: Taproot::CONTEXT,
        got: Plain::CODE,
    });

    assert_eq!(share.unwrap_err(), error);
    let public = PublicKeyPackage::<Taproot>::from_bytes(&group.public.to_bytes());
    assert_eq!(public.unwrap_err(), error);
}
