//! Handles: how a figure names the components of its witness in its maps.

/// A handle of a component: its place among those of its kind, and among all, which is hashed.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            pub(super) at: usize,
            pub(super) component: usize,
        }
    };
}

handle!(
    /// An integer of `±2^bits`, the mask uniform in `±2^(bits + slack)`, the response `mask + e·x` in
    /// `±2^(bits + slack)`; `±2^a` is `|x| <= 2^(a - 1)`.
    IntegerVar
);
handle!(
    /// A unit under `N`: the response is `r ρ^e mod N`.
    UnitVar
);
handle!(
    /// A scalar of the curve.
    ScalarVar
);
handle!(
    /// An exponent of `t`, counted modulo the order, which the prover knows: the response is in `[0, N̂)`.
    ExponentVar
);

/// A commitment `s^x t^μ` of the prover, which travels in the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitmentVar {
    /// The component that hides it.
    pub mu: IntegerVar,
    pub(super) at: usize,
    pub(super) map: usize,
}

/// A component that multiplies a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointVar {
    /// An integer, which counts modulo the order.
    Integer(IntegerVar),
    /// A scalar.
    Scalar(ScalarVar),
}

impl From<IntegerVar> for PointVar {
    fn from(var: IntegerVar) -> Self {
        Self::Integer(var)
    }
}

impl From<ScalarVar> for PointVar {
    fn from(var: ScalarVar) -> Self {
        Self::Scalar(var)
    }
}
