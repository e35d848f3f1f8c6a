//! The owner's side of a ring-Pedersen setup.

use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::{
    Engine, Factored, Integer, Natural, SecretInteger, SecretModulus, SecretNatural, SecretProduct,
};
use quorate_declassify::declassify;
use rand_core::CryptoRng;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::factors::{self, Family};
use crate::numbers::{random_below, sized, split};
use crate::{Error, Level, Pedersen};

/// The version of the stored form.
const VERSION: u8 = 1;

/// The secrets of a setup's owner: the factors of `N̂`, and `λ` with `s = t^λ`. They are wiped when dropped.
///
/// A commitment under one's own setup is one power of `t` instead of two, of half the size.
pub struct PedersenTrapdoor {
    pedersen: Pedersen,
    factored: Factored,
    order: SecretModulus,
    /// Never negative.
    lambda: SecretInteger,
}

impl fmt::Debug for PedersenTrapdoor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PedersenTrapdoor")
    }
}

impl PedersenTrapdoor {
    /// A fresh setup over two safe primes that the caller has generated at random. `t` is a random square, and
    /// `λ` is uniform below the order of the squares, `φ(N̂) / 4`. It is tested that they are safe primes
    /// ([`is_safe_prime`](quorate_bignum::is_safe_prime)); their randomness cannot be.
    ///
    /// # Errors
    /// [`Error::PrimeSize`], [`Error::NotBlum`], [`Error::ClosePrimes`] (equal ones too), [`Error::NotSafe`],
    /// [`Error::Modulus`] if the product is too short.
    pub fn generate(
        engine: &Engine,
        level: Level,
        p: &SecretNatural,
        q: &SecretNatural,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Self, Error> {
        let factored = factors::factored(level, p, q)?;
        let order = factors::order_of_squares(&factored)?;
        let root = SecretNatural::random_unit(rng, factored.modulus())?;
        let t = factored.modulus().for_secrets().mul(&root, &root).declassify();
        let lambda = random_below(rng, &order)?;
        Self::assemble(engine, level, factored, t, lambda, None)
    }

    /// Checks that the parts belong together, the primes last. `s` is computed and, if one is given, compared.
    fn assemble(
        engine: &Engine,
        level: Level,
        factored: Factored,
        t: Natural,
        lambda: SecretNatural,
        s: Option<&Natural>,
    ) -> Result<Self, Error> {
        let order = factors::order_of_squares(&factored)?;
        let lambda = sized(&lambda, level.modulus_bytes()).ok_or(Error::OutOfRange)?;
        // A value out of range is refused.
        if declassify(bool::from(lambda.is_zero() | !order.reduce(&lambda).ct_eq(&lambda))) {
            return Err(Error::OutOfRange);
        }
        let product = SecretProduct::factored(&factored).power(&t, &lambda);
        let computed = single(engine, product)?.declassify();
        if s.is_some_and(|s| *s != computed) {
            return Err(Error::Inconsistent);
        }
        let pedersen = Pedersen::new(level, factored.modulus().value(), computed, t)?;
        Family::Safe.check(engine, &factored)?;
        Ok(Self { pedersen, factored, order, lambda: SecretInteger::from(lambda) })
    }

    /// The public setup.
    #[must_use]
    pub fn pedersen(&self) -> &Pedersen {
        &self.pedersen
    }

    /// `N̂` with its factors.
    #[must_use]
    pub fn factored(&self) -> &Factored {
        &self.factored
    }

    /// `φ(N̂) / 4`, odd: a multiple of the order of `t`, so exponents of `s` and `t` count modulo this.
    #[must_use]
    pub fn order(&self) -> &SecretModulus {
        &self.order
    }

    /// `λ`, below [`Self::order`].
    #[must_use]
    pub fn lambda(&self) -> &SecretNatural {
        self.lambda.magnitude()
    }

    /// `μ + λ x`, reduced by the order of the squares: with it, `s^x t^μ` is one power of `t`.
    #[must_use]
    pub fn exponent(&self, x: &SecretInteger, mu: &SecretInteger) -> SecretNatural {
        let sum = x.mul(&self.lambda).add(mu);
        sum.reduce(&self.order)
    }

    /// [`Self::exponent`] of public numbers: a prover's responses, in a verifier's equation.
    ///
    /// # Errors
    /// None for numbers of any length that fits into memory.
    pub fn exponent_of_public(&self, x: &Integer, mu: &Integer) -> Result<SecretNatural, Error> {
        let secret =
            |value: &Integer| SecretInteger::classify(value, value.magnitude().bits().max(1));
        Ok(self.exponent(&secret(x)?, &secret(mu)?))
    }

    /// `t^exponent` through the factors, as a product to evaluate.
    #[must_use]
    pub fn commitment<'a>(&'a self, exponent: &'a SecretNatural) -> SecretProduct<'a> {
        SecretProduct::factored(&self.factored).power(self.pedersen.t(), exponent)
    }

    /// Commits to a list of `(x, μ)` under one's own setup; the commitments are made public.
    ///
    /// # Errors
    /// [`Error::Number`] if the engine refuses.
    pub fn commit_many(
        &self,
        engine: &Engine,
        list: &[(&SecretInteger, &SecretInteger)],
    ) -> Result<Vec<Natural>, Error> {
        let exponents: Vec<SecretNatural> =
            list.iter().map(|(x, mu)| self.exponent(x, mu)).collect();
        let products: Vec<_> = exponents.iter().map(|exponent| self.commitment(exponent)).collect();
        engine.evaluate(&products).into_iter().map(|value| Ok(value?.declassify())).collect()
    }

    /// The setup to store: a version, the level, `N̂`, `s`, `t`, `p`, `q`, `λ`. It is secret and not encrypted.
    #[must_use]
    pub fn to_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let level = self.pedersen.level();
        let mut out = Zeroizing::new(Vec::with_capacity(2 + 5 * level.modulus_bytes()));
        out.extend_from_slice(&[VERSION, level.code()]);
        out.extend_from_slice(&self.pedersen.to_bytes());
        factors::write(level, &self.factored, &mut out);
        factors::append(&mut out, self.lambda(), level.modulus_bytes());
        out
    }

