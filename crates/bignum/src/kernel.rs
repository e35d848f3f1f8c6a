//! Montgomery multiplication, in several ways behind one trait. Only this module and `exponent` know the limbs of
//! a kernel, and only this module has `unsafe` code.
//!
//! A kernel is a file here. It implements the trait [`operations::Kernel`] for a type that only detection makes,
//! with the arithmetic in the folder of that name.

#![allow(
    unsafe_code,
    reason = "SIMD and assembly live here and nowhere else; each block says why it is sound"
)]
#![allow(
    clippy::indexing_slicing,
    reason = "kernels index by loop counters over slices whose lengths they take first; a panic here is a bug of ours, no input's"
)]

pub(crate) mod batch;
pub(crate) mod block;
#[cfg(feature = "counting")]
pub(crate) mod counting;
pub(crate) mod layout;
pub(crate) mod operations;
mod pick;
pub(crate) mod portable;

#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "relaxed-simd")))]
mod float;
#[cfg(target_arch = "x86_64")]
mod fma;
#[cfg(target_arch = "x86_64")]
pub(crate) mod fma1;
#[cfg(target_arch = "x86_64")]
pub(crate) mod fma4;
#[cfg(target_arch = "x86_64")]
mod ifma;
#[cfg(target_arch = "x86_64")]
pub(crate) mod ifma1;
#[cfg(target_arch = "x86_64")]
pub(crate) mod ifma8;
#[cfg(target_arch = "x86_64")]
pub(crate) mod mulx;
#[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
pub(crate) mod relaxed;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod simd;
#[cfg(target_arch = "aarch64")]
pub(crate) mod umulh;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod vectors;
