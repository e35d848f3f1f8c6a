//! The families whose keys are migrated, and the files from which they are migrated.

use quorate_curve::{Curve, Ed448, Ed25519, P256, Ristretto255, Secp256k1};
use quorate_keys::migrate::cggmp24::{Cggmp24, Inherited};
use quorate_keys::migrate::frost::FrostCore;
use quorate_keys::session::wire::Reader;
use quorate_keys::{Family, KeyTypes, PointBytes, SecretShare, SharedKey};
use quorate_testkit::unhex;

/// The keys of one library in one suite or over one curve: lines of a name, a blank, and JSON or hexadecimal digits.
pub struct File(pub &'static str);

impl File {
    pub fn json(&self, name: &str) -> String {
        self.line(&format!("{name}.json")).to_owned()
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        unhex(self.line(&format!("{name}.bin")))
    }

    /// The rest of the line after a name.
    pub fn line(&self, name: &str) -> &'static str {
        let found = self.0.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        found.unwrap_or_else(|| panic!("no {name}"))
    }
}

/// A family with its file.
pub trait Fixture: KeyTypes<Public = SharedKey<Self>, Share = SecretShare<Self>> {
    const FILE: File;
}

macro_rules! family {
    ($name:ident, $curve:ty, $code:literal, $extra:ty, $file:literal, $most:literal) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name;

        impl Fixture for $name {
            const FILE: File = File(include_str!(concat!("fixtures/", $file, ".txt")));
        }

        impl Family for $name {
            type Curve = $curve;
            type Extra = $extra;

            const NAME: &'static str = stringify!($name);
            const CODE: u8 = $code;
            const MAX_PARTIES: usize = $most;

            /// Nothing in these tests reads them again.
            fn put_extra(extra: &$extra, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(format!("{extra:?}").as_bytes());
            }

            fn read_extra(_: &mut Reader<'_>) -> Option<$extra> {
                None
            }

            fn accepts(key: &PointBytes<Self>) -> bool {
                $code != 4 || key.as_ref()[0] == 2
            }
        }

        impl KeyTypes for $name {
            type Public = SharedKey<Self>;
            type Share = SecretShare<Self>;

            fn public(shared: SharedKey<Self>) -> SharedKey<Self> {
                shared
            }

            fn key_share(share: SecretShare<Self>, _: &SharedKey<Self>) -> SecretShare<Self> {
                share
            }
        }
    };
}

macro_rules! frost {
    ($name:ident, $curve:ty, $code:literal, $file:literal, $ciphersuite:literal) => {
        family!($name, $curve, $code, (), $file, 65_535);

        impl FrostCore for $name {
            const CIPHERSUITE: &'static str = $ciphersuite;
        }
    };
}

macro_rules! cggmp {
    ($name:ident, $curve:ty, $code:literal, $file:literal, $there:literal, $most:literal) => {
        family!($name, $curve, $code, Inherited, $file, $most);

        impl Cggmp24 for $name {
            const CURVE: &'static str = $there;

            fn extra(inherited: Inherited) -> Inherited {
                inherited
            }
        }
    };
}

frost!(FrostEd25519, Ed25519, 1, "frost-ed25519", "FROST-ED25519-SHA512-v1");
frost!(FrostRistretto255, Ristretto255, 2, "frost-ristretto255", "FROST-RISTRETTO255-SHA512-v1");
frost!(FrostSecp256k1, Secp256k1, 3, "frost-secp256k1", "FROST-secp256k1-SHA256-v1");
frost!(FrostTaproot, Secp256k1, 4, "frost-secp256k1-tr", "FROST-secp256k1-SHA256-TR-v1");
frost!(FrostP256, P256, 5, "frost-p256", "FROST-P256-SHA256-v1");
frost!(FrostEd448, Ed448, 6, "frost-ed448", "FROST-ED448-SHAKE256-v1");
cggmp!(EcdsaSecp256k1, Secp256k1, 7, "cggmp-secp256k1", "secp256k1", 16);
cggmp!(EcdsaP256, P256, 8, "cggmp-p256", "secp256r1", 16);
cggmp!(Pairs, Secp256k1, 9, "cggmp-secp256k1", "secp256k1", 2);
cggmp!(EcdsaWide, Secp256k1, 10, "cggmp-secp256k1", "secp256k1", 65_535);

/// The encoding of a scalar that is a small number.
pub fn number<C: Curve>(number: u64) -> Vec<u8> {
    C::encode_scalar(&C::Scalar::from(number)).as_ref().to_vec()
}
