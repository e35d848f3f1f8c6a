//! The engines. An engine is a value chosen at run time: a variant of [`Kind`], which carries the tokens of detection, and
//! its arm of [`Kind::arm`]. Everything else follows from the arm.

use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroUsize;

#[cfg(any(feature = "gmp", feature = "openssl"))]
use super::foreign::{self, Library};
#[cfg(target_arch = "x86_64")]
use crate::exponent::pairs::Squares;
#[cfg(feature = "counting")]
use crate::kernel::counting::Counting;
#[cfg(target_arch = "x86_64")]
use crate::kernel::fma1::Fma1;
#[cfg(target_arch = "x86_64")]
use crate::kernel::fma4::Fma4;
#[cfg(target_arch = "x86_64")]
use crate::kernel::ifma1::Ifma1;
#[cfg(target_arch = "x86_64")]
use crate::kernel::ifma8::Ifma8;
#[cfg(target_arch = "x86_64")]
use crate::kernel::mulx::Mulx;
use crate::kernel::operations::{Kernel, Shared};
use crate::kernel::portable::Portable;
#[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
use crate::kernel::relaxed::{Relaxed1, Relaxed2};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::kernel::simd::Simd1;
#[cfg(target_arch = "aarch64")]
use crate::kernel::umulh::Umulh;
use crate::modular::parameters::Parameters;

/// Evaluates lists of products. All engines give the same results; they differ in speed and in the machines they run on.
///
/// Features add engines and never change which one [`Engine::detect`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    kind: Kind,
    threads: NonZeroUsize,
}

/// An engine, with its kernels as tokens of detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "aarch64")]
    Aarch64(Umulh),
    #[cfg(target_arch = "x86_64")]
    X86_64(Mulx, Fma1, Fma4, Squares<Fma1>, Squares<Fma4>),
    #[cfg(target_arch = "x86_64")]
    Ifma(Ifma1, Ifma8, Squares<Ifma1>, Squares<Ifma8>),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd(Simd1),
    #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
    Relaxed(Relaxed1, Relaxed2),
    #[cfg(feature = "gmp")]
    Gmp,
    #[cfg(feature = "openssl")]
    OpenSsl,
    #[cfg(feature = "counting")]
    Counting(Counted),
}

/// An engine of this crate that counts.
#[cfg(feature = "counting")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    Portable(Counting<Portable>),
    #[cfg(target_arch = "aarch64")]
    Aarch64(Counting<Umulh>),
    #[cfg(target_arch = "x86_64")]
    X86_64(
        Counting<Mulx>,
        Counting<Fma1>,
        Counting<Fma4>,
        Squares<Counting<Fma1>>,
        Squares<Counting<Fma4>>,
    ),
    #[cfg(target_arch = "x86_64")]
    Ifma(Counting<Ifma1>, Counting<Ifma8>, Squares<Counting<Ifma1>>, Squares<Counting<Ifma8>>),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd(Counting<Simd1>),
    #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
    Relaxed(Counting<Relaxed1>, Counting<Relaxed2>),
}

impl Kind {
    /// The engine's name and workers.
    const fn arm(&self) -> (&'static str, Work<'_>) {
        match self {
            Self::Portable => (
                "portable",
                Work::Kernels(Kernels {
                    one: Alone::with(&Portable),
                    many: &Portable,
                    squares: None,
                }),
            ),
            #[cfg(target_arch = "aarch64")]
            Self::Aarch64(kernel) => {
                let one = Alone::with(kernel);
                ("aarch64", Work::Kernels(Kernels { one, many: kernel, squares: None }))
            }
            #[cfg(target_arch = "x86_64")]
            Self::X86_64(short, long, many, square, squares) => {
                ("x86-64", Work::Kernels(Kernels::x86_64([short, long], many, [square, squares])))
            }
            #[cfg(target_arch = "x86_64")]
            Self::Ifma(one, many, square, squares) => {
                let one = Alone::with(one);
                let squares = Some(SquareKernels { one: square, from: 0, many: squares });
                ("ifma", Work::Kernels(Kernels { one, many, squares }))
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd(kernel) => {
                let one = Alone::with(kernel);
                ("wasm-simd", Work::Kernels(Kernels { one, many: kernel, squares: None }))
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
            Self::Relaxed(one, many) => {
                let one = Alone::with(one);
                ("wasm-relaxed", Work::Kernels(Kernels { one, many, squares: None }))
            }
            #[cfg(feature = "gmp")]
            Self::Gmp => ("gmp", Work::Library(&foreign::Gmp)),
            #[cfg(feature = "openssl")]
            Self::OpenSsl => ("openssl", Work::Library(&foreign::OpenSsl)),
            #[cfg(feature = "counting")]
            Self::Counting(kernels) => {
                let (name, kernels) = kernels.arm();
                (name, Work::Kernels(kernels))
            }
        }
    }
}

/// The workers of an engine.
#[derive(Clone, Copy)]
pub(super) enum Work<'a> {
    /// The kernels of this crate.
    Kernels(Kernels<'a>),
    /// Another library.
    #[cfg(any(feature = "gmp", feature = "openssl"))]
    Library(&'a dyn Library),
}

/// The kernels of an engine.
#[derive(Clone, Copy)]
pub(super) struct Kernels<'a> {
    /// Work on a number alone.
    pub(super) one: Alone<'a>,
    /// Works on numbers side by side, or on one if the engine has no such kernel.
    pub(super) many: &'a dyn Shared,
    /// Work modulo squares whose roots are known, if that is cheaper than with the others.
    pub(super) squares: Option<SquareKernels<'a>>,
}

#[cfg(test)]
impl<'a> Kernels<'a> {
    /// The kernels for one number, which may be the same, and the one for many.
    pub(super) const fn all(&self) -> [&'a dyn Kernel; 3] {
        let [short, long] = self.one.all();
        [short, long, self.many]
    }
}

/// The kernels of an engine for squares.
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "no kernel of this target makes use of roots")
)]
#[derive(Clone, Copy)]
pub(super) struct SquareKernels<'a> {
    /// Works on a number alone.
    pub(super) one: &'a dyn Kernel,
    /// The length of a square from which that is cheaper, in bits.
    pub(super) from: u32,
    /// Works on numbers side by side.
    pub(super) many: &'a dyn Kernel,
}

