//! The search for a party's primes: steps, progress, saving, resuming elsewhere.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that fails stops"
)]

use quorate_bignum::Engine;
use quorate_cggmp::{AuxSearch, AuxSecrets, AuxStep, DecodeError};
use quorate_paillier::{Error, Level};
use quorate_session::container::ContainerError;
use quorate_testkit::Stuck;

const LEVEL: Level = Level::Bits112;

fn start() -> AuxSearch {
    let mut rng = quorate_testkit::rng(3);
    AuxSecrets::generate(LEVEL, &mut rng).unwrap()
}

/// Runs to the end; `between` sees the search after every step and may replace it.
fn run(budget: u64, mut between: impl FnMut(AuxSearch) -> AuxSearch) -> AuxSecrets {
    let mut search = start();
    loop {
        search = match search.step(budget).unwrap() {
            AuxStep::Searching(search) => between(search),
            AuxStep::Done(secrets) => return secrets,
        };
    }
}

/// Whatever the budget, and however often the search is resumed from its saved state, it finds the same
/// secrets; progress rises.
#[test]
fn saved_and_resumed_it_finds_the_same() {
    let straight = run(u64::MAX, |search| search);
    let (mut last, mut found) = (0.0, [0; 4]);
    let resumed = run(40, |search| {
        let progress = search.progress();
        assert!(progress.fraction >= last && progress.fraction < 1.0, "{progress:?} after {last}");
        last = progress.fraction;
        found[progress.found] += 1;
        let saved = search.save();
        drop(search);
        assert!(saved.len() <= 1024);
        let search = AuxSearch::resume(LEVEL, &saved).unwrap().with_engine(Engine::portable());
        assert_eq!((search.progress(), search.level()), (progress, LEVEL));
        assert_eq!(search.save(), saved);
        AuxSearch::resume(LEVEL, &saved).unwrap()
    });
    assert!(found.iter().filter(|steps| **steps > 0).count() >= 3, "{found:?}");
    assert_eq!(straight.encryption_key(), resumed.encryption_key());
    assert_eq!(straight.pedersen(), resumed.pedersen());
    assert_eq!(straight.level(), LEVEL);
}

#[test]
fn progress_is_told_in_words() {
    let AuxStep::Searching(search) = start().step(3).unwrap() else { panic!("three tests") };
    let text = search.progress().to_string();
    assert!(text.starts_with("prime 1 of 4, ") && text.ends_with(" % done"), "{text}");
    let text = format!("{search:?}");
    assert!(text.starts_with("AuxSearch { progress: ") && text.ends_with(", .. }"), "{text}");
}

#[test]
fn what_was_not_saved_is_refused() {
    let saved = start().save().to_vec();
    let resume = |level, saved: &[u8]| AuxSearch::resume(level, saved).map(|_| ());
    assert_eq!(resume(LEVEL, &saved), Ok(()));
    assert!(matches!(
        resume(Level::Bits128, &saved),
        Err(DecodeError::Container(ContainerError::WrongFamily { .. }))
    ));
    for length in 0..saved.len() {
        assert!(resume(LEVEL, &saved[..length]).is_err());
    }
    for at in 0..saved.len() {
        let mut altered = saved.clone();
        altered[at] ^= 1;
        assert!(resume(LEVEL, &altered).is_err(), "{at}");
    }
}

#[test]
fn a_generator_that_gives_zeros_is_refused() {
    let made = AuxSecrets::generate(LEVEL, &mut Stuck::at(0)).map(|_| ());
    assert_eq!(made, Err(Error::Number(quorate_bignum::Error::Randomness)));
}
