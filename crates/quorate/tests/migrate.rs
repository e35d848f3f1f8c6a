//! Keys of other libraries sign here, under the key that they had there. The files are made by those libraries
//! (`benches/peers`, which also lets them verify what is signed here).
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that fails stops"
)]

use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::{
    Ciphersuite, KeyShare, KeySuite, PublicKeyPackage, Reshare, ReshareParams, ResharePlan,
    SigningPackage,
};
use quorate::frost::secp256k1_tr::{Secp256k1Taproot, TaprootInternal, XOnly};
use quorate::session::sim::Network;
use quorate_testkit::lockstep::sid;
use quorate_testkit::{rng, unhex};

const MESSAGE: &[u8] = b"signed by who moved in";

/// The value of the line with this name in a file of keys.
fn line(file: &'static str, name: &str) -> &'static str {
    file.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap()
}

/// A key of a suite, as its three parties take it.
fn key<S: KeySuite>(file: &'static str, name: &str) -> (PublicKeyPackage<S>, Vec<KeyShare<S>>) {
    let public = unhex(line(file, &format!("{name}/public.bin")));
    let read = |place: u8| {
        let own = line(file, &format!("{name}/{place}.json"));
        KeyShare::<S>::migrate(own.as_bytes(), &public).unwrap()
    };
    let (shares, publics): (Vec<_>, Vec<_>) = (1..=3).map(read).unzip();
    let package = PublicKeyPackage::<S>::migrate(&public, None).unwrap();
    assert!(publics.iter().all(|public| *public == package));
    (package, shares)
}

/// The bytes of a signature by two parties, which is valid.
fn signed<S: Ciphersuite>(public: &PublicKeyPackage<S>, signers: [&KeyShare<S>; 2]) -> Vec<u8> {
    let (nonces, commitments): (Vec<_>, Vec<_>) =
        signers.iter().map(|share| share.commit(&mut rng(5))).unzip();
    let package = SigningPackage::new(public, commitments, MESSAGE).unwrap();
    let parts = signers.iter().zip(nonces).map(|(share, nonces)| share.sign(&package, nonces));
    let parts: Vec<_> = parts.map(Result::unwrap).collect();
    let signature = public.aggregate(&package, &parts).unwrap();
    public.verifying_key().verify(MESSAGE, &signature).unwrap();
    signature.to_bytes().as_ref().to_vec()
}

fn keys_sign<S: Ciphersuite>(file: &'static str) {
    for name in ["dealer0", "dealer1", "dkg0", "dkg1", "sparse"] {
        let (public, shares) = key::<S>(file, name);
        signed(&public, [&shares[0], &shares[2]]);
        let stored = KeyShare::<S>::from_bytes(&shares[1].to_bytes(), &public).unwrap();
        signed(&public, [&stored, &shares[2]]);
    }
}

/// The suites whose keys the frost-* crates have. For any other suite there are no keys to migrate.
macro_rules! suites {
    ($($module:ident: $suite:ty, $name:literal;)*) => {
        $(mod $module {
            pub(super) const FILE: &str =
                include_str!(concat!("../../keys/tests/migrate/fixtures/frost-", $name, ".txt"));

            #[test]
            fn keys_sign() {
                super::keys_sign::<$suite>(FILE);
            }
        })*
    };
}

suites! {
    ed25519: quorate::frost::ed25519::Ed25519Sha512, "ed25519";
    ristretto255: quorate::frost::ristretto255::Ristretto255Sha512, "ristretto255";
    secp256k1: quorate::frost::secp256k1::Secp256k1Sha256, "secp256k1";
    secp256k1_tr: quorate::frost::secp256k1_tr::Secp256k1Taproot, "secp256k1-tr";
    p256: quorate::frost::p256::P256Sha256, "p256";
    ed448: quorate::frost::ed448::Ed448Shake256, "ed448";
}

/// The x-coordinate of the key that stands in a file.
fn theirs(name: &str) -> Vec<u8> {
    let json = line(secp256k1_tr::FILE, &format!("{name}/public.json"));
    let at = json.find("\"verifying_key\":\"").unwrap() + 17;
    unhex(&json[at + 2..at + 66])
}

/// BIP-340 by libsecp256k1.
fn bip340(key: &[u8], signature: &[u8]) {
    let key = ::secp256k1::XOnlyPublicKey::from_byte_array(key.try_into().unwrap()).unwrap();
    let signature = ::secp256k1::schnorr::Signature::from_byte_array(signature.try_into().unwrap());
    ::secp256k1::schnorr::verify(&signature, MESSAGE, &key).unwrap();
}

/// Keys with even and with odd y, output keys and internal keys.
#[test]
fn taproot_keys_sign_as_bip_340() {
    for name in ["dealer0", "sparse", "dkg0", "dkg1"] {
        let (public, shares) = key::<Secp256k1Taproot>(secp256k1_tr::FILE, name);
        bip340(&theirs(name), &signed(&public, [&shares[1], &shares[2]]));
    }
    for name in ["dealer0", "sparse"] {
        let (internal, shares) = key::<TaprootInternal>(secp256k1_tr::FILE, name);
        assert_eq!(internal.x_only().as_slice(), theirs(name));
        for root in [None, Some([0x5a; 32])] {
            let public = internal.tweak(root).unwrap();
            let tweaked = [0, 2].map(|place: usize| shares[place].tweak(&internal, root).unwrap());
            bip340(&public.x_only(), &signed(&public, [&tweaked[0], &tweaked[1]]));
        }
    }
}

/// A refresh by all parties makes the old files useless: the old shares are of another epoch.
#[test]
fn a_refresh_comes_next() {
    let (old, shares) = key::<Ed25519Sha512>(ed25519::FILE, "dkg0");
    let plan = ResharePlan::refresh(old.shared(), old.parties().clone()).unwrap();
    let part = |me| {
        let share = shares.iter().find(|share| share.id() == me).unwrap();
        ReshareParams::dealer(&plan, share.secret_share()).unwrap()
    };
    let report =
        Network::new(1).run::<Reshare<Ed25519Sha512>>(sid(1), old.parties(), part).unwrap();
    let made: Vec<_> = report.results.into_values().map(Result::unwrap).collect();
    let new: Vec<_> = made.iter().map(|made| made.share.as_ref().unwrap()).collect();
    let public = &made[0].public;
    assert_eq!((public.verifying_key(), public.epoch()), (old.verifying_key(), 1));
    signed(public, [new[0], new[2]]);
    let (_, commitments) = shares[0].commit(&mut rng(6));
    let (_, others) = new[1].commit(&mut rng(7));
    assert!(SigningPackage::new(public, [commitments, others], MESSAGE).is_err());
}
