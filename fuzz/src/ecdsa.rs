//! Threshold ECDSA.

pub(crate) mod aux_info;
pub(crate) mod evidence;
mod fixture;
mod forms;
pub(crate) mod keys;
pub(crate) mod migrate;
pub(crate) mod operations;
pub(crate) mod presignatures;
pub(crate) mod presigning;
pub(crate) mod seeds;
pub(crate) mod sessions;
pub(crate) mod signatures;
