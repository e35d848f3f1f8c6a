//! Migration of keys that other libraries made. Those libraries make the files, in the binary `migration` of
//! `benches/peers`.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]

mod cggmp;
mod families;
mod frost;
mod hostile;
mod text;

use std::collections::BTreeSet;

use quorate_curve::Curve;
use quorate_keys::migrate::{MigrateError, Migrated};
use quorate_keys::{ShareState, SharedKey};
use quorate_sharing::lagrange;

use families::Fixture;

/// Checks that these are ready shares of one key in epoch 0. Enough of them make the key, and fewer do not.
fn one_key<F: Fixture>(parts: &[Migrated<F>], threshold: u16) -> SharedKey<F> {
    let public = &parts[0].public;
    assert_eq!((public.epoch(), public.threshold()), (0, threshold));
    assert_eq!(public.parties().len(), parts.len());
    for part in parts {
        assert_eq!(part.public.package_id(), public.package_id());
        part.share.check_belongs_to(public).unwrap();
        assert_eq!(part.share.state(), ShareState::Ready);
    }
    for leave_out in 0..=parts.len() {
        let mut chosen: Vec<_> = parts.iter().map(|part| &part.share).collect();
        if leave_out < parts.len() {
            chosen.remove(leave_out);
        }
        let ids: Vec<_> = chosen.iter().map(|share| share.id()).collect();
        let values: Vec<_> = chosen.iter().map(|share| *share.secret().expose()).collect();
        let secret = lagrange::interpolate_at_zero::<F::Curve>(&ids, &values).unwrap();
        let is_it = F::Curve::mul_base(secret.expose()) == *public.key();
        assert_eq!(is_it, chosen.len() >= usize::from(threshold));
    }
    public.clone()
}

/// Returns whether both are the same share of the same key.
fn same<F: Fixture>(one: &Migrated<F>, other: &Migrated<F>) -> bool {
    one.public == other.public && *one.share.to_bytes() == *other.share.to_bytes()
}

/// No two errors have the same text, and none is empty.
#[test]
fn errors_say_what_is_wrong() {
    let errors = [
        MigrateError::Truncated,
        MigrateError::TrailingBytes,
        MigrateError::Syntax { at: 3 },
        MigrateError::UnknownField { at: 3 },
        MigrateError::RepeatedField("x"),
        MigrateError::MissingField("x"),
        MigrateError::UnknownVersion(1),
        MigrateError::WrongSuite { expected: "secp256k1" },
        MigrateError::BadNumber("i"),
        MigrateError::BadScalar("x"),
        MigrateError::BadPoint("x"),
        MigrateError::BadChainCode,
        MigrateError::BadIdentifier,
        MigrateError::NoSuchIndex(3),
        MigrateError::Count { shares: 3, places: 2 },
        MigrateError::NoThreshold,
        MigrateError::Threshold { public: 2, other: 3 },
        MigrateError::WrongShares,
        MigrateError::OtherKey,
        MigrateError::OtherShare,
        MigrateError::WrongSecret,
    ];
    let texts: BTreeSet<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), errors.len());
    assert!(texts.iter().all(|text| text.len() > 15));
}
