//! Big modular exponentiation for threshold signatures.
//!
//! The caller describes the work, and then an engine does it. A [`PublicProduct`] or a [`SecretProduct`] lists
//! the powers of bases to be multiplied under a [`Modulus`]. An [`Engine`] evaluates a whole list of products at
//! once. It fills SIMD lanes with products of one size, and shares the squarings of a product. It uses a [`Comb`]
//! for bases that repeat, and halves the numbers if the modulus is [`Factored`].
//!
//! | engine | what it is |
//! |---|---|
//! | [`Engine::portable`] | safe Rust, any target, `no_std` |
//! | [`Engine::aarch64`] | `umulh` of 64-bit Arm, in assembly, `no_std` |
//! | [`Engine::x86_64`] | AVX2 and FMA: four products at a time, or one across the lanes, and BMI2 and ADX for a short one |
//! | [`Engine::ifma`] | AVX-512 IFMA: eight products at a time, or one across the lanes |
//! | [`Engine::wasm_simd`] | WebAssembly with `simd128`: integer vectors across one product |
//! | [`Engine::wasm_relaxed`] | WebAssembly with `relaxed-simd`: floating point, two products at a time, or one across the lanes |
//! | `Engine::gmp` | GMP by `rug`, with feature `gmp` |
//! | `Engine::openssl` | OpenSSL, with feature `openssl`, for comparison |
//!
//! ```
//! use quorate_bignum::{Engine, Integer, Modulus, Natural, PublicProduct};
//!
//! let modulus = Modulus::new(&Natural::from(0xffff_fffb))?;
//! let product = PublicProduct::new(&modulus)
//!     .power(Natural::from(3), Integer::from(Natural::from(20)))
//!     .power(Natural::from(7), Integer::from(Natural::from(2)));
//! let value = Engine::detect().evaluate_vartime(&[product]).remove(0)?;
//! assert_eq!(value, modulus.reduce(&Natural::from(3_486_784_401 * 49)));
//! # Ok::<(), quorate_bignum::Error>(())
//! ```
//!
//! A program for WebAssembly cannot ask for instructions. A build has the engines of those it was made for, by
//! `-C target-feature=+simd128` or `+simd128,+relaxed-simd`, and runs on no machine that lacks them.
//!
//! # Misuse
//! 1. [`PublicProduct`] and everything with `vartime` in its name show their numbers in the time they take. Never
//!    pass a secret to them. The types keep a [`SecretNatural`] out until it is declassified, and declassifying
//!    is a decision.
//! 2. The bases of a [`Factored`] product must be units. A base that shares a factor with the modulus gives a
//!    wrong value (and shows the factor to the party that chose the base).
//! 3. A [`Factored`] modulus is not proved to be made of primes.
//! 4. A search for primes writes to addresses that depend on its secret start. Search for primes only where no
//!    untrusted program shares the processor's caches.
//! 5. The engines `gmp` and `openssl` are as constant time as those libraries are.
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's features at run time |
//! | `counting` | no | engines that count their products: only for measurements |
//! | `gmp` | no | the engine over GMP; its build needs `m4` and `make`, and GMP is under the LGPL |
//! | `openssl` | no | the engine over OpenSSL, for comparison; its build needs the headers of libssl |
//! | `rayon` | no | lists spread over as many threads as the caller provides |
//! | `tracing` | no | a span around each list of powers and each table of a base |

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod engine;
mod error;
mod exponent;
mod kernel;
mod modular;
mod number;
mod prime;

pub use engine::Engine;
#[cfg(feature = "counting")]
pub use engine::Repeated;
pub use error::Error;
pub use exponent::comb::Comb;
pub use exponent::product::{Base, Exponent, PublicProduct, SecretProduct};
#[cfg(feature = "counting")]
pub use kernel::counting::{Made, Operation, Products, counted};
pub use modular::factored::Factored;
pub use modular::modulus::Modulus;
pub use modular::parameters::MAX_BITS;
pub use modular::secret_modulus::SecretModulus;
pub use number::integer::Integer;
pub use number::natural::Natural;
pub use number::secret_integer::SecretInteger;
pub use number::secret_natural::SecretNatural;
pub use prime::{
    BlumPrimeSearch, SafePrimeSearch, SearchProgress, has_factor_below, is_blum_prime,
    is_safe_prime,
};
pub use rand_core;
