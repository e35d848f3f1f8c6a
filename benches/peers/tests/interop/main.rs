//! Signing sessions in which some signers use Quorate and the others the frost-* 3.0 crates, and both
//! coordinators aggregate. Keys come from either library's dealer and from its key generation.

mod keys;
mod sessions;
mod taproot;

/// The tests for one suite: the module, our suite, theirs.
macro_rules! suite {
    ($name:ident, $ours:ty, $theirs:ty) => {
        mod $name {
            use crate::keys::{Key, Source};
            use crate::sessions::{forged_share, lone_signature, sign_mixed};

            #[test]
            fn mixed_signers_with_keys_from_our_dealer() {
                for (t, n) in [(2, 3), (3, 5)] {
                    sign_mixed(&Key::<$ours, $theirs>::new(Source::OurDealer, t, n));
                }
            }

            #[test]
            fn mixed_signers_with_keys_from_their_dealer() {
                for (t, n) in [(2, 3), (3, 5)] {
                    sign_mixed(&Key::<$ours, $theirs>::new(Source::TheirDealer, t, n));
                }
            }

            #[test]
            fn mixed_signers_with_keys_from_our_key_generation() {
                for (t, n) in [(2, 3), (3, 5)] {
                    sign_mixed(&Key::<$ours, $theirs>::new(Source::OurDkg, t, n));
                }
            }

            #[test]
            fn mixed_signers_with_keys_from_their_key_generation() {
                for (t, n) in [(2, 3), (3, 5)] {
                    sign_mixed(&Key::<$ours, $theirs>::new(Source::TheirDkg, t, n));
                }
            }

            #[test]
            fn both_coordinators_name_the_same_cheater() {
                forged_share(&Key::<$ours, $theirs>::new(Source::OurDealer, 3, 5));
            }

            #[test]
            fn their_lone_signer() {
                lone_signature::<$ours, $theirs>();
            }
        }
    };
}

suite!(ed25519, quorate::frost::ed25519::Ed25519Sha512, frost_ed25519::Ed25519Sha512);
suite!(
    ristretto255,
    quorate::frost::ristretto255::Ristretto255Sha512,
    frost_ristretto255::Ristretto255Sha512
);
suite!(ed448, quorate::frost::ed448::Ed448Shake256, frost_ed448::Ed448Shake256);
suite!(p256, quorate::frost::p256::P256Sha256, frost_p256::P256Sha256);
suite!(secp256k1, quorate::frost::secp256k1::Secp256k1Sha256, frost_secp256k1::Secp256K1Sha256);
suite!(
    secp256k1_tr,
    quorate::frost::secp256k1_tr::Secp256k1Taproot,
    frost_secp256k1_tr::Secp256K1Sha256TR
);
