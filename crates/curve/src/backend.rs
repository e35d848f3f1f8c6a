//! Code common to the wrappers of the backends' types.

/// Defines `Scalar` over one of crrl's scalar types, which are `Copy`, constant time, and know
/// nothing of `zeroize`.
macro_rules! scalar_over_crrl {
    ($order:literal, $inner:ty) => {
        #[doc = concat!("An integer modulo ", $order, ".")]
        #[derive(Clone, Copy)]
        pub struct Scalar(pub(crate) $inner);

        impl Default for Scalar {
            fn default() -> Self {
                Self(<$inner>::ZERO)
            }
        }

        impl zeroize::DefaultIsZeroes for Scalar {}

        impl PartialEq for Scalar {
            fn eq(&self, other: &Self) -> bool {
                self.0.equals(other.0) != 0
            }
        }

        impl Eq for Scalar {}

        impl From<u64> for Scalar {
            fn from(value: u64) -> Self {
                Self(<$inner>::from_u64(value))
            }
        }

        operator!(Scalar, Add, add);
        operator!(Scalar, Sub, sub);
        operator!(Scalar, Mul, mul);

        impl core::ops::Neg for Scalar {
            type Output = Self;

            fn neg(self) -> Self {
                Self(-self.0)
            }
        }
    };
}

/// Defines the operators of `Point`, a wrapper of a backend's point.
macro_rules! point_operators {
    () => {
        operator!(Point, Add, add);
        operator!(Point, Sub, sub);

        impl core::ops::Neg for Point {
            type Output = Self;

            fn neg(self) -> Self {
                Self(-self.0)
            }
        }
    };
}

/// Defines the operators of `Point`, a wrapper of [`crate::edwards::Edwards`].
macro_rules! edwards_operators {
    () => {
        impl core::ops::Add for Point {
            type Output = Self;

            fn add(self, other: Self) -> Self {
                Self(self.0.plus(&other.0))
            }
        }

        impl core::ops::Sub for Point {
            type Output = Self;

            fn sub(self, other: Self) -> Self {
                Self(self.0.minus(&other.0))
            }
        }

        impl core::ops::Neg for Point {
            type Output = Self;

            fn neg(self) -> Self {
                Self(self.0.negated())
            }
        }
    };
}

/// Defines equality of `Point` over one of crrl's types.
macro_rules! point_equality_over_crrl {
    () => {
        impl PartialEq for Point {
            fn eq(&self, other: &Self) -> bool {
                self.0.equals(other.0) != 0
            }
        }

        impl Eq for Point {}
    };
}

/// Defines `Debug` of `Point`, by the encoding that the curve gives it.
macro_rules! point_debug {
    ($curve:ty) => {
        impl core::fmt::Debug for Point {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let bytes = <$curve as $crate::Curve>::encode_point(self);
                $crate::bytes::write_hex(f, bytes.as_ref())
            }
        }
    };
}

/// Defines one binary operator of a wrapper.
macro_rules! operator {
    ($type:ident, $trait:ident, $function:ident) => {
        impl core::ops::$trait for $type {
            type Output = Self;

            fn $function(self, other: Self) -> Self {
                Self(core::ops::$trait::$function(self.0, other.0))
            }
        }
    };
}
