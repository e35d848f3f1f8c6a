//! Threshold signatures for C: the objects of `quorate-ffi` behind opaque handles.
//!
//! The documentation is the header, `include/quorate.h`, which a test generates from these sources. Functions take handles as
//! `Option<&Handle>` and outputs as `Option<&mut MaybeUninit<T>>`: to C these are pointers that may be NULL. `memory` has all
//! code that trusts a pointer beyond that.

// The functions have the arguments of the calls beneath, with a length for each pointer, an output and an error.
#![allow(clippy::too_many_arguments)]

mod aux_info;
mod claim;
mod enums;
mod error;
mod frost;
mod handle;
mod key_share;
mod lists;
mod memory;
mod ml_dsa;
mod outcome;
mod presignature;
mod public_key_package;
mod seal_key;
mod session;
mod stepped;
mod task;
mod values;
mod verify;
