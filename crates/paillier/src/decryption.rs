//! The secret side of Paillier encryption: everything through the two primes.

use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::{
    Engine, Factored, Integer, Natural, SecretInteger, SecretModulus, SecretNatural, SecretProduct,
};
use quorate_declassify::declassify;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::factors::{self, Family};
use crate::numbers::{half, minus_one, once, one, sized, split, zero};
use crate::{Ciphertext, EncryptionKey, Error, Level, Plaintext, Randomizer};

/// The version of the stored form.
const VERSION: u8 = 1;

/// A secret key: two primes of exactly half the modulus's length, both 3 modulo 4. It is wiped when dropped.
pub struct DecryptionKey {
    encryption: EncryptionKey,
    factored: Factored,
    square: Factored,
    halves: [Half; 2],
    /// `N^-1 mod φ(N)`.
    root: SecretNatural,
    /// `2^k - 1` for primes of `k` bits: division by a prime is multiplication by its inverse under this.
    division: SecretModulus,
}

/// The values for decryption modulo one prime.
struct Half {
    /// `p - 1`.
    exponent: SecretNatural,
    /// `p^-1 mod 2^k - 1`.
    inverse: SecretNatural,
    /// `((p - 1) q)^-1 = -q^-1 mod p`.
    factor: SecretNatural,
}

impl fmt::Debug for DecryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DecryptionKey")
    }
}

impl DecryptionKey {
    /// The key of two primes that the caller has generated at random. Their primality is tested
    /// ([`is_blum_prime`](quorate_bignum::is_blum_prime)); their randomness cannot be.
    ///
    /// # Errors
    /// [`Error::PrimeSize`], [`Error::NotBlum`], [`Error::ClosePrimes`] (equal ones too), [`Error::NotPrime`],
    /// [`Error::Modulus`] if the product is too short.
    pub fn from_primes(
        engine: &Engine,
        level: Level,
        p: &SecretNatural,
        q: &SecretNatural,
    ) -> Result<Self, Error> {
        let factored = factors::factored(level, p, q)?;
        Family::Blum.check(engine, &factored)?;
        let encryption = EncryptionKey::new(level, factored.modulus().value())?;
        // gcd(N, φ(N)) = 1 for distinct odd primes of one length: p divides q - 1 only for q > 2p.
        let root = factored
            .inverse_mod_totient(factored.modulus().value())
            .map_err(|_| Error::NotPrime)?;
        let division = SecretModulus::new(&SecretNatural::from_be_bytes(
            &alloc::vec![0xff; level.prime_bytes()],
        ))?;
        let [p, q] = factored.parts();
        let halves = [Half::new(p, q, &division)?, Half::new(q, p, &division)?];
        let square = factored.square()?;
        Ok(Self { encryption, square, halves, root, division, factored })
    }

    /// The public key.
    #[must_use]
    pub fn encryption_key(&self) -> &EncryptionKey {
        &self.encryption
    }

    /// The level that all sizes come from.
    #[must_use]
    pub fn level(&self) -> Level {
        self.encryption.level()
    }

    /// `N` with its factors, for proofs about them.
    #[must_use]
    pub fn factored(&self) -> &Factored {
        &self.factored
    }

    /// `N^2` with its factors, for products of ciphertexts.
    #[must_use]
    pub fn square(&self) -> &Factored {
        &self.square
    }

    /// `N^-1 mod φ(N)`: the exponent that takes `N`-th roots of units.
    #[must_use]
    pub fn root(&self) -> &SecretNatural {
        &self.root
    }

    /// `φ(N) / 4`, odd: the order of the squares.
    ///
    /// # Errors
    /// None for an existing key.
    pub fn order_of_squares(&self) -> Result<SecretModulus, Error> {
        factors::order_of_squares(&self.factored)
    }

