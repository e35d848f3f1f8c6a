//! Security levels: the sizes of all numbers, fixed together.

/// Sizes of moduli. There are two, and no way to have others:
///
/// ```
/// use quorate_paillier::Level;
/// assert_eq!(Level::ALL.map(Level::modulus_bits), [3072, 2048]);
/// ```
///
/// The lengths of the intervals are the same at both levels: they follow from the order of the curve, of 256 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Level {
    /// Moduli of exactly 3072 bits, about 128 bits of security against factoring (NIST SP 800-57).
    #[default]
    Bits128,
    /// Moduli of exactly 2048 bits, about 112 bits of security: to compare with systems that use this size.
    Bits112,
    /// Moduli of 768 bits with shorter intervals, which protect nothing: for fuzzing and tests, where a run has to be
    /// short. The feature `testing` alone has it, so that code built without it can neither name nor read it.
    #[cfg(feature = "testing")]
    #[doc(hidden)]
    Toy,
}

/// `ℓ`: secrets of the curve's size lie in `±2^ℓ`.
pub const ELL: u32 = 256;
/// `ℓ'`: the masks of multiplied shares lie in `±2^ℓ'`.
pub const ELL_PRIME: u32 = 1280;
/// `ε`: the slack of a range proof, which hides the secret within the response.
pub const EPSILON: u32 = 512;
/// `m`: how often a proof with one-bit challenges is repeated.
pub const REPETITIONS: usize = 128;

// What the range arguments of CGGMP24 ask for (appendix C.1 of ePrint 2021/060), with κ = ℓ.
const _: () = assert!(EPSILON >= 2 * ELL);
const _: () = assert!(ELL_PRIME >= 3 * ELL + EPSILON);
const _: () = assert!(Level::Bits112.modulus_bits() >= ELL_PRIME + EPSILON + 64);

impl Level {
    /// Every level that protects something.
    pub const ALL: [Self; 2] = [Self::Bits128, Self::Bits112];

    /// Every level that this build can name, for the readers of stored forms.
    #[doc(hidden)]
    pub const NAMED: &[Self] = &[
        Self::Bits128,
        Self::Bits112,
        #[cfg(feature = "testing")]
        Self::Toy,
    ];

    /// The exact length in bits of a modulus `N` or `N̂`: 3072 or 2048.
    #[must_use]
    pub const fn modulus_bits(self) -> u32 {
        2 * self.prime_bits()
    }

    /// The exact length in bits of each of the two primes: 1536 or 1024.
    #[must_use]
    pub const fn prime_bits(self) -> u32 {
        match self {
            Self::Bits128 => 1536,
            Self::Bits112 => 1024,
            #[cfg(feature = "testing")]
            Self::Toy => 384,
        }
    }

    /// `ℓ'`: the masks of multiplied shares lie in `±2^ℓ'`, see [`ELL_PRIME`].
    #[must_use]
    pub const fn ell_prime(self) -> u32 {
        match self {
            Self::Bits128 | Self::Bits112 => ELL_PRIME,
            #[cfg(feature = "testing")]
            Self::Toy => ELL,
        }
    }

    /// `ε`: the slack of a range proof, see [`EPSILON`].
    #[must_use]
    pub const fn epsilon(self) -> u32 {
        match self {
            Self::Bits128 | Self::Bits112 => EPSILON,
            // An honest response leaves its interval with probability 2^-64.
            #[cfg(feature = "testing")]
            Self::Toy => ELL + 64,
        }
    }

    /// Bytes of a response to a witness of `±2^bits`: a sign, and a magnitude of `±2^(bits + ε)`.
    #[must_use]
    pub const fn response_bytes(self, bits: u32) -> usize {
        1 + (bits + self.epsilon()).div_ceil(8) as usize
    }

    /// Bytes of a number below `N`: 384 or 256.
    #[must_use]
    pub const fn modulus_bytes(self) -> usize {
        2 * self.prime_bytes()
    }

    /// Bytes of a prime: 192 or 128.
    #[must_use]
    pub const fn prime_bytes(self) -> usize {
        (self.prime_bits() >> 3) as usize
    }

    /// Bytes of a ciphertext, a number below `N²`: 768 or 512.
    #[must_use]
    pub const fn ciphertext_bytes(self) -> usize {
        2 * self.modulus_bytes()
    }

    /// The level's number in stored forms.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Bits128 => 1,
            Self::Bits112 => 2,
            #[cfg(feature = "testing")]
            Self::Toy => 0x7f,
        }
    }
}
