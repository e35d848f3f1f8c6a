//! Taproot keys tweaked by both libraries, each in its own way, sign together.

use frost_secp256k1_tr::Secp256K1Sha256TR;
use frost_secp256k1_tr::keys::Tweak;
use quorate::frost::secp256k1_tr::{Secp256k1Taproot, TaprootInternal, XOnly};

use crate::keys::{Key, Source};
use crate::sessions::sign_mixed;

type InternalKey = Key<TaprootInternal, Secp256K1Sha256TR>;
type OutputKey = Key<Secp256k1Taproot, Secp256K1Sha256TR>;

/// Tweaks a key in both libraries and checks that the keys are the same afterwards.
fn tweaked(key: InternalKey, root: Option<[u8; 32]>) -> OutputKey {
    let Key { ours, our_public, theirs, their_public } = key;
    let key = Key {
        ours: ours.into_iter().map(|share| share.tweak(&our_public, root).unwrap()).collect(),
        our_public: our_public.tweak(root).unwrap(),
        theirs: theirs.into_iter().map(|(id, package)| (id, package.tweak(root))).collect(),
        their_public: their_public.tweak(root),
    };
    // They keep the output key's sign until they sign, we change it at once: compare the x-coordinates.
    let theirs = key.their_public.verifying_key().serialize().unwrap();
    assert_eq!(key.our_public.x_only(), theirs[1..]);
    key
}

/// Enough keys that even and odd ones occur, before the tweak and after it.
const KEYS: u8 = 6;

#[test]
fn tweaked_keys_sign_together() {
    for source in [Source::OurDealer, Source::TheirDealer, Source::OurDkg, Source::TheirDkg] {
        for seed in 0..KEYS {
            for (t, n) in [(2, 3), (3, 5)] {
                sign_mixed(&tweaked(Key::seeded(source, t, n, seed), None));
                sign_mixed(&tweaked(Key::seeded(source, t, n, seed), Some([0x5a; 32])));
            }
        }
    }
}

#[test]
fn untweaked_keys_of_either_sign() {
    for source in [Source::OurDealer, Source::TheirDealer] {
        for seed in 0..KEYS {
            sign_mixed(&Key::<Secp256k1Taproot, Secp256K1Sha256TR>::seeded(source, 2, 3, seed));
        }
    }
}
