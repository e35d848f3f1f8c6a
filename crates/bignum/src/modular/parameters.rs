//! Montgomery's constants of a modulus, computed once.
//!
//! Where a modulus is secret, the time depends on the bound of its length alone.

#[cfg(target_arch = "x86_64")]
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crypto_bigint::{BoxedUint, NonZero, Resize};
use quorate_declassify::declassify;
use zeroize::{Zeroize, Zeroizing};

use super::form::Form;
use super::montgomery;
use super::per_form::PerForm;
use crate::error::Error;
use crate::number::limbs::{self, Words, reduce_once, words_for};
use crate::number::secret_natural::SecretNatural;
use crate::number::word::inverse_word;

/// The longest modulus, in bits: the square of one of 3456 bits.
pub const MAX_BITS: u32 = 6912;

/// The constants of a modulus that exponentiation needs. They are wiped when dropped, since the modulus may be secret.
pub(crate) struct Parameters {
    pub(super) value: NonZero<BoxedUint>,
    pub(super) bits: u32,
    words: Vec<u64>,
    /// `-n^-1 mod 2^64`; a kernel of a smaller radix takes the low bits.
    k0: u64,
    squares: Squares,
    /// The root of a square. It is boxed, so that a modulus without a root has no stack bytes in its place.
    #[cfg(target_arch = "x86_64")]
    root: Option<Box<Root>>,
}

/// The root of a modulus that is a square, for kernels that work with pairs: `(a, b)` stands for `a + b n`, where `n` is
/// the root.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Root {
    pub(crate) parameters: Arc<Parameters>,
    public: bool,
    constants: PerForm<RootConstants>,
}

/// Constants with the radix `R` that belongs to the root.
#[cfg(target_arch = "x86_64")]
pub(crate) struct RootConstants {
    /// `R^2` and `R^3`, as pairs of 64-bit words.
    pub(crate) powers: [[Vec<u64>; 2]; 2],
    /// `1 - R` modulo the root, or the root more.
    pub(crate) complement: Vec<u64>,
}

#[cfg(target_arch = "x86_64")]
impl Root {
    fn new(root: &Arc<Parameters>, square: &Parameters, public: bool) -> Self {
        let constants = PerForm::new(|form| RootConstants::new(form, root, square, public));
        Self { parameters: Arc::clone(root), public, constants }
    }
}

#[cfg(target_arch = "x86_64")]
impl RootConstants {
    /// Nothing for a form whose kernels know no pairs.
    fn new(form: Form, root: &Parameters, square: &Parameters, public: bool) -> Option<Self> {
        if form == Form::Words {
            return None;
        }
        let (radix, len) = (form.radix_bits(root.bits), root.words.len());
        let n = SecretNatural::from_words(&root.words, root.bits);
        let power = |exponent: u32| {
            let power = Zeroizing::new(power_of_two(&square.value, exponent * radix, public));
            let (high, low) = if public {
                power.div_rem_vartime(&root.value)
            } else {
                power.div_rem(&root.value)
            };
            let halves = [low, high].map(Zeroizing::new);
            halves.map(|half| limbs::to_words(&half, len))
        };
        let one = SecretNatural::from_words(&[1], 1);
        let radix = SecretNatural::new(power_of_two(&root.value, radix, public), root.bits);
        let (complement, _) = n.add(&one).abs_diff(&radix);
        Some(Self {
            powers: [power(2), power(3)],
            complement: limbs::to_words(complement.as_uint(), len + 1),
        })
    }
}

#[cfg(target_arch = "x86_64")]
impl Drop for RootConstants {
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
    }
}

impl Parameters {
    /// Constant time in the value for a given bound of `bits` bits, unless it is public.
    pub(super) fn new(value: BoxedUint, bits: u32, public: bool) -> Result<Self, Error> {
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
        let words = limbs::to_words(&value, words_for(bits));
        // An odd number is not zero.
        let value = declassify(NonZero::new(value)).into_option().ok_or(Error::SmallModulus)?;
        let k0 = words.first().map_or(0, |&n| inverse_word(n).wrapping_neg());
        let squares = Squares::new(&value, &words, bits, public);
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
    pub(super) fn square_of(root: &Arc<Self>, bits: u32, public: bool) -> Result<Self, Error> {
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

    /// The root of a square.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn root(&self) -> Option<&Root> {
        self.root.as_deref()
    }

    /// The constants of a square in a form; nothing for one whose kernels know no pairs, or a modulus without a root.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn root_constants(&self, form: Form) -> Option<&RootConstants> {
        let Root { parameters, public, constants } = self.root()?;
        constants.get(form, |form| RootConstants::new(form, parameters, self, *public))
    }

