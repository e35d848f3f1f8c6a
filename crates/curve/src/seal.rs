//! The seal of [`Curve`](crate::Curve).

/// The seal of [`Curve`](crate::Curve). With the feature `testing` a group that counts or a toy group can implement it.
pub trait Seal {}
