//! The searches.

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use chacha20::ChaCha20Rng;
use rand_core::{CryptoRng, SeedableRng};
use zeroize::{Zeroize, Zeroizing};

use super::candidate::Candidate;
use super::family::Family;
use super::primality::{LENGTHS, two};
use super::sieve::Sieve;
use crate::engine::Engine;
use crate::error::Error;
use crate::number::limbs::Words;
use crate::number::random;
use crate::number::secret_natural::SecretNatural;

/// The rounds of the strong test to random bases, besides the one to base 2. The candidate comes from our own
/// generator and no attacker chose it, so a few rounds are plenty.
const ROUNDS: usize = 7;
/// The first byte of a saved search.
const VERSION: u8 = 1;

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchProgress {
    /// Candidates tested since the last prime.
    pub tests: u64,
    /// The number of tests that a prime takes on average, by the density of primes among numbers without small
    /// factors. The number that a search really takes is distributed exponentially: one search in twenty takes
    /// three times as many.
    pub expected: f64,
}

struct Search {
    family: Family,
    bits: u32,
    engine: Engine,
    seed: Zeroizing<[u8; 32]>,
    sieve: Option<Sieve>,
    /// Counts the windows; each is a random place of its own.
    window: u64,
    /// The places before this one in the window are done.
    skip: u32,
    open: Option<Window>,
    tests: u64,
}

/// A window at work.
struct Window {
    start: Words,
    places: Zeroizing<Vec<u32>>,
    /// The next place whose first candidate will be tested.
    next: usize,
    /// Places whose first candidate passed, rising. They go before all others, so that the first place of a window at
    /// which everything passes is found first, however many tests are made at once.
    waiting: VecDeque<u32>,
}

impl Drop for Window {
    fn drop(&mut self) {
        self.waiting.make_contiguous().zeroize();
    }
}

/// One test: the place, whether it is the second candidate of the place, the number.
type Task = (u32, bool, Words);

impl Search {
    fn new(
        family: Family,
        bits: u32,
        engine: &Engine,
        seed: Zeroizing<[u8; 32]>,
    ) -> Result<Self, Error> {
        if !LENGTHS.contains(&bits) {
            return Err(Error::Unsupported);
        }
        Ok(Self {
            family,
            bits,
            engine: *engine,
            seed,
            sieve: None,
            window: 0,
            skip: 0,
            open: None,
            tests: 0,
        })
    }

    /// Random numbers for a purpose of this window: 0 for its start, 1 for bases.
    fn rng(&self, purpose: u64) -> ChaCha20Rng {
        let mut rng = ChaCha20Rng::from_seed(*self.seed);
        rng.set_stream(self.window << 1 | purpose);
        rng
    }

    /// A random start: the first `k` whose prime is at least a random number of `bits` bits with the top two set.
    fn start(&self) -> Words {
        let mut x = random::bits(&mut self.rng(0), self.bits);
        for bit in [self.bits - 1, self.bits - 2] {
            if let Some(word) = x.get_mut((bit >> 6) as usize) {
                *word |= 1 << (bit & 63);
            }
        }
        self.family.divide(&mut x);
        // The quotient is shorter than its words by two bits or more: nothing carries out.
        let _carry = crate::number::limbs::add_assign(&mut x, &[1]);
        x
    }

    fn open(&mut self) -> &mut Window {
        let start = self.start();
        let (bound, window) = self.family.tuning(self.bits);
        let sieve = self
            .sieve
            .get_or_insert_with(|| Sieve::new(self.family, bound, window, self.bits.div_ceil(64)));
        let mut places = sieve.survivors(&start);
        places.retain(|&place| place >= self.skip);
        self.open.insert(Window { start, places, next: 0, waiting: VecDeque::new() })
    }

    /// Leaves the window for the next.
    fn close(&mut self) {
        self.open = None;
        self.skip = 0;
        self.window += 1;
    }

