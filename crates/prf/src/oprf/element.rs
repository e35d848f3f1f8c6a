//! The elements that a client and the parties send each other.

use core::fmt;

use quorate_frost::{DecodeError, Point, PointBytes};

use crate::kinds::Mode;
use crate::wire::{Encoded, whole};

macro_rules! element {
    ($name:ident, $what:literal) => {
        #[doc = $what]
        ///
        /// An element is in the group and not the identity: nothing else can be read.
        pub struct $name<M: Mode>(pub(crate) Encoded<M>);

        impl<M: Mode> Clone for $name<M> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<M: Mode> Copy for $name<M> {}

        impl<M: Mode> PartialEq for $name<M> {
            fn eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
        }

        impl<M: Mode> Eq for $name<M> {}

        impl<M: Mode> $name<M> {
            /// Reads the RFC's encoding, `DeserializeElement`.
            ///
            /// # Errors
            /// [`DecodeError::BadPoint`] if it is not the canonical encoding of an element other than the identity,
            /// [`DecodeError::Truncated`] or [`DecodeError::TrailingBytes`] if it has another length.
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
                whole(bytes, Encoded::read).map(Self)
            }

            /// The RFC's encoding, `SerializeElement`.
            #[must_use]
            pub fn to_bytes(&self) -> PointBytes<M> {
                self.0.bytes
            }

            #[allow(dead_code, reason = "not for each of the types")]
            pub(crate) fn of(point: Point<M>) -> Self {
                Self(Encoded::new(point))
            }
        }

        impl<M: Mode> fmt::Debug for $name<M> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({:?})"), self.0.point)
            }
        }
    };
}

element!(BlindedElement, "The blinded input of a client, which tells nothing about the input.");
element!(EvaluatedElement, "The result of an evaluation, which only its client can unblind.");
