//! Odd moduli, with what the kernels need to know of them worked out once.

#[cfg(target_arch = "x86_64")]
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crypto_bigint::{BoxedUint, NonZero, Resize};
use quorate_declassify::declassify;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, Zeroizing};

use crate::kernel::Form;
use crate::secret::select;
use crate::{Error, MAX_BITS, Natural, SecretNatural, euclid, inverse, words};

/// What exponentiation needs of a modulus. It is wiped when dropped, since it may be a secret's.
pub(crate) struct Parameters {
    value: NonZero<BoxedUint>,
    bits: u32,
    words: Vec<u64>,
    /// `-n^-1 mod 2^64`; a kernel of a smaller radix takes the low bits.
    k0: u64,
    /// For each [`Form`], `R^2 mod n` as 64-bit words.
    squares: [Vec<u64>; Form::ALL.len()],
    #[cfg(target_arch = "x86_64")]
    /// Has a place of its own: where there is none, no bytes of the stack lie in its stead.
    root: Option<Box<Root>>,
}

/// What a modulus that is a square has for the kernel that works with pairs: `(a, b)` stands for `a + b n`, where `n` is
/// the root. Its radix `R` is the one that belongs to the root.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Root {
    pub(crate) parameters: Arc<Parameters>,
    /// `R^2` and `R^3`, as pairs of 64-bit words.
    pub(crate) powers: [[Vec<u64>; 2]; 2],
    /// `1 - R` modulo the root, or the root more.
    pub(crate) complement: Vec<u64>,
}

#[cfg(target_arch = "x86_64")]
impl Root {
    fn new(root: &Arc<Parameters>, square: &Parameters, public: bool) -> Self {
        let (radix, len) = (Form::Ifma.radix_bits(root.bits), root.words.len());
        let n = SecretNatural::from_words(&root.words, root.bits);
        let power = |exponent: u32| {
            let power = Zeroizing::new(power_of_two(&square.value, exponent * radix, public));
            let (high, low) = if public {
                power.div_rem_vartime(&root.value)
            } else {
                power.div_rem(&root.value)
            };
            let halves = [low, high].map(Zeroizing::new);
            halves.map(|half| words::to_words(&half, len))
        };
        let one = SecretNatural::from_words(&[1], 1);
        let radix = SecretNatural::new(power_of_two(&root.value, radix, public), root.bits);
        let (complement, _) = n.add(&one).abs_diff(&radix);
        Self {
            parameters: Arc::clone(root),
            powers: [power(2), power(3)],
            complement: words::to_words(complement.as_uint(), len + 1),
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Drop for Root {
    fn drop(&mut self) {
        self.powers.zeroize();
        self.complement.zeroize();
    }
}

impl Drop for Parameters {
    fn drop(&mut self) {
        self.value.zeroize();
        self.words.zeroize();
        self.k0.zeroize();
        self.squares.zeroize();
    }
}

impl Parameters {
    /// Constant time in the value for a given bound of `bits` bits, unless it is public.
    fn new(value: BoxedUint, bits: u32, public: bool) -> Result<Self, Error> {
        let value = Zeroizing::new(value);
        if bits > MAX_BITS {
            return Err(Error::LargeModulus);
        }
        // An even number is refused, so this bit of one that is not says nothing.
        if declassify(value.as_words().first().is_none_or(|w| w & 1 == 0)) {
            return Err(Error::EvenModulus);
        }
        if bits < 2 {
            return Err(Error::SmallModulus);
        }
        let value = (&*value).resize_unchecked(bits);
        let words = words::to_words(&value, words::words_for(bits));
        // An odd number is not zero.
        let value = declassify(NonZero::new(value)).into_option().ok_or(Error::SmallModulus)?;
        let k0 = words.first().map_or(0, |&n| inverse_word(n).wrapping_neg());
        let squares = squares(&value, &words, bits, public);
        Ok(Self {
            value,
            bits,
            words,
            k0,
            squares,
            #[cfg(target_arch = "x86_64")]
            root: None,
        })
    }

    /// The square of these parameters' modulus, of the bound of a product.
    fn square_of(root: &Arc<Self>, bits: u32, public: bool) -> Result<Self, Error> {
        let n = SecretNatural::from_words(&root.words, root.bits);
        #[cfg_attr(
            not(target_arch = "x86_64"),
            expect(unused_mut, reason = "no kernel has use for a root")
        )]
        let mut parameters = Self::new(n.mul(&n).as_uint().clone(), bits, public)?;
        #[cfg(target_arch = "x86_64")]
        {
            parameters.root = Some(Box::new(Root::new(root, &parameters, public)));
        }
        Ok(parameters)
    }

    /// What a square has of its root.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn root(&self) -> Option<&Root> {
        self.root.as_deref()
    }

    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(crate) fn k0(&self) -> u64 {
        self.k0
    }