    /// [`EncryptionKey::encryption`] through the factors.
    ///
    /// # Errors
    /// [`Error::OtherKey`]
    pub fn encryption<'a>(
        &'a self,
        m: &'a Plaintext,
        r: &'a Randomizer,
    ) -> Result<SecretProduct<'a>, Error> {
        self.encryption.check(m, r)?;
        let product = SecretProduct::factored(&self.square).power(&m.factor, once());
        Ok(match r.power() {
            Some(power) => product.power(power, once()),
            None => product.nth_power(r.value()),
        })
    }

    /// `r^N mod N^2` through the factors.
    pub(crate) fn power_of<'a>(&'a self, r: &'a Randomizer) -> SecretProduct<'a> {
        SecretProduct::factored(&self.square).nth_power(r.value())
    }

    /// [`EncryptionKey::affine`] through the factors.
    ///
    /// # Errors
    /// [`Error::OtherKey`]
    pub fn affine<'a>(
        &'a self,
        x: &'a SecretInteger,
        c: &'a Ciphertext,
        m: &'a Plaintext,
        r: &'a Randomizer,
    ) -> Result<SecretProduct<'a>, Error> {
        c.check(&self.encryption)?;
        Ok(self.encryption(m, r)?.power(c.value(), x))
    }

    /// [`EncryptionKey::opened_vartime`] through the factors, in constant time for their sake. `r` must be a unit.
    #[must_use]
    pub fn opened<'a>(&'a self, m: &Integer, r: &'a Natural) -> SecretProduct<'a> {
        SecretProduct::factored(&self.square)
            .power(self.encryption.plaintext_vartime(m), once())
            .nth_power(r)
    }

    /// Encrypts a list of plaintexts through the factors.
    ///
    /// # Errors
    /// [`Error::OtherKey`]
    pub fn encrypt_many(
        &self,
        engine: &Engine,
        list: &[(&SecretInteger, &Randomizer)],
    ) -> Result<Vec<Ciphertext>, Error> {
        let plaintexts: Vec<Plaintext> =
            list.iter().map(|(m, _)| self.encryption.plaintext(m)).collect();
        let products: Result<Vec<_>, _> =
            plaintexts.iter().zip(list).map(|(m, (_, r))| self.encryption(m, r)).collect();
        self.encryption.publish_all(engine.evaluate(&products?))
    }

    /// The two powers that decryption needs, `C^(p-1) mod p^2` and `C^(q-1) mod q^2`, as products to evaluate; their
    /// values go to [`Self::finish_decryption`].
    ///
    /// # Errors
    /// [`Error::OtherKey`]
    pub fn decryption<'a>(&'a self, c: &'a Ciphertext) -> Result<[SecretProduct<'a>; 2], Error> {
        c.check(&self.encryption)?;
        let ([left, right], [p, q]) = (self.square.parts(), &self.halves);
        let power = |square, half: &'a Half| {
            SecretProduct::under_secret(square).power(c.value(), &half.exponent)
        };
        Ok([power(left, p), power(right, q)])
    }

    /// The plaintext in `[-(N-1)/2, (N-1)/2]` that belongs to the values of the two products. Constant time.
    #[must_use]
    pub fn finish_decryption(&self, powers: &[SecretNatural; 2]) -> SecretInteger {
        let ([p, q], [left, right], [x, y]) = (self.factored.parts(), &self.halves, powers);
        let residue = self.factored.recombine(
            &left.logarithm(p, &self.division, x),
            &right.logarithm(q, &self.division, y),
        );
        self.centred(residue)
    }

    /// Decrypts a list, to `[-(N-1)/2, (N-1)/2]`. Constant time.
    ///
    /// # Errors
    /// [`Error::OtherKey`]
    pub fn decrypt_many(
        &self,
        engine: &Engine,
        list: &[&Ciphertext],
    ) -> Result<Vec<SecretInteger>, Error> {
        let products: Result<Vec<_>, _> = list.iter().map(|c| self.decryption(c)).collect();
        let products: Vec<SecretProduct<'_>> = products?.into_iter().flatten().collect();
        let mut values = engine.evaluate(&products).into_iter();
        let mut out = Vec::with_capacity(list.len());
        while let (Some(left), Some(right)) = (values.next(), values.next()) {
            out.push(self.finish_decryption(&[left?, right?]));
        }
        Ok(out)
    }

    /// The randomizers of a list of ciphertexts: `r = C^(1/N) mod N`, since `(1 + N)^m` is 1 under `N`, so the
    /// plaintext is not needed. Constant time.
    ///
    /// # Errors
    /// [`Error::OtherKey`]
    pub fn randomizers(
        &self,
        engine: &Engine,
        list: &[&Ciphertext],
    ) -> Result<Vec<Randomizer>, Error> {
        let mut products = Vec::with_capacity(list.len());
        for c in list {
            c.check(&self.encryption)?;
            let base = self.encryption.modulus().reduce(c.value());
            products.push(SecretProduct::factored(&self.factored).power(base, &self.root));
        }
        let trusted = |r| Ok(Randomizer::trusted(&self.encryption, r?));
        engine.evaluate(&products).into_iter().map(trusted).collect()
    }

    /// The integer of `[-(N-1)/2, (N-1)/2]` with this residue.
    fn centred(&self, residue: SecretNatural) -> SecretInteger {
        let bytes = self.level().modulus_bytes();
        let n = self.encryption.residues();
        let middle = half(&n.value());
        let shifted = SecretInteger::from(n.reduce(&residue.add(&middle)));
        let out = shifted.add(&SecretInteger::from(middle).neg());
        // The magnitude is below N, whatever the sum's bound says.
        sized(out.magnitude(), bytes)
            .map(|magnitude| SecretInteger::new(out.is_negative(), magnitude))
            .unwrap_or(out)
    }

    /// The key to store: a version, the level, `N`, `p`, `q`. It is secret and not encrypted.
    #[must_use]
    pub fn to_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let level = self.level();
        let mut out = Zeroizing::new(Vec::with_capacity(2 + 2 * level.modulus_bytes()));
        out.extend_from_slice(&[VERSION, level.code()]);
        out.extend_from_slice(&self.encryption.to_bytes());
        factors::write(level, &self.factored, &mut out);
        out
    }

    /// Opens what [`Self::to_secret_bytes`] wrote, with all checks of [`Self::from_primes`].
    ///
    /// # Errors
    /// [`Error::Version`], [`Error::Length`], [`Error::Inconsistent`] if `N` is not `p q`, and those of
    /// [`Self::from_primes`].
    pub fn from_secret_bytes(engine: &Engine, level: Level, bytes: &[u8]) -> Result<Self, Error> {
        let (&[version, tag], rest) = bytes.split_first_chunk().ok_or(Error::Length)?;
        if version != VERSION || tag != level.code() {
            return Err(Error::Version);
        }
        let [n, n_low, p, q] = split(rest, level.prime_bytes())?;
        let [p, q] = [p, q].map(SecretNatural::from_be_bytes);
        let product = p.mul(&q).to_be_bytes();
        // A product that is another N is refused.
        if !declassify(bool::from(product.as_slice().ct_eq(&[n, n_low].concat()))) {
            return Err(Error::Inconsistent);
        }
        Self::from_primes(engine, level, &p, &q)
    }
}

impl Half {
    fn new(p: &SecretModulus, q: &SecretModulus, division: &SecretModulus) -> Result<Self, Error> {
        let prime = p.value();
        let exponent = minus_one(&prime);
        let inverse = division.inverse(&prime).map_err(|_| Error::NotPrime)?;
        let factor = p.sub(&zero(), &p.inverse(&q.value()).map_err(|_| Error::ClosePrimes)?);
        Ok(Self { exponent, inverse, factor })
    }

    /// `m mod p` for `x = C^(p-1) = 1 + m (p - 1) q p mod p^2`.
    fn logarithm(
        &self,
        p: &SecretModulus,
        division: &SecretModulus,
        x: &SecretNatural,
    ) -> SecretNatural {
        // (x - 1) / p is exact and below p, so it is the same under 2^k - 1, which no prime of k bits divides.
        let quotient = division.mul(&division.sub(&division.reduce(x), &one()), &self.inverse);
        p.mul(&quotient, &self.factor)
    }
}
