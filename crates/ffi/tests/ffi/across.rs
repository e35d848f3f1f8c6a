//! What another language has sealed.

use quorate_ffi::{KeyShare, SealKey, ShareState};

/// The shares that JavaScript has made: `across/run.sh`.
#[test]
#[ignore = "crates/ffi/across/run.sh"]
fn across_languages_shares_open() {
    let folder = std::env::var("QUORATE_ACROSS").unwrap();
    let read = |name: &str| std::fs::read(format!("{folder}/{name}")).unwrap();
    let key = SealKey::new(&read("seal.key")).unwrap();
    for scheme in ["frost-ed25519", "ecdsa-secp256k1"] {
        for me in 1..=3 {
            let sealed = read(&format!("{scheme}-{me}.share"));
            let share = KeyShare::open(sealed, std::sync::Arc::clone(&key)).unwrap();
            assert_eq!((share.id().unwrap(), share.state().unwrap()), (me, ShareState::Ready));
            let public = share.public().unwrap();
            assert_eq!(public.verifying_key().unwrap(), read(&format!("{scheme}.key")));
            assert_eq!((public.epoch().unwrap(), public.parties().unwrap()), (0, vec![1, 2, 3]));
        }
    }
}
