//! The keys sign: by BIP-445, by the rest of this crate, and as another library verifies.

use quorate_frost::KeyShare;

use super::*;
use crate::{Secp256k1Taproot, Signature, SigningPackage};

const TEXT: &[u8] = b"from whoever was there";

/// Checks that another library accepts a signature.
fn verified_elsewhere(key: &[u8], signature: &[u8]) {
    let key = k256::schnorr::VerifyingKey::from_slice(key).unwrap();
    let signature = k256::schnorr::Signature::from_slice(signature).unwrap();
    key.verify_raw(TEXT, &signature).unwrap();
}

#[test]
fn keys_sign_by_this_crate() {
    for (seed, (threshold, count)) in (70..).zip([(2, 2), (2, 3), (3, 3), (3, 5)]) {
        let run = Run::new(threshold, count, seed);
        let public = run.public.package();
        let signers = &run.outputs[usize::from(count) - usize::from(threshold)..];
        let made = signers.iter().map(|output| output.share.commit(&mut rng(1)));
        let (nonces, commitments): (Vec<_>, Vec<_>) = made.unzip();
        let package = SigningPackage::new(public, commitments, TEXT).unwrap();
        let shares: Vec<_> = signers
            .iter()
            .zip(nonces)
            .map(|(output, nonces)| output.share.sign(&package, nonces).unwrap())
            .collect();
        let signature = public.aggregate(&package, &shares).unwrap();
        verified_elsewhere(&public.verifying_key().as_bytes()[1..], &signature.to_bytes());
    }
}

#[cfg(feature = "bip445-draft")]
mod bip445 {
    use super::*;
    use crate::bip445::{AggregateNonce, NonceInputs, SecretNonce, Session, Signers, Tweak};

    /// A signature of these shares, for a list of signers and tweaks.
    fn signed(
        signers: &Signers,
        shares: &[&KeyShare<Secp256k1Taproot>],
        tweaks: &[Tweak],
    ) -> ([u8; 32], [u8; 64]) {
        let draw = |share: &&KeyShare<Secp256k1Taproot>| {
            let seed = u8::try_from(share.id().get()).unwrap();
            SecretNonce::generate(share, NonceInputs::default(), &mut rng(seed))
        };
        let nonces: Vec<_> = shares.iter().map(draw).collect();
        let sent: Vec<_> = nonces.iter().map(|nonce| *nonce.public()).collect();
        let sum = AggregateNonce::sum(&sent).unwrap();
        let session = Session::new(signers, &sum, tweaks, TEXT).unwrap();
        let mut parts = Vec::new();
        for (at, (share, nonce)) in shares.iter().zip(nonces).enumerate() {
            let part = session.sign(share, nonce).unwrap();
            session.verify_share(&part, &sent, at).unwrap();
            parts.push(part);
        }
        let key = session.key().x_only().try_into().unwrap();
        (key, session.aggregate(&parts).unwrap())
    }

    #[test]
    fn keys_sign_by_bip_445() {
        for (seed, (threshold, count)) in (80..).zip([(2, 2), (2, 3), (3, 3), (3, 5)]) {
            let run = Run::new(threshold, count, seed);
            let public = run.public.package();
            let all: Vec<_> = run.outputs.iter().map(|output| &output.share).collect();
            for shares in [
                &all[..usize::from(threshold)],
                &all[..],
                &all[all.len() - usize::from(threshold)..],
            ] {
                let signers = Signers::of(public, shares.iter().map(|share| share.id())).unwrap();
                let (key, signature) = signed(&signers, shares, &[]);
                assert_eq!(key, public.verifying_key().as_bytes()[1..]);
                verified_elsewhere(&key, &signature);
                let signature = Signature::from_bytes(&signature).unwrap();
                public.verifying_key().verify(TEXT, &signature).unwrap();
            }
        }
    }

    #[test]
    fn keys_sign_as_the_draft_gives_them_out() {
        // Plain tweaks depend on the sign of the key, which another implementation has as it came out.
        let (mut odd, mut even) = (false, false);
        for seed in 90..110 {
            let run = Run::new(2, 3, seed);
            let public = &run.public;
            let shares = [&run.outputs[0].share, &run.outputs[2].share];
            let signers = Signers::of(public.package(), shares.map(|share| share.id())).unwrap();
            let signers = signers.for_key(public.threshold_key()).unwrap();
            let t = Scalar::from(1234);
            let tweak = Tweak::plain(Secp256k1::encode_scalar(&t));
            let point = Secp256k1::decode_point(public.threshold_key()).unwrap();
            let child = Secp256k1::encode_point(&(point + Secp256k1::mul_base(&t)));
            let (key, signature) = signed(&signers, &shares, &[tweak]);
            assert_eq!(key, child[1..]);
            verified_elsewhere(&child[1..], &signature);
            odd |= public.threshold_key()[0] == 3;
            even |= public.threshold_key()[0] == 2;
        }
        assert!(odd && even);
    }
}

#[test]
fn the_key_commits_to_no_script() {
    use crate::chilldkg::messages::Sums;
    use crate::chilldkg::wire::sum_of;
    use sha2::{Digest, Sha256};
    let started = Started::new(2, 3, 71);
    let (_, sums) = started.coordinate();
    let sums = Sums::read(&sums, &started.params).unwrap();
    let internal = sum_of(&sums.constants);
    let tag = Sha256::digest("TapTweak");
    let x = &Secp256k1::encode_point(&internal)[1..];
    let tweak = Sha256::new().chain_update(tag).chain_update(tag).chain_update(x).finalize();
    let tweak = Secp256k1::decode_scalar(&tweak).unwrap();
    // The draft adds the tweak to the key as it is, not to the one with an even y-coordinate.
    let key = Secp256k1::encode_point(&(internal + Secp256k1::mul_base(&tweak)));
    assert_eq!(Run::new(2, 3, 71).public.threshold_key(), &key);
}

#[test]
fn shares_are_of_the_places_from_one() {
    let run = Run::new(2, 3, 72);
    let secret = |at: usize| *run.outputs[at].share.secret_share().secret().expose();
    // f(1) − 2·f(2) + f(3) = 0, and f(0) = 2·f(1) − f(2).
    let flat = secret(0) + secret(2) - secret(1) - secret(1);
    assert!(flat == Scalar::default());
    let key = Secp256k1::mul_base(&(secret(0) + secret(0) - secret(1)));
    let key = Secp256k1::encode_point(&key);
    assert_eq!(&key, run.public.package().verifying_key().as_bytes());
    for (at, output) in run.outputs.iter().enumerate() {
        assert_eq!(output.share.id(), party(u16::try_from(at).unwrap() + 1));
    }
}