    /// The next tests, in the order that makes the result independent of how many there are.
    fn tasks(&mut self, count: usize) -> Vec<Task> {
        let (family, bits) = (self.family, self.bits);
        if self.open.is_none() {
            self.open();
        }
        let Some(window) = &mut self.open else { return Vec::new() };
        let mut out = Vec::new();
        while out.len() < count {
            if let Some(place) = window.waiting.pop_front() {
                out.extend(
                    family.candidate(&window.start, place, true, bits).map(|n| (place, true, n)),
                );
                continue;
            }
            let Some(&place) = window.places.get(window.next) else { break };
            window.next += 1;
            // A place past the last number of this length ends the window.
            match family.candidate(&window.start, place, true, bits) {
                None => window.next = window.places.len(),
                Some(n) if family == Family::Blum => out.push((place, true, n)),
                Some(_) => out.extend(
                    family.candidate(&window.start, place, false, bits).map(|n| (place, false, n)),
                ),
            }
        }
        out
    }

    fn step(&mut self, budget: u64) -> Result<Option<SecretNatural>, Error> {
        // Before a candidate is taken: those that an engine fails on would be left out.
        if !self.engine.is_ready() {
            return Err(Error::NoValue);
        }
        let mut left = usize::try_from(budget).unwrap_or(usize::MAX);
        while left > 0 {
            let tasks = self.tasks(left.min(self.engine.fermat_lanes()));
            if tasks.is_empty() {
                self.close();
                continue;
            }
            left -= tasks.len();
            self.tests += tasks.len() as u64;
            let numbers: Vec<Words> = tasks.iter().map(|(_, _, n)| n.clone()).collect();
            let passed = self.engine.fermat(self.bits, &numbers);
            for ((place, last, _), _) in tasks.iter().zip(passed).filter(|&(_, passed)| passed) {
                if !last {
                    if let Some(window) = &mut self.open {
                        window.waiting.push_back(*place);
                    }
                } else if let Some(prime) = self.confirm(*place)? {
                    self.close();
                    self.tests = 0;
                    return Ok(Some(prime));
                }
            }
        }
        Ok(None)
    }

    /// The prime at a place all of whose candidates passed Fermat's test to base 2, if it is one.
    ///
    /// The number proved is the place's first candidate. For a safe prime that is `q`, and `p = 2 q + 1` follows by
    /// Pocklington's theorem: let `r` be a prime factor of `p`. Since `2^(p-1) = 1 mod p` and
    /// `gcd(2^((p-1)/q) - 1, p) = gcd(3, p) = 1`, the order of 2 modulo `r` divides `p - 1 = 2 q` and not 2, so it is a
    /// multiple of the prime `q`. It divides `r - 1`, hence `r > q`, and `r^2 > p`. So the smallest prime factor of `p`
    /// is `p` itself.
    fn confirm(&self, place: u32) -> Result<Option<SecretNatural>, Error> {
        let Some(window) = &self.open else { return Ok(None) };
        let number = |last| self.family.candidate(&window.start, place, last, self.bits);
        let (Some(first), Some(last)) = (number(self.family == Family::Blum), number(true)) else {
            return Ok(None);
        };
        let bits = if self.family == Family::Blum { self.bits } else { self.bits - 1 };
        let mut candidate = Candidate::new(&SecretNatural::from_words(&first, bits))?;
        let mut rng = self.rng(1);
        let mut bases = vec![two()];
        bases.extend((0..ROUNDS).map(|_| candidate.random_base(&mut rng)));
        let prime = candidate.is_strong(&self.engine, &bases, self.family.twos())
            && candidate.is_strong_lucas();
        Ok(prime.then(|| SecretNatural::from_words(&last, self.bits)))
    }

    fn progress(&self) -> SearchProgress {
        SearchProgress { tests: self.tests, expected: self.family.expected_tests(self.bits) }
    }

    fn save(&self) -> Zeroizing<Vec<u8>> {
        let place = self.open.as_ref().map_or(self.skip, |window| {
            let next = window.waiting.front().or(window.places.get(window.next));
            next.copied().unwrap_or(u32::MAX)
        });
        let mut out = Zeroizing::new(Vec::with_capacity(64));
        out.extend([VERSION, self.family as u8]);
        out.extend(self.bits.to_be_bytes());
        out.extend(self.window.to_be_bytes());
        out.extend(place.to_be_bytes());
        out.extend(self.tests.to_be_bytes());
        out.extend(*self.seed);
        out
    }

