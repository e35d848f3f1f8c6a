//! The primes of a party: a search that is stepped, shows how far it is, and survives a crash.

use quorate::session::rand_core::CryptoRng;
use quorate::session::zeroize::Zeroizing;
use quorate_bignum::{BlumPrimeSearch, Engine, Error, SafePrimeSearch, SecretNatural};
use quorate_paillier::{DecryptionKey, Level, PedersenTrapdoor};

/// How many primes a party needs: two that are 3 modulo 4 for its Paillier key, then two safe ones
/// for its commitments.
pub const COUNT: usize = 4;

/// A party's search for its primes.
pub struct PrimeSearch {
    engine: Engine,
    level: Level,
    blum: BlumPrimeSearch,
    safe: SafePrimeSearch,
    found: Vec<SecretNatural>,
}

impl PrimeSearch {
    /// A search with fresh randomness.
    ///
    /// # Errors
    /// None at these levels.
    pub fn new(engine: Engine, level: Level, rng: &mut impl CryptoRng) -> Result<Self, Error> {
        let blum = BlumPrimeSearch::new(level.prime_bits(), &engine, rng)?;
        let safe = SafePrimeSearch::new(level.prime_bits(), &engine, rng)?;
        Ok(Self { engine, level, blum, safe, found: Vec::new() })
    }

    /// Goes on for at most `budget` tests of candidates, and says whether all primes are found.
    ///
    /// # Errors
    /// None that is known.
    pub fn step(&mut self, budget: u64) -> Result<bool, Error> {
        let found = match self.found.len() {
            0 | 1 => self.blum.step(budget)?,
            2 | 3 => self.safe.step(budget)?,
            _ => None,
        };
        self.found.extend(found);
        Ok(self.found.len() == COUNT)
    }

    /// How many primes are found, and how probable it was to find the next by now, from 0 to 1.
    #[must_use]
    pub fn progress(&self) -> (usize, f64) {
        let progress = match self.found.len() {
            0 | 1 => self.blum.progress(),
            _ => self.safe.progress(),
        };
        // The number of tests that it takes is spread exponentially.
        let tests = u32::try_from(progress.tests).unwrap_or(u32::MAX);
        (self.found.len(), 1.0 - (-f64::from(tests) / progress.expected).exp())
    }

    /// The party's Paillier key and its setup for commitments, once all primes are found.
    ///
    /// # Errors
    /// [`quorate_paillier::Error`] if some are missing.
    pub fn finish(
        &self,
        rng: &mut impl CryptoRng,
    ) -> Result<(DecryptionKey, PedersenTrapdoor), quorate_paillier::Error> {
        let (engine, level) = (&self.engine, self.level);
        let [p, q, safe_p, safe_q] = self.found.as_slice() else {
            return Err(quorate_paillier::Error::Inconsistent);
        };
        let key = DecryptionKey::from_primes(engine, level, p, q)?;
        Ok((key, PedersenTrapdoor::generate(engine, level, safe_p, safe_q, rng)?))
    }

    /// All it takes to go on elsewhere, as secret as the primes: the two searches, and what they
    /// have found.
    #[must_use]
    pub fn save(&self) -> Zeroizing<Vec<u8>> {
        let (blum, safe) = (self.blum.save(), self.safe.save());
        let found: Vec<_> = self.found.iter().map(SecretNatural::to_be_bytes).collect();
        // The two are of one length, and short.
        let length = [u8::try_from(blum.len()).unwrap_or(u8::MAX)];
        let mut parts: Vec<&[u8]> = vec![&length, &blum, &safe];
        parts.extend(found.iter().map(|prime| prime.as_slice()));
        Zeroizing::new(parts.concat())
    }

    /// Goes on where [`save`](Self::save) was called.
    ///
    /// # Errors
    /// [`Error::Encoding`] for anything else.
    pub fn resume(engine: Engine, level: Level, saved: &[u8]) -> Result<Self, Error> {
        let (length, rest) = saved.split_first().ok_or(Error::Encoding)?;
        let (blum, rest) = rest.split_at_checked((*length).into()).ok_or(Error::Encoding)?;
        let (safe, rest) = rest.split_at_checked((*length).into()).ok_or(Error::Encoding)?;
        let found: Vec<_> =
            rest.chunks(level.prime_bytes()).map(SecretNatural::from_be_bytes).collect();
        if found.len() > COUNT {
            return Err(Error::Encoding);
        }
        let blum = BlumPrimeSearch::resume(&engine, blum)?;
        let safe = SafePrimeSearch::resume(&engine, safe)?;
        Ok(Self { engine, level, blum, safe, found })
    }
}