    /// Opens what [`Self::to_secret_bytes`] wrote, with all checks of [`Self::generate`] and of the setup.
    ///
    /// # Errors
    /// [`Error::Version`], [`Error::Length`], [`Error::Inconsistent`] if `N̂` is not `p q` or `s` is not `t^λ`,
    /// [`Error::OutOfRange`] if `λ` is not reduced, and those of [`Self::generate`] and [`Pedersen::new`].
    pub fn from_secret_bytes(engine: &Engine, level: Level, bytes: &[u8]) -> Result<Self, Error> {
        let (&[version, tag], rest) = bytes.split_first_chunk().ok_or(Error::Length)?;
        if version != VERSION || tag != level.code() {
            return Err(Error::Version);
        }
        let [modulus, s, t, primes, lambda] = split(rest, level.modulus_bytes())?;
        let [p, q] = split(primes, level.prime_bytes())?.map(SecretNatural::from_be_bytes);
        // A product that is another N̂ is refused.
        if !declassify(bool::from(p.mul(&q).to_be_bytes().as_slice().ct_eq(modulus))) {
            return Err(Error::Inconsistent);
        }
        let factored = factors::factored(level, &p, &q)?;
        let pedersen = Pedersen::new(
            level,
            factored.modulus().value(),
            Natural::from_be_bytes(s),
            Natural::from_be_bytes(t),
        )?;
        let lambda = SecretNatural::from_be_bytes(lambda);
        Self::assemble(engine, level, factored, pedersen.t, lambda, Some(&pedersen.s))
    }
}

fn single(engine: &Engine, product: SecretProduct<'_>) -> Result<SecretNatural, Error> {
    let value = engine.evaluate(&[product]).pop();
    Ok(value.ok_or(Error::Inconsistent)??)
}
