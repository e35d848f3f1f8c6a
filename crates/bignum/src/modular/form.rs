//! The forms of numbers, and the Montgomery radix of each.

/// The form in which a kernel writes its numbers. It decides the Montgomery radix `R` for a modulus of a given
/// length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// 64-bit limbs, a multiple of eight of them.
    Words,
    /// 52-bit limbs, a multiple of ten of them, and at least 8 bits to spare.
    #[cfg(target_arch = "x86_64")]
    Ifma,
    /// 52-bit limbs, a multiple of eight of them, and at least 8 bits to spare.
    #[cfg(target_arch = "x86_64")]
    IfmaOne,
    /// 51-bit limbs, at least eight of them, and at least 8 bits to spare.
    #[cfg(target_arch = "x86_64")]
    Fma,
    /// 51-bit limbs, a multiple of four of them and at least eight, and at least 9 bits to spare.
    #[cfg(target_arch = "x86_64")]
    FmaOne,
    /// 28-bit limbs, a multiple of four of them, and at least 8 bits to spare.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd,
    /// 51-bit limbs, and at least 8 bits to spare.
    #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
    Relaxed,
    /// 51-bit limbs, an even number of them, and at least 8 bits to spare.
    #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
    RelaxedOne,
}

/// Each form is at the place of its discriminant in [`Form::ALL`].
const _: () = {
    let mut rest = Form::ALL.as_slice();
    while let [before @ .., last] = rest {
        assert!(*last as usize == before.len());
        rest = before;
    }
};

impl Form {
    /// The forms that this target can use, in the order of their discriminants.
    #[cfg(target_arch = "x86_64")]
    pub(crate) const ALL: [Self; 5] =
        [Self::Words, Self::Ifma, Self::IfmaOne, Self::Fma, Self::FmaOne];
    /// The forms that this target can use.
    #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
    pub(crate) const ALL: [Self; 4] = [Self::Words, Self::Simd, Self::Relaxed, Self::RelaxedOne];
    /// The forms that this target can use.
    #[cfg(all(
        target_arch = "wasm32",
        target_feature = "simd128",
        not(target_feature = "relaxed-simd")
    ))]
    pub(crate) const ALL: [Self; 2] = [Self::Words, Self::Simd];
    /// The forms that this target can use.
    #[cfg(not(any(
        target_arch = "x86_64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )))]
    pub(crate) const ALL: [Self; 1] = [Self::Words];

    /// Bits of a limb.
    pub(crate) const fn radix(self) -> u32 {
        match self {
            Self::Words => 64,
            #[cfg(target_arch = "x86_64")]
            Self::Ifma | Self::IfmaOne => 52,
            #[cfg(target_arch = "x86_64")]
            Self::Fma | Self::FmaOne => 51,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd => 28,
            #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
            Self::Relaxed | Self::RelaxedOne => 51,
        }
    }

    /// Limbs of a number under a modulus of `bits` bits.
    pub(crate) const fn limbs(self, bits: u32) -> u32 {
        match self {
            Self::Words => bits.div_ceil(64).next_multiple_of(8),
            #[cfg(target_arch = "x86_64")]
            Self::Ifma => (bits + 8).div_ceil(52).next_multiple_of(10),
            #[cfg(target_arch = "x86_64")]
            Self::IfmaOne => (bits + 8).div_ceil(52).next_multiple_of(8),
            #[cfg(target_arch = "x86_64")]
            Self::Fma => match (bits + 8).div_ceil(51) {
                0..8 => 8,
                limbs => limbs,
            },
            #[cfg(target_arch = "x86_64")]
            Self::FmaOne => match (bits + 9).div_ceil(51).next_multiple_of(4) {
                0..8 => 8,
                limbs => limbs,
            },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd => (bits + 8).div_ceil(28).next_multiple_of(4),
            #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
            Self::Relaxed => (bits + 8).div_ceil(51),
            #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
            Self::RelaxedOne => (bits + 8).div_ceil(51).next_multiple_of(2),
        }
    }

    /// `log2 R` for a modulus of `bits` bits.
    pub(crate) const fn radix_bits(self, bits: u32) -> u32 {
        self.radix() * self.limbs(bits)
    }
}