    /// The length of the root, of a square that a kernel may treat as pairs.
    pub(crate) fn root_bits(&self) -> Option<u32> {
        #[cfg(target_arch = "x86_64")]
        return self.root.as_ref().map(|root| root.parameters.bits);
        #[cfg(not(target_arch = "x86_64"))]
        None
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

    /// `R^2 mod n` as 64-bit words.
    pub(crate) fn square(&self, form: Form) -> &[u64] {
        self.squares.of(form, &self.words, self.bits)
    }

    /// One, as a residue.
    pub(crate) fn one(&self) -> Words {
        let mut out = Words::new(vec![0; self.words.len()]);
        if let Some(low) = out.first_mut() {
            *low = 1;
        }
        out
    }

    /// The residue of a number below twice the modulus, given with a word more than the modulus has.
    pub(crate) fn below(&self, mut value: Words) -> Words {
        let len = value.len();
        let n = padded(&self.words, len);
        reduce_once(&mut value, &n, &mut Words::new(vec![0; len]));
        value.truncate(self.words.len());
        value
    }

    /// The residue of a number, by two of Montgomery's reductions in place of a division: `x / R mod n`, which is below R if
    /// `x` is below `R^2`, then times `R^2 / R`. Nothing for a number of more than twice the limbs that the modulus has.
    pub(super) fn residue(&self, value: &BoxedUint) -> Option<Words> {
        let len = Form::Words.limbs(self.bits) as usize;
        if words_for(value.bits_precision()) > 2 * len {
            return None;
        }
        let n = padded(&self.words, len);
        let mut product = Words::new(limbs::to_words(value, 2 * len));
        let mut out = Words::new(vec![0; len]);
        montgomery::reduce(&mut out, &mut product, &n, self.k0);
        montgomery::multiply(&mut product, &out, &padded(self.square(Form::Words), len));
        montgomery::reduce(&mut out, &mut product, &n, self.k0);
        out.truncate(self.words.len());
        Some(out)
    }

    /// `a b mod n` of two residues.
    pub(crate) fn mul(&self, a: &[u64], b: &[u64]) -> Words {
        let len = Form::Words.limbs(self.bits) as usize;
        let n = padded(&self.words, len);
        let mut product = Words::new(vec![0; 2 * len]);
        let mut out = Words::new(vec![0; len]);
        // a b / R, then times R^2 / R.
        montgomery::multiply(&mut product, &padded(a, len), &padded(b, len));
        montgomery::reduce(&mut out, &mut product, &n, self.k0);
        montgomery::multiply(&mut product, &out, &padded(self.square(Form::Words), len));
        montgomery::reduce(&mut out, &mut product, &n, self.k0);
        out.truncate(self.words.len());
        out
    }
}

/// The words with zeros on top, `len` in all. The capacity is exact: a vector that grew would leave a copy
/// behind.
pub(crate) fn padded(words: &[u64], len: usize) -> Words {
    let mut out = Words::new(vec![0; len]);
    out.split_at_mut(words.len()).0.copy_from_slice(words);
    out
}

/// `R^2 mod n` for each [`Form`]: one division for the smallest radix, and doublings from there on.
struct Squares {
    /// The smallest `log2 R`, and its square.
    smallest: (u32, Words),
    /// The squares of larger radices.
    larger: PerForm<Words>,
}

impl Squares {
    fn new(value: &NonZero<BoxedUint>, words: &[u64], bits: u32, public: bool) -> Self {
        let radix = Form::ALL.map(|form| form.radix_bits(bits)).into_iter().min().unwrap_or(0);
        let first = Zeroizing::new(power_of_two(value, 2 * radix, public));
        let smallest = (radix, Words::new(limbs::to_words(&first, words.len())));
        let larger = PerForm::new(|form| larger(&smallest, form, words, bits));
        Self { smallest, larger }
    }

    /// The square of a form's radix under the modulus with these words.
    fn of(&self, form: Form, words: &[u64], bits: u32) -> &[u64] {
        let larger = self.larger.get(form, |form| larger(&self.smallest, form, words, bits));
        larger.unwrap_or(&self.smallest.1)
    }
}

/// The square of a form's radix from that of the smallest one; nothing if it is the smallest.
fn larger((radix, square): &(u32, Words), form: Form, words: &[u64], bits: u32) -> Option<Words> {
    let doublings = 2 * (form.radix_bits(bits) - radix);
    if doublings == 0 {
        return None;
    }
    let (mut square, mut spare) = (square.clone(), square.clone());
    for _ in 0..doublings {
        limbs::double_mod(&mut square, words, &mut spare);
    }
    Some(square)
}

/// `2^exponent mod value`.
fn power_of_two(value: &NonZero<BoxedUint>, exponent: u32, public: bool) -> BoxedUint {
    let power = BoxedUint::one_with_precision(exponent + 1).unbounded_shl_vartime(exponent);
    if public { power.rem_vartime(value) } else { remainder(&power, value) }
}

/// The residue of a secret; the quotient, which tells of it too, is wiped.
pub(super) fn remainder(value: &BoxedUint, modulus: &NonZero<BoxedUint>) -> BoxedUint {
    let (mut quotient, remainder) = value.div_rem(modulus);
    quotient.zeroize();
    remainder
}