    pub(crate) fn square(&self, form: Form) -> &[u64] {
        self.squares.get(form as usize).map_or(&[], Vec::as_slice)
    }
}

/// `R^2 mod n` for each [`Form`]: one division for the smallest radix, and doublings from there on.
fn squares(
    value: &NonZero<BoxedUint>,
    words: &[u64],
    bits: u32,
    public: bool,
) -> [Vec<u64>; Form::ALL.len()] {
    let mut forms = Form::ALL.map(|form| (form.radix_bits(bits), form as usize));
    forms.sort_unstable();
    let (mut radix, _) = forms.first().copied().unwrap_or_default();
    let first = Zeroizing::new(power_of_two(value, 2 * radix, public));
    let mut square = Zeroizing::new(words::to_words(&first, words.len()));
    let mut spare = square.clone();
    let mut squares = Form::ALL.map(|_| Vec::new());
    for (next, form) in forms {
        for _ in 2 * radix..2 * next {
            words::double_mod(&mut square, words, &mut spare);
        }
        radix = next;
        if let Some(place) = squares.get_mut(form) {
            *place = square.to_vec();
        }
    }
    squares
}

/// `2^exponent mod value`.
fn power_of_two(value: &NonZero<BoxedUint>, exponent: u32, public: bool) -> BoxedUint {
    let power = BoxedUint::one_with_precision(exponent + 1).unbounded_shl_vartime(exponent);
    if public { power.rem_vartime(value) } else { remainder(&power, value) }
}

/// The residue of a secret; the quotient, which tells of it too, is wiped.
fn remainder(value: &BoxedUint, modulus: &NonZero<BoxedUint>) -> BoxedUint {
    let (mut quotient, remainder) = value.div_rem(modulus);
    quotient.zeroize();
    remainder
}

/// The inverse of an odd word modulo 2^64, by Newton's iteration; each step doubles the bits that are right.
pub(crate) fn inverse_word(n: u64) -> u64 {
    let mut x = n.wrapping_mul(3) ^ 2; // right to 5 bits
    for _ in 0..4 {
        x = x.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(x)));
    }
    x
}

/// A public odd modulus of at least 3. Copies share what was worked out.
#[derive(Clone)]
pub struct Modulus {
    parameters: Arc<Parameters>,
    value: Arc<Natural>,
}

impl fmt::Debug for Modulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Modulus").field(&self.value).finish()
    }
}

impl PartialEq for Modulus {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Modulus {}

impl Modulus {
    /// Works out what exponentiation under `value` needs.
    ///
    /// # Errors
    /// [`Error::EvenModulus`], [`Error::SmallModulus`], [`Error::LargeModulus`].
    pub fn new(value: &Natural) -> Result<Self, Error> {
        let parameters = Parameters::new(value.as_uint().clone(), value.bits(), true)?;
        Ok(Self { parameters: Arc::new(parameters), value: Arc::new(value.clone()) })
    }

    /// The modulus `root^2`, which engines may treat better than one of which that is not known.
    ///
    /// # Errors
    /// [`Error::LargeModulus`]
    pub fn square_of(root: &Self) -> Result<Self, Error> {
        let value = root.value.mul(&root.value);
        let parameters = Parameters::square_of(&root.parameters, value.bits(), true)?;
        Ok(Self { parameters: Arc::new(parameters), value: Arc::new(value) })
    }

    pub(crate) fn parameters(&self) -> &Arc<Parameters> {
        &self.parameters
    }

    /// This modulus, for numbers that are secret.
    #[must_use]
    pub fn for_secrets(&self) -> SecretModulus {
        SecretModulus { parameters: Arc::clone(&self.parameters) }
    }

    /// The modulus as a number.
    #[must_use]
    pub fn value(&self) -> &Natural {
        &self.value
    }

    /// Its length in bits.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.parameters.bits
    }

    /// The residue of a number, in `[0, n)`.
    #[must_use]
    pub fn reduce(&self, value: &Natural) -> Natural {
        if value < self.value() {
            return value.clone();
        }
        Natural::new(value.as_uint().rem_vartime(&self.parameters.value))
    }

    /// The product of two numbers, reduced.
    #[must_use]
    pub fn mul(&self, a: &Natural, b: &Natural) -> Natural {
        self.reduce(&a.mul(b))
    }