/// The kernels for a number alone, of which the length of the modulus chooses one.
#[derive(Clone, Copy)]
pub(super) struct Alone<'a> {
    short: &'a dyn Kernel,
    long: &'a dyn Kernel,
    /// The length from which moduli are long, in bits.
    from: u32,
}

impl<'a> Alone<'a> {
    /// One kernel for all lengths.
    pub(super) const fn with(kernel: &'a dyn Kernel) -> Self {
        Self { short: kernel, long: kernel, from: 0 }
    }

    /// The kernel for a modulus of `bits` bits.
    pub(super) const fn kernel(self, bits: u32) -> &'a dyn Kernel {
        if bits < self.from { self.short } else { self.long }
    }

    /// The kernels, which may be the same.
    #[cfg(test)]
    pub(super) const fn all(self) -> [&'a dyn Kernel; 2] {
        [self.short, self.long]
    }
}

impl<'a> Kernels<'a> {
    /// The kernel for a number alone under this modulus.
    pub(super) fn alone(&self, modulus: &Parameters) -> &'a dyn Kernel {
        let bits = modulus.bits();
        match self.squares {
            Some(squares) if modulus.root_bits().is_some() && bits >= squares.from => squares.one,
            _ => self.one.kernel(bits),
        }
    }

    /// The kernels without AVX-512: for a number alone in integers and in floating point, for several, and the last two under
    /// squares.
    #[cfg(target_arch = "x86_64")]
    pub(super) const fn x86_64(
        [short, long]: [&'a dyn Kernel; 2],
        many: &'a dyn Shared,
        [square, squares]: [&'a dyn Kernel; 2],
    ) -> Self {
        let squares = SquareKernels { one: square, from: LONG_SQUARE, many: squares };
        Self { one: Alone { short, long, from: LONG }, many, squares: Some(squares) }
    }
}

/// The length from which floating point is faster for a number alone. Integers go in steps of 512 bits, so that it is faster
/// for some lengths below 1024 bits too, but not for that one.
#[cfg(target_arch = "x86_64")]
const LONG: u32 = 1025;

/// The length of a square from which pairs are faster than it as a whole, both in floating point.
#[cfg(target_arch = "x86_64")]
const LONG_SQUARE: u32 = 2048;

impl Engine {
    const fn new(kind: Kind) -> Self {
        Self { kind, threads: NonZeroUsize::MIN }
    }

    /// The fastest engine of this crate that runs on this machine. Without the `std` feature nothing is detected on
    /// x86-64, and it is the portable one there.
    #[must_use]
    pub fn detect() -> Self {
        let x86 = [Self::ifma(), Self::x86_64()];
        let others = [Self::aarch64(), Self::wasm_relaxed(), Self::wasm_simd()];
        x86.into_iter().chain(others).flatten().next().unwrap_or(Self::portable())
    }

    /// Safe Rust for any target.
    #[must_use]
    pub const fn portable() -> Self {
        Self::new(Kind::Portable)
    }

    /// The multiplication of 64-bit Arm, `umulh`, in assembly; `None` on other processors. Nothing is detected, so it is
    /// there without the `std` feature too.
    #[must_use]
    pub const fn aarch64() -> Option<Self> {
        #[cfg(target_arch = "aarch64")]
        if let Some(kernel) = Umulh::detect() {
            return Some(Self::new(Kind::Aarch64(kernel)));
        }
        None
    }

    /// BMI2 and ADX multiplication for short numbers alone, and AVX2 with FMA for lists and long ones; `None` if the machine
    /// lacks any of them.
    #[must_use]
    pub fn x86_64() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return {
            let (short, long, many) = (Mulx::detect()?, Fma1::detect()?, Fma4::detect()?);
            Some(Self::new(Kind::X86_64(short, long, many, Squares(long), Squares(many))))
        };
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// AVX-512 IFMA; `None` if the machine lacks it.
    #[must_use]
    pub fn ifma() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return {
            let (one, many) = (Ifma1::detect()?, Ifma8::detect()?);
            Some(Self::new(Kind::Ifma(one, many, Squares(one), Squares(many))))
        };
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// Integers in WebAssembly's SIMD. `None` unless the build is for WebAssembly with the target feature `simd128`: a
    /// program cannot ask for it, since a machine without it does not load the program.
    #[must_use]
    pub const fn wasm_simd() -> Option<Self> {
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return Some(Self::new(Kind::Simd(Simd1)));
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        None
    }

    /// Floating point in WebAssembly's relaxed SIMD, and two numbers at a time for lists. `None` unless the build is for
    /// WebAssembly with the target feature `relaxed-simd`, and the machine's multiply-add rounds once.
    #[must_use]
    pub fn wasm_relaxed() -> Option<Self> {
        #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
        return Some(Self::new(Kind::Relaxed(Relaxed1::detect()?, Relaxed2::detect()?)));
        #[cfg(not(all(target_arch = "wasm32", target_feature = "relaxed-simd")))]
        None
    }

    /// GMP, through `rug`: `mpz_powm`, and `mpz_powm_sec` for secrets.
    #[cfg(feature = "gmp")]
    #[must_use]
    pub const fn gmp() -> Self {
        Self::new(Kind::Gmp)
    }

    /// OpenSSL's `BN_mod_exp`, and its constant-time form for secrets.
    #[cfg(feature = "openssl")]
    #[must_use]
    pub const fn openssl() -> Self {
        Self::new(Kind::OpenSsl)
    }

    /// Every engine of this crate that runs on this machine.
    #[must_use]
    pub fn own() -> Vec<Self> {
        let others = [Self::aarch64(), Self::x86_64(), Self::ifma()];
        let wasm = [Self::wasm_simd(), Self::wasm_relaxed()];
        [Some(Self::portable())].into_iter().chain(others).chain(wasm).flatten().collect()
    }

    /// Every engine that is compiled in and that runs on this machine: [`own`](Self::own), and those over other
    /// libraries.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let foreign = [
            #[cfg(feature = "gmp")]
            Some(Self::gmp()),
            #[cfg(feature = "openssl")]
            Some(Self::openssl()),
        ];
        Self::own().into_iter().map(Some).chain(foreign).flatten().collect()
    }

    /// The engine's name: `portable`, `aarch64`, `x86-64`, `ifma`, `wasm-simd`, `wasm-relaxed`, `gmp` or `openssl`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.kind.arm().0
    }

    /// This engine, counting its products for [`counted`](crate::counted). An engine of another library is
    /// returned as it is. It gives the same results and takes longer.
    #[cfg(feature = "counting")]
    #[must_use]
    pub const fn counting(self) -> Self {
        Self::new(match self.kind {
            Kind::Portable => Kind::Counting(Counted::Portable(Counting(Portable))),
            #[cfg(target_arch = "aarch64")]
            Kind::Aarch64(kernel) => Kind::Counting(Counted::Aarch64(Counting(kernel))),
            #[cfg(target_arch = "x86_64")]
            Kind::X86_64(short, long, many, ..) => {
                let (short, long, many) = (Counting(short), Counting(long), Counting(many));
                let squares = (Squares(long), Squares(many));
                Kind::Counting(Counted::X86_64(short, long, many, squares.0, squares.1))
            }
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(one, many, ..) => {
                let (one, many) = (Counting(one), Counting(many));
                Kind::Counting(Counted::Ifma(one, many, Squares(one), Squares(many)))
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd(kernel) => Kind::Counting(Counted::Simd(Counting(kernel))),
            #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
            Kind::Relaxed(one, many) => {
                Kind::Counting(Counted::Relaxed(Counting(one), Counting(many)))
            }
            other => other,
        })
    }

    /// The workers.
    pub(super) const fn work(&self) -> Work<'_> {
        self.kind.arm().1
    }

    /// The threads that a list is spread over.
    #[cfg(feature = "rayon")]
    pub(super) const fn threads(&self) -> NonZeroUsize {
        self.threads
    }

    /// This engine over a number of threads, which live for one call each.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub const fn with_threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
