//! No secret is left behind in memory that was freed.
//!
//! Every block that is freed or moved is searched for the secrets of the run. The secrets are known because a run is a
//! function of its seed and the frames: a first run learns them, and a second one is watched.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test stops at the first surprise"
)]
#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::panic,
    reason = "the same"
)]

mod ecdsa;
mod frost;
mod numbers;
mod prf;
mod runs;

use std::sync::{Mutex, MutexGuard, PoisonError};

use quorate_testkit::heap::{Finding, Summary, WatchingAllocator, Watchlist};

#[global_allocator]
static ALLOCATOR: WatchingAllocator = WatchingAllocator;

/// A test that watches several pieces of work, and fails with everything that they leave behind.
struct Report(String, #[allow(dead_code, reason = "held")] MutexGuard<'static, ()>);

impl Default for Report {
    /// Waits for other tests to end, since the blocks that they free are searched as well.
    fn default() -> Self {
        static TURN: Mutex<()> = Mutex::new(());
        Self(String::new(), TURN.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Report {
    fn watch<T>(&mut self, what: &str, list: &Watchlist, work: impl FnOnce() -> T) -> T {
        let (out, found) = list.watch(work);
        if !found.is_empty() {
            self.0.push_str(&format!("\n{what}: {}", Summary(&found)));
        }
        out
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        assert!(self.0.is_empty() || std::thread::panicking(), "{}", self.0);
    }
}

/// The control: a secret that is left behind is found in each of these ways, and a secret that was wiped is not.
#[test]
fn what_is_left_behind_is_found() {
    let _turn = Report::default();
    use quorate::session::zeroize::Zeroizing;
    let secret: Vec<u8> = (1..=64u8).map(|k| k.wrapping_mul(151) ^ 0x5a).collect();
    let words: Vec<u64> =
        secret.as_chunks().0.iter().map(|word| u64::from_be_bytes(*word)).collect();
    let mut list = Watchlist::new();
    list.number("the secret", &secret);
    let found = |work: &dyn Fn()| -> Vec<Finding> { list.watch(work).1 };

    let left: [(&str, &dyn Fn()); 8] = [
        ("bytes", &|| drop(secret.clone())),
        ("bytes at an odd place", &|| drop([&[7; 13], secret.as_slice()].concat())),
        ("the words of the number", &|| drop(words.iter().rev().copied().collect::<Vec<u64>>())),
        ("two words of it", &|| drop(words[2..4].iter().rev().copied().collect::<Vec<u64>>())),
        ("limbs of 52 bits", &|| drop(limbs(&words, 52, 1))),
        ("limbs of 52 bits in lanes", &|| drop(limbs(&words, 52, 8))),
        ("growing", &|| {
            let mut grown = Zeroizing::new(Vec::with_capacity(64));
            grown.extend_from_slice(&secret);
            grown.push(0);
        }),
        ("another thread", &|| {
            std::thread::scope(|s| {
                s.spawn(|| drop(secret.clone()));
            })
        }),
    ];
    for (what, work) in left {
        let found = found(work);
        assert!(!found.is_empty(), "{what}");
        assert!(found.iter().all(|one| one.secret == "the secret" && one.block > 0), "{what}");
    }
    let wiped: [(&str, &dyn Fn()); 3] = [
        ("wiped", &|| drop(Zeroizing::new(secret.clone()))),
        ("one word", &|| drop(words[3..4].to_vec())),
        ("something else", &|| drop(vec![0xa5u8; 64])),
    ];
    for (what, work) in wiped {
        assert!(found(work).is_empty(), "{what}");
    }
}

/// The limbs of a number whose big-endian words these are, in the first of some lanes.
fn limbs(words: &[u64], bits: usize, lanes: usize) -> Vec<u64> {
    let total = 64 * words.len();
    let bit = |at: usize| {
        let word = words.iter().rev().nth(at / 64).copied().unwrap_or(0);
        (word >> (at % 64)) & 1
    };
    let limb = |at: usize| (0..bits).rev().fold(0, |limb, k| limb << 1 | bit(at + k));
    let mut out = vec![0; total.div_ceil(bits) * lanes];
    for (k, place) in out.iter_mut().step_by(lanes).enumerate() {
        *place = limb(k * bits);
    }
    out
}