    /// The sum of two numbers, reduced.
    #[must_use]
    pub fn add(&self, a: &Natural, b: &Natural) -> Natural {
        self.reduce(&a.add(b))
    }

    /// `n - a` for the residue `a` of a number, 0 for 0.
    #[must_use]
    pub fn neg(&self, a: &Natural) -> Natural {
        let a = self.reduce(a);
        if a.is_zero() { a } else { self.value.checked_sub(&a).unwrap_or(a) }
    }

    /// The inverse of a unit.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] if the number and the modulus have a common factor.
    pub fn inverse(&self, a: &Natural) -> Result<Natural, Error> {
        euclid::inverse_vartime(&self.reduce(a), self.value()).ok_or(Error::NotInvertible)
    }

    /// Whether the number is in `[1, n)` and has no common factor with the modulus.
    #[must_use]
    pub fn is_unit(&self, a: &Natural) -> bool {
        a < self.value() && !a.is_zero() && a.gcd(self.value()) == Natural::one()
    }

    /// The Jacobi symbol `(a / n)`: -1, 0 or 1.
    #[must_use]
    pub fn jacobi(&self, a: &Natural) -> i8 {
        euclid::jacobi_vartime(&self.reduce(a), self.value())
    }
}

/// A secret odd modulus of at least 3 and of a public length: one of the factors of a key.
pub struct SecretModulus {
    parameters: Arc<Parameters>,
}

impl fmt::Debug for SecretModulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretModulus")
    }
}

impl SecretModulus {
    /// Works out what exponentiation under `value` needs; the bound of `value` becomes the public length.
    ///
    /// # Errors
    /// [`Error::EvenModulus`], [`Error::SmallModulus`], [`Error::LargeModulus`].
    pub fn new(value: &SecretNatural) -> Result<Self, Error> {
        let parameters = Parameters::new(value.as_uint().clone(), value.bits(), false)?;
        // One is refused.
        if declassify(bool::from(parameters.value.is_one())) {
            return Err(Error::SmallModulus);
        }
        Ok(Self { parameters: Arc::new(parameters) })
    }

    /// The modulus `root^2`, of twice the public length; see [`Modulus::square_of`].
    ///
    /// # Errors
    /// [`Error::LargeModulus`]
    pub fn square_of(root: &Self) -> Result<Self, Error> {
        let parameters = Parameters::square_of(&root.parameters, 2 * root.bits(), false)?;
        Ok(Self { parameters: Arc::new(parameters) })
    }

    pub(crate) fn parameters(&self) -> &Arc<Parameters> {
        &self.parameters
    }

    /// The public bound of its length in bits.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.parameters.bits
    }

    /// The modulus as a number.
    #[must_use]
    pub fn value(&self) -> SecretNatural {
        SecretNatural::from_words(&self.parameters.words, self.parameters.bits)
    }

    /// The residue of a secret.
    #[must_use]
    pub fn reduce(&self, value: &SecretNatural) -> SecretNatural {
        SecretNatural::new(remainder(value.as_uint(), &self.parameters.value), self.bits())
    }

    /// The product of two secrets, reduced.
    #[must_use]
    pub fn mul(&self, a: &SecretNatural, b: &SecretNatural) -> SecretNatural {
        self.reduce(&a.mul(b))
    }

    /// `a - b` reduced, for two residues.
    #[must_use]
    pub fn sub(&self, a: &SecretNatural, b: &SecretNatural) -> SecretNatural {
        let (difference, below) = a.abs_diff(b);
        self.negate_if(&self.reduce(&difference), below)
    }

    /// The residue `a`, or `n - a` where `negate`; 0 stays 0.
    pub(crate) fn negate_if(&self, a: &SecretNatural, negate: Choice) -> SecretNatural {
        let value = self.value();
        let (negated, _) = value.abs_diff(a);
        let chosen = select(a.as_uint(), negated.as_uint(), negate & !a.is_zero());
        SecretNatural::new(chosen, self.bits())
    }

    /// The inverse of a unit, in constant time.
    ///
    /// # Errors
    /// [`Error::NotInvertible`]
    pub fn inverse(&self, a: &SecretNatural) -> Result<SecretNatural, Error> {
        let n = self.parameters.words();
        let reduced = self.reduce(a).to_words(n.len());
        let inverse = inverse::inverse(&reduced, n, self.bits()).ok_or(Error::NotInvertible)?;
        Ok(SecretNatural::from_words(&inverse, self.bits()))
    }
}

impl ConstantTimeEq for SecretModulus {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.parameters.words.ct_eq(&other.parameters.words)
    }
}
