//! The search for a party's primes: stepped, watched, cancelled, saved.

use alloc::vec::Vec;
use core::fmt;

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use quorate_bignum::{BlumPrimeSearch, Engine, SafePrimeSearch, SearchProgress, SecretNatural};
use quorate_paillier::{Error, Level, Primes};
use quorate_session::wire::{Reader, bounded};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::AuxSecrets;
use crate::DecodeError;
use crate::wire::{AUX_SEARCH, level_label};

/// Two primes that are 3 modulo 4, then two safe ones.
const PRIMES: usize = 4;

/// The making of [`AuxSecrets`] from fresh primes.
///
/// The search takes seconds to minutes, so it is an object that is [stepped](Self::step) with a budget. In
/// between, look at its [progress](Self::progress), [save](Self::save) it to resume after a crash, or
/// drop it to cancel. The result is a function of the seed that was drawn at the start: no
/// engine, budget or restart changes it.
///
/// ```no_run
/// use quorate_cggmp::{AuxSecrets, AuxStep};
/// use quorate_paillier::Level;
/// # fn store(_: &[u8]) {}
/// # let mut rng = chacha20::ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
/// # use chacha20::rand_core::SeedableRng;
///
/// let mut search = AuxSecrets::generate(Level::Bits128, &mut rng)?;
/// let secrets = loop {
///     search = match search.step(64)? {
///         AuxStep::Searching(search) => search,
///         AuxStep::Done(secrets) => break secrets,
///     };
///     println!("{}", search.progress()); // prime 2 of 4, 37 % done
///     store(&search.save()); // encrypted: it is as secret as the primes
/// };
/// # Ok::<(), quorate_paillier::Error>(())
/// ```
pub struct AuxSearch {
    engine: Engine,
    level: Level,
    blum: BlumPrimeSearch,
    safe: SafePrimeSearch,
    /// The seed of s and t.
    seed: Zeroizing<[u8; 32]>,
    found: Vec<SecretNatural>,
}

/// The outcome of a step.
#[allow(clippy::large_enum_variant, reason = "made once and taken apart at once")]
#[derive(Debug)]
#[must_use]
pub enum AuxStep {
    /// The budget is spent; the next step continues the search.
    Searching(AuxSearch),
    /// The primes are all found.
    Done(AuxSecrets),
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuxProgress {
    /// The number of primes found, of four.
    pub found: usize,
    /// The search for the next one.
    pub next: SearchProgress,
    /// The part of the work that is done, from 0 to 1. The number of tests that a prime takes is
    /// spread exponentially, so this is a guess: it rises with every step, slower and slower until a
    /// prime is found.
    pub fraction: f64,
}

/// `prime 2 of 4, 37 % done`
impl fmt::Display for AuxProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.found.saturating_add(1).min(PRIMES);
        write!(f, "prime {number} of {PRIMES}, {:.0} % done", self.fraction * 100.0)
    }
}

impl AuxSecrets {
    /// Begins the search for fresh primes, which takes seconds to minutes: see [`AuxSearch`].
    ///
    /// # Errors
    /// [`Error::Number`] with [`Randomness`](quorate_bignum::Error::Randomness) if the generator
    /// gives zeros only.
    pub fn generate(level: Level, rng: &mut (impl CryptoRng + ?Sized)) -> Result<AuxSearch, Error> {
        AuxSearch::new(level, rng)
    }
}

impl AuxSearch {
    pub(super) fn new(level: Level, rng: &mut (impl CryptoRng + ?Sized)) -> Result<Self, Error> {
        let engine = &Engine::detect();
        let mut seed = Zeroizing::new([0; 32]);
        rng.fill_bytes(seed.as_mut_slice());
        if *seed == [0; 32] {
            return Err(quorate_bignum::Error::Randomness.into());
        }
        let blum = BlumPrimeSearch::new(level.prime_bits(), engine, rng)?;
        let safe = SafePrimeSearch::new(level.prime_bits(), engine, rng)?;
        Ok(Self { engine: *engine, level, blum, safe, seed, found: Vec::with_capacity(PRIMES) })
    }

