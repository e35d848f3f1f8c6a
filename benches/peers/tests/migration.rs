//! The keys that the tests of migration read are what these libraries make, and what is signed with them here
//! verifies there.

use std::fs;
use std::path::Path;

use frost_core::keys::PublicKeyPackage as Theirs;
use quorate::frost::generic::{Ciphersuite, KeyShare, SigningPackage};
use quorate_benches::{MESSAGE, generator};
use quorate_peers::migration::{FOLDER, files};

/// The value of the line with this name in a file.
fn line<'a>(file: &'a str, name: &str) -> &'a str {
    file.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap()
}

#[test]
fn the_files_are_what_the_libraries_make() {
    let made = files();
    for (name, content) in &made {
        let stored = fs::read_to_string(Path::new(FOLDER).join(name).with_extension("txt"));
        assert!(stored.unwrap() == *content, "{name}: run the binary migration");
    }
    assert_eq!(fs::read_dir(FOLDER).unwrap().count(), made.len());
}

/// Two parties with migrated shares sign, and the other library verifies by the package that it has stored.
fn verifies_there<S: Ciphersuite, C: frost_core::Ciphersuite>(name: &str) {
    let file = fs::read_to_string(format!("{FOLDER}/frost-{name}.txt")).unwrap();
    for key in ["dealer0", "dealer1", "dkg0", "dkg1", "sparse", "refreshed"] {
        let package = line(&file, &format!("{key}/public.json"));
        let migrate = |place: u16| {
            let own = line(&file, &format!("{key}/{place}.json"));
            KeyShare::<S>::migrate(own.as_bytes(), package.as_bytes()).unwrap()
        };
        let ((one, public), (three, _)) = (migrate(1), migrate(3));
        let signers = [one, three];
        let (nonces, commitments): (Vec<_>, Vec<_>) =
            signers.iter().map(|share| share.commit(&mut generator(9))).unzip();
        let signing = SigningPackage::new(&public, commitments, MESSAGE).unwrap();
        let sign = |(share, nonces): (&KeyShare<S>, _)| share.sign(&signing, nonces).unwrap();
        let parts: Vec<_> = signers.iter().zip(nonces).map(sign).collect();
        let signature = public.aggregate(&signing, &parts).unwrap();

        let theirs: Theirs<C> = serde_json::from_str(package).unwrap();
        let signature = frost_core::Signature::deserialize(signature.to_bytes().as_ref()).unwrap();
        theirs.verifying_key().verify(MESSAGE, &signature).unwrap();
    }
}

macro_rules! suites {
    ($($test:ident: $ours:ty, $theirs:ty, $name:literal;)*) => {
        $(#[test]
        fn $test() {
            verifies_there::<$ours, $theirs>($name);
        })*
    };
}

use quorate::frost;

suites! {
    ed25519: frost::ed25519::Ed25519Sha512, frost_ed25519::Ed25519Sha512, "ed25519";
    ristretto255: frost::ristretto255::Ristretto255Sha512,
        frost_ristretto255::Ristretto255Sha512, "ristretto255";
    secp256k1: frost::secp256k1::Secp256k1Sha256, frost_secp256k1::Secp256K1Sha256, "secp256k1";
    secp256k1_tr: frost::secp256k1_tr::Secp256k1Taproot,
        frost_secp256k1_tr::Secp256K1Sha256TR, "secp256k1-tr";
    p256: frost::p256::P256Sha256, frost_p256::P256Sha256, "p256";
    ed448: frost::ed448::Ed448Shake256, frost_ed448::Ed448Shake256, "ed448";
}

/// Places in the long form, as older releases wrote them, are read there too.
#[test]
fn their_longer_form_of_places() {
    use cggmp24::IncompleteKeyShare;
    use cggmp24::supported_curves::Secp256k1;
    let file = fs::read_to_string(format!("{FOLDER}/cggmp-secp256k1.txt")).unwrap();
    let json = line(&file, "threshold/1");
    let place = format!("\"{:064x}\"", 3);
    assert!(json.contains(&place));
    let long = json.replace(&place, &format!("{{\"curve\":\"secp256k1\",\"scalar\":{place}}}"));
    let [short, long] = [json, &long]
        .map(|json| serde_json::from_str::<IncompleteKeyShare<Secp256k1>>(json).unwrap());
    assert_eq!(short.vss_setup, long.vss_setup);
    assert!(
        quorate::ecdsa::KeyShare::<quorate::ecdsa::Secp256k1>::migrate(json.as_bytes()).is_ok()
    );
}
