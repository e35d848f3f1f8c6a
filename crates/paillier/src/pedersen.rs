//! Ring-Pedersen commitments (Fujisaki and Okamoto, CRYPTO 1997): `s^x t^μ mod N̂`, by a setup of the verifier.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::{
    Comb, Engine, Integer, Modulus, Natural, PublicProduct, SecretInteger, SecretProduct,
};

use crate::level::ELL;
use crate::numbers::{below, split};
use crate::units::are_units_vartime;
use crate::{Error, Level};

mod trapdoor;

pub use trapdoor::PedersenTrapdoor;

/// Bits of the longest exponents of `s` and of `t` that the tables are for: those of proofs about numbers of `ℓ` and of
/// `ℓ'` bits. The bit more is for the sum of a mask and a challenge's multiple.
const fn bounds(level: Level) -> [u32; 2] {
    [level.ell_prime() + level.epsilon() + 1, level.modulus_bits() + ELL + level.epsilon() + 1]
}

/// A verifier's setup `(N̂, s, t)`: two units other than 1 and -1, not equal, under a modulus of exactly the length of
/// its level.
///
/// The owner has to prove that `s` is a power of `t`, which is what hides the committed number. Copies share the
/// tables.
#[derive(Clone)]
pub struct Pedersen {
    level: Level,
    modulus: Modulus,
    s: Natural,
    t: Natural,
    comb: Option<Comb>,
}

impl fmt::Debug for Pedersen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pedersen")
            .field("level", &self.level)
            .field("table_bytes", &self.table_bytes())
            .finish_non_exhaustive()
    }
}

impl PartialEq for Pedersen {
    fn eq(&self, other: &Self) -> bool {
        self.modulus == other.modulus && self.s == other.s && self.t == other.t
    }
}

impl Eq for Pedersen {}

impl Pedersen {
    /// The setup of these numbers.
    ///
    /// # Errors
    /// [`Error::Modulus`], [`Error::OutOfRange`], [`Error::NotUnit`], [`Error::TrivialBase`].
    pub fn new(level: Level, modulus: &Natural, s: Natural, t: Natural) -> Result<Self, Error> {
        if modulus.bits() != level.modulus_bits() || !modulus.is_odd() {
            return Err(Error::Modulus);
        }
        let bases = [s, t];
        if bases.iter().any(|base| base.is_zero() || base >= modulus) {
            return Err(Error::OutOfRange);
        }
        let modulus = Modulus::new(modulus)?;
        let minus_one = modulus.neg(&Natural::one());
        if are_units_vartime(&modulus, &bases).contains(&false) {
            return Err(Error::NotUnit);
        }
        let [s, t] = bases;
        if s == t || [&s, &t].into_iter().any(|base| *base == Natural::one() || *base == minus_one)
        {
            return Err(Error::TrivialBase);
        }
        Ok(Self { level, modulus, s, t, comb: None })
    }

    /// Reads `N̂`, `s` and `t`, each of [`Level::modulus_bytes`] big-endian bytes.
    ///
    /// # Errors
    /// [`Error::Length`], and those of [`Self::new`].
    pub fn from_bytes(level: Level, bytes: &[u8]) -> Result<Self, Error> {
        let [modulus, s, t] = split(bytes, level.modulus_bytes())?;
        let modulus = Natural::from_be_bytes(modulus);
        let (s, t) = (below(&modulus, s)?, below(&modulus, t)?);
        Self::new(level, &modulus, s, t)
    }

    /// `N̂`, `s` and `t`, each of [`Level::modulus_bytes`] big-endian bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let len = self.level.modulus_bytes();
        // All three are below 2^bits of the level, so they fit.
        [self.modulus.value(), &self.s, &self.t]
            .into_iter()
            .flat_map(|x| x.to_be_bytes(len).unwrap_or_default())
            .collect()
    }

    /// This setup with tables for an engine, of at most `max_bytes` in all: for a verifier that several
    /// commitments are made for, again and again. They hold nothing secret. Those under one setup share the lanes of an
    /// engine, and nothing else does.
    ///
    /// # Errors
    /// [`Error::Number`] if no table fits.
    pub fn with_tables(mut self, engine: &Engine, max_bytes: usize) -> Result<Self, Error> {
        let [for_s, for_t] = bounds(self.level);
        let bases = [(self.s.clone(), for_s), (self.t.clone(), for_t)];
        self.comb = Some(Comb::new(engine, &self.modulus, &bases, max_bytes)?);
        Ok(self)
    }

    /// This setup without its tables.
    #[must_use]
    pub fn without_tables(self) -> Self {
        Self { comb: None, ..self }
    }

    /// Bytes that the tables take.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        self.comb.as_ref().map_or(0, Comb::bytes)
    }

    /// The level that all sizes come from.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// `N̂`.
    #[must_use]
    pub fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    /// `s`.
    #[must_use]
    pub fn s(&self) -> &Natural {
        &self.s
    }

    /// `t`.
    #[must_use]
    pub fn t(&self) -> &Natural {
        &self.t
    }

    /// The tables, if they are long enough for these exponents.
    fn comb_for(&self, x: u32, mu: u32) -> Option<&Comb> {
        let [for_s, for_t] = bounds(self.level);
        self.comb.as_ref().filter(|_| x <= for_s && mu <= for_t)
    }

    /// `s^x t^μ`, as a product to evaluate: with the tables if they are long enough for the bounds of `x` and `μ`.
    #[must_use]
    pub fn commitment<'a>(
        &'a self,
        x: &'a SecretInteger,
        mu: &'a SecretInteger,
    ) -> SecretProduct<'a> {
        let product = SecretProduct::new(&self.modulus);
        match self.comb_for(x.bits(), mu.bits()) {
            Some(comb) => product.comb(comb, [x.into(), mu.into()].into()),
            None => product.power(&self.s, x).power(&self.t, mu),
        }
    }

    /// `s^x t^μ` of public exponents, as a product to evaluate. Variable time.
    #[must_use]
    pub fn opened_vartime<'a>(&'a self, x: &'a Integer, mu: &'a Integer) -> PublicProduct<'a> {
        let product = PublicProduct::new(&self.modulus);
        match self.comb_for(x.magnitude().bits(), mu.magnitude().bits()) {
            Some(comb) => product.comb(comb, [Cow::Borrowed(x), Cow::Borrowed(mu)].into()),
            None => product.power(&self.s, x).power(&self.t, mu),
        }
    }

    /// Commits to a list of `(x, μ)`; the commitments are made public.
    ///
    /// # Errors
    /// [`Error::Number`] if the engine refuses.
    pub fn commit_many(
        &self,
        engine: &Engine,
        list: &[(&SecretInteger, &SecretInteger)],
    ) -> Result<Vec<Natural>, Error> {
        let products: Vec<_> = list.iter().map(|(x, mu)| self.commitment(x, mu)).collect();
        engine.evaluate(&products).into_iter().map(|value| Ok(value?.declassify())).collect()
    }
}
