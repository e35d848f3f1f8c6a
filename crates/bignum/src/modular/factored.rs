//! Moduli whose factors are known: half-size exponentiations, exponents reduced by the order of the group.

use alloc::sync::Arc;
use core::fmt;

use quorate_declassify::declassify;
use subtle::ConstantTimeEq;

use super::modulus::Modulus;
use super::secret_modulus::SecretModulus;
use crate::error::Error;
use crate::number::inverse::inverse;
use crate::number::limbs::words_for;
use crate::number::natural::Natural;
use crate::number::secret_natural::SecretNatural;

/// One of the two coprime parts of a modulus.
pub(crate) struct Half {
    /// `p`, or `p^2`.
    pub(crate) modulus: SecretModulus,
    /// The order of the group of units: `p - 1`, or `p (p - 1)`.
    pub(crate) order: SecretNatural,
    /// For `p^2`: the numbers that the N-th power needs.
    pub(crate) root: Option<Root>,
}

/// `r^N mod p^2` depends on `r mod p` alone, since `(r + k p)^p = r^p mod p^2`; so it is `(r^q mod p)^p mod p^2`,
/// one power mod `p` and one mod `p^2` with an exponent of half the length.
pub(crate) struct Root {
    /// `p`.
    pub(crate) prime: Arc<Half>,
    /// `q mod (p - 1)`.
    pub(crate) other: SecretNatural,
}

/// `N = p q` with both primes known, or `N^2` with the same primes.
///
/// Exponentiation under it goes through the two parts, with exponents reduced by the order of each part's group. The
/// bases must therefore be units, which every base that passed [`Modulus::is_unit`] is.
///
/// The time of every operation shows the lengths of `N` and of the factors, and nothing else of them.
pub struct Factored {
    n: Modulus,
    halves: [Arc<Half>; 2],
    /// The inverse of the second part modulo the first.
    coefficient: SecretNatural,
}

impl fmt::Debug for Factored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Factored").field("n", &self.n).finish_non_exhaustive()
    }
}

fn one() -> SecretNatural {
    SecretNatural::from_words(&[1], 1)
}

/// `p - 1`.
fn minus_one(p: &SecretNatural) -> SecretNatural {
    p.abs_diff(&one()).0
}

impl Half {
    fn prime(p: &SecretNatural) -> Result<Arc<Self>, Error> {
        Ok(Arc::new(Self { modulus: SecretModulus::new(p)?, order: minus_one(p), root: None }))
    }

    fn square(prime: &Arc<Self>, other: &SecretNatural) -> Result<Arc<Self>, Error> {
        let (_, other) = other.div_rem(&prime.order).ok_or(Error::BadFactors)?;
        let root = Some(Root { prime: Arc::clone(prime), other });
        let modulus = SecretModulus::square_of(&prime.modulus)?;
        let order = prime.modulus.value().mul(&prime.order);
        Ok(Arc::new(Self { modulus, order, root }))
    }
}

impl Factored {
    /// The modulus `p q`. That `p` and `q` are prime is the caller's knowledge; here they are only seen to be odd,
    /// larger than 1 and different.
    ///
    /// # Errors
    /// [`Error::BadFactors`], and those of [`SecretModulus::new`].
    pub fn new(p: &SecretNatural, q: &SecretNatural) -> Result<Self, Error> {
        // Two equal ones are refused.
        if declassify(bool::from(p.ct_eq(q))) {
            return Err(Error::BadFactors);
        }
        let (left, right) = (Half::prime(p)?, Half::prime(q)?);
        Self::join(Modulus::new(&p.mul(q).declassify())?, [left, right])
    }

    fn join(n: Modulus, halves: [Arc<Half>; 2]) -> Result<Self, Error> {
        let [left, right] = &halves;
        let coefficient =
            left.modulus.inverse(&right.modulus.value()).map_err(|_| Error::BadFactors)?;
        Ok(Self { n, halves, coefficient })
    }

    /// The modulus `N^2` for this `N`: the group of Paillier ciphertexts.
    ///
    /// # Errors
    /// [`Error::LargeModulus`] if the square is too long.
    pub fn square(&self) -> Result<Self, Error> {
        let [left, right] = &self.halves;
        let (p, q) = (left.modulus.value(), right.modulus.value());
        let n = Modulus::square_of(&self.n)?;
        Self::join(n, [Half::square(left, &q)?, Half::square(right, &p)?])
    }

    /// The modulus, public.
    #[must_use]
    pub fn modulus(&self) -> &Modulus {
        &self.n
    }

    /// The two parts: `p` and `q`, or their squares.
    #[must_use]
    pub fn parts(&self) -> [&SecretModulus; 2] {
        let [left, right] = &self.halves;
        [&left.modulus, &right.modulus]
    }

    pub(crate) fn halves(&self) -> &[Arc<Half>; 2] {
        &self.halves
    }

    /// `φ`: the number of units.
    #[must_use]
    pub fn totient(&self) -> SecretNatural {
        let [left, right] = &self.halves;
        left.order.mul(&right.order)
    }

    /// The inverse of a public number modulo `φ`.
    ///
    /// # Errors
    /// [`Error::NotInvertible`]
    pub fn inverse_mod_totient(&self, a: &Natural) -> Result<SecretNatural, Error> {
        // φ is even.
        if !a.is_odd() {
            return Err(Error::NotInvertible);
        }
        if *a == Natural::one() {
            return Ok(one());
        }
        // With u = φ^-1 mod a, φ u = 1 + a t for a t below φ, and the inverse is -t: no inverse under an even number.
        let phi = self.totient();
        let (n, divisor) = (a.to_words(words_for(a.bits())), SecretNatural::classify(a, a.bits())?);
        let (_, residue) = phi.div_rem(&divisor).ok_or(Error::NotInvertible)?;
        let u = inverse(&residue.to_words(n.len()), &n, a.bits()).ok_or(Error::NotInvertible)?;
        let product = phi.mul(&SecretNatural::from_words(&u, a.bits()));
        let (t, _) = minus_one(&product).div_rem(&divisor).ok_or(Error::NotInvertible)?;
        let (inverse, _) = phi.abs_diff(&t);
        Ok(SecretNatural::from_words(&inverse.to_words(words_for(phi.bits())), phi.bits()))
    }

    /// The number below the modulus with these residues under the two parts (Garner).
    #[must_use]
    pub fn recombine(&self, left: &SecretNatural, right: &SecretNatural) -> SecretNatural {
        let [p, q] = self.parts();
        let difference = p.sub(&p.reduce(left), &p.reduce(right));
        let steps = p.mul(&difference, &self.coefficient);
        let out = q.reduce(right).add(&steps.mul(&q.value()));
        SecretNatural::new(out.as_uint().clone(), self.n.bits())
    }
}