    /// Sets the engine, for comparisons. The default is the [fastest](Engine::detect) of this machine; the primes are the
    /// same.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self.blum = self.blum.with_engine(engine);
        self.safe = self.safe.with_engine(engine);
        self
    }

    /// Continues for at most `budget` tests of candidates, of some milliseconds each.
    ///
    /// # Errors
    /// None that is known; those of [`AuxSecrets::from_primes`] are passed on.
    pub fn step(mut self, budget: u64) -> Result<AuxStep, Error> {
        let found = match self.found.len() {
            0 | 1 => self.blum.step(budget)?,
            2 | 3 => self.safe.step(budget)?,
            _ => None,
        };
        self.found.extend(found);
        if self.found.len() < PRIMES {
            return Ok(AuxStep::Searching(self));
        }
        self.finish().map(AuxStep::Done)
    }

    fn finish(mut self) -> Result<AuxSecrets, Error> {
        let mut found = self.found.drain(..);
        let mut next = || found.next().ok_or(Error::Inconsistent);
        let primes = Primes { p: next()?, q: next()?, safe_p: next()?, safe_q: next()? };
        let mut rng = ChaCha20Rng::from_seed(*self.seed);
        AuxSecrets::with_primes(&self.engine, self.level, &primes, &mut rng)
    }

    /// The progress so far.
    #[must_use]
    pub fn progress(&self) -> AuxProgress {
        let (blum, safe) = (self.blum.progress(), self.safe.progress());
        let found = self.found.len();
        let next = if found < 2 { blum } else { safe };
        let expected = [blum.expected, blum.expected, safe.expected, safe.expected];
        let done: f64 = expected.iter().take(found).sum();
        let tests = f64::from(u32::try_from(next.tests).unwrap_or(u32::MAX));
        // Of `x` times the expected number of tests: `x / (1 + x)`.
        let current = next.expected * tests / (next.expected + tests);
        let current = if found < PRIMES { current } else { 0.0 };
        AuxProgress { found, next, fraction: (done + current) / expected.iter().sum::<f64>() }
    }

    /// The level of the secrets that are searched for.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The state with which the search can be resumed elsewhere, on any engine, with the same result: at most 1 KB.
    /// **Secret**, as the primes are: encrypt it, and wipe it when the search has ended.
    #[must_use]
    pub fn save(&self) -> Zeroizing<Vec<u8>> {
        let (blum, safe) = (self.blum.save(), self.safe.save());
        let primes = self.level.prime_bytes().saturating_mul(PRIMES);
        let body = [2, blum.len(), safe.len(), 32, primes].iter().sum();
        let label = level_label(AUX_SEARCH, self.level);
        let mut bytes = label.start(body);
        for saved in [blum, safe] {
            // A few dozen bytes.
            bytes.push(bounded(saved.len()));
            bytes.extend_from_slice(&saved);
        }
        bytes.extend_from_slice(self.seed.as_slice());
        for prime in &self.found {
            bytes.extend_from_slice(&prime.to_be_bytes());
        }
        label.end(&mut bytes);
        bytes
    }

    /// Resumes where [`save`](Self::save) was called; tests under way at that time may be made
    /// again.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn resume(level: Level, saved: &[u8]) -> Result<Self, DecodeError> {
        let engine = &Engine::detect();
        let (_, mut reader) = level_label(AUX_SEARCH, level).open(saved)?;
        let blum = BlumPrimeSearch::resume(engine, part(&mut reader)?).map_err(refused)?;
        let safe = SafePrimeSearch::resume(engine, part(&mut reader)?).map_err(refused)?;
        let seed = Zeroizing::new(reader.array()?);
        let mut found = Vec::with_capacity(PRIMES);
        while reader.remaining() > 0 {
            // With all four found there is nothing to search for.
            if found.len() == PRIMES - 1 {
                return Err(DecodeError::TrailingBytes);
            }
            let prime = reader.bytes(level.prime_bytes())?;
            found.push(SecretNatural::from_be_bytes(prime));
        }
        Ok(Self { engine: *engine, level, blum, safe, seed, found })
    }
}

fn part<'s>(reader: &mut Reader<'s>) -> Result<&'s [u8], DecodeError> {
    let length = reader.u8()?;
    reader.bytes(length.into()).map_err(DecodeError::from)
}

fn refused(error: quorate_bignum::Error) -> DecodeError {
    DecodeError::Numbers(error.into())
}

impl fmt::Debug for AuxSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuxSearch").field("progress", &self.progress()).finish_non_exhaustive()
    }
}