    fn resume(family: Family, engine: &Engine, saved: &[u8]) -> Result<Self, Error> {
        let rest = saved.strip_prefix(&[VERSION, family as u8]).ok_or(Error::Encoding)?;
        let (&bits, rest) = rest.split_first_chunk().ok_or(Error::Encoding)?;
        let (&window, rest) = rest.split_first_chunk().ok_or(Error::Encoding)?;
        let (&skip, rest) = rest.split_first_chunk().ok_or(Error::Encoding)?;
        let (&tests, rest) = rest.split_first_chunk().ok_or(Error::Encoding)?;
        let seed = Zeroizing::new(<[u8; 32]>::try_from(rest).map_err(|_| Error::Encoding)?);
        let window = u64::from_be_bytes(window);
        if window >> 62 != 0 {
            return Err(Error::Encoding);
        }
        let fresh = Self::new(family, u32::from_be_bytes(bits), engine, seed)?;
        Ok(Self {
            window,
            skip: u32::from_be_bytes(skip),
            tests: u64::from_be_bytes(tests),
            ..fresh
        })
    }
}

/// The public face of a search, the same for both families.
macro_rules! search {
    ($(#[$doc:meta])* $name:ident, $family:ident) => {
        $(#[$doc])*
        ///
        /// A search is an object that is stepped: keep it to go on, drop it to cancel, [`save`](Self::save) it to go on
        /// elsewhere. Which primes come out, and in which order, is a function of seed and length; no engine and no
        /// budget changes it. After a prime the same object searches for the next, from a random start of its own, so
        /// that nothing ties two primes of one search together; the table of small primes is made once.
        ///
        /// A prime has exactly the length asked for and its two top bits set: the product of two has exactly twice the
        /// length.
        ///
        /// **The sieve's addresses depend on the secret start**, and so on the prime. A program that shares a
        /// cache with the search may learn residues of it. The tests take constant time, except with the engine
        /// over GMP, which is for comparison. The total time shows how many places around the random start had
        /// small factors, and how many candidates were tested before the prime.
        pub struct $name(Search);

        impl $name {
            /// A search for primes of `bits` bits, from 64 to 3456, with a seed from `rng`.
            ///
            /// # Errors
            /// [`Error::Unsupported`] for other lengths.
            pub fn new(bits: u32, engine: &Engine, rng: &mut (impl CryptoRng + ?Sized)) -> Result<Self, Error> {
                let mut seed = Zeroizing::new([0; 32]);
                rng.fill_bytes(&mut *seed);
                Search::new(Family::$family, bits, engine, seed).map(Self)
            }

            /// Begins the search from a given seed, which must be secret, uniform, and used for nothing else.
            ///
            /// # Errors
            /// [`Error::Unsupported`] for other lengths.
            pub fn from_seed(bits: u32, engine: &Engine, seed: Zeroizing<[u8; 32]>) -> Result<Self, Error> {
                Search::new(Family::$family, bits, engine, seed).map(Self)
            }

            /// Sets the engine that tests the candidates. The primes are the same.
            #[must_use]
            pub fn with_engine(mut self, engine: Engine) -> Self {
                self.0.engine = engine;
                self
            }

            /// Continues the search for at most `budget` tests of candidates. Returns the prime, if one was found. The
            /// sieve of a window and the confirmation of a prime are not counted: each takes about as long as a few
            /// dozen tests.
            ///
            /// # Errors
            /// None is known; errors of the engine are passed on.
            pub fn step(&mut self, budget: u64) -> Result<Option<SecretNatural>, Error> {
                self.0.step(budget)
            }

            /// The progress of the search.
            #[must_use]
            pub fn progress(&self) -> SearchProgress {
                self.0.progress()
            }

            /// Encodes the state that is needed to resume elsewhere, on any engine, with the same result. It is
            /// as secret as the primes.
            #[must_use]
            pub fn save(&self) -> Zeroizing<Vec<u8>> {
                self.0.save()
            }

            /// Goes on where [`save`](Self::save) was called; tests under way at that time may be made again.
            ///
            /// # Errors
            /// [`Error::Encoding`] for anything else than a saved search of this kind, [`Error::Unsupported`] for a
            /// length out of range.
            pub fn resume(engine: &Engine, saved: &[u8]) -> Result<Self, Error> {
                Search::resume(Family::$family, engine, saved).map(Self)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}

search! {
    /// Searches for safe primes: `p` and `(p - 1) / 2` are prime. They are 11 modulo 12.
    SafePrimeSearch, Safe
}

search! {
    /// Searches for primes that are 3 modulo 4: two of them make a Blum integer.
    BlumPrimeSearch, Blum
}
