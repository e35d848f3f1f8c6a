//! The matrix: all cases, counted.

use quorate::frost::secp256k1_tr::Secp256k1Taproot;

use super::harness::Hostile;
use super::harness::Ledger;
use super::{dkg_fields, envelope, keys, refresh, repair, signing, stored};

fn every_form<S: Hostile>() {
    let mut ledger = Ledger::new::<S>();
    keys::dealer_share::<S>(&mut ledger);
    keys::key_share_file::<S>(&mut ledger);
    keys::public_package_file::<S>(&mut ledger);
    signing::commitments::<S>(&mut ledger);
    signing::signing_package::<S>(&mut ledger);
    signing::signature_share::<S>(&mut ledger);
    signing::signature::<S>(&mut ledger);
    stored::nonce_batch::<S>(&mut ledger);
    stored::published_nonces::<S>(&mut ledger);
    stored::headers::<S>(&mut ledger);
    ledger.assert_counts(&[
        // BIP-340 writes no tag, and with it no sign, in front of R.
        ("aggregated signature", if S::EVEN_Y { 23 } else { 25 }),
        ("commitments", 66),
        ("dealer share", 81),
        ("key-share file", 69),
        ("public key package file", 72),
        ("published nonces", 62),
        ("sealed nonce batch", 72),
        ("signature share", 56),
        ("signing package", 109),
    ]);
}

fn key_generation<S: Hostile>() {
    let mut ledger = Ledger::new::<S>();
    dkg_fields::round_1::<S>(&mut ledger);
    dkg_fields::round_2::<S>(&mut ledger);
    dkg_fields::round_3::<S>(&mut ledger);
    envelope::envelopes::<S>(&mut ledger);
    refresh::fields::<S>(&mut ledger);
    repair::fields::<S>(&mut ledger);
    ledger.assert_counts(&[
        ("DKG confirm", 37),
        ("DKG round 1", 110),
        ("DKG round 2", 46),
        ("refresh confirmation", 11),
        ("refresh deal", 73),
        ("refresh opening key", 13),
        ("repair gift", 12),
        ("repair mask", 62),
        ("repair opening key", 13),
    ]);
}

quorate_testkit::suite_tests!(every_form, key_generation);

#[test]
fn a_changed_taproot_tweak_is_refused() {
    let mut ledger = Ledger::new::<Secp256k1Taproot>();
    stored::tweak(&mut ledger);
    ledger.assert_counts(&[("Taproot tweak", 6)]);
}
