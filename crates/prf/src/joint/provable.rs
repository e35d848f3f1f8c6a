//! The kinds of keys that have a proof under the group's key, and the proofs as their RFCs hash them.

use alloc::vec::Vec;
use core::fmt::Debug;

use quorate_curve::Curve;
use quorate_frost::{PointBytes, Scalar};

use crate::kinds::{KeyKind, Voprf, Vrf};
use crate::oprf;
use crate::suite::PrfSuite;
use crate::vrf::{self, VrfProof, VrfSuite};
use crate::wire::Encoded;

/// A kind of keys with a proof under the group's key.
pub trait Provable: KeyKind + sealed::Sealed {
    /// The proof.
    type Proof: Clone + PartialEq + Debug + Send;

    /// `true` if the response is s = r + c·x, `false` if it is s = r − c·x.
    #[doc(hidden)]
    const PLUS: bool;

    /// The weights of the points, and of the results, in their sums M and Z.
    #[doc(hidden)]
    fn weights(
        key: &PointBytes<Self>,
        bases: &[PointBytes<Self>],
        results: &[PointBytes<Self>],
    ) -> Vec<Scalar<Self>>;

    /// The challenge, of the key and of M, Z, U and V.
    #[doc(hidden)]
    fn challenge(key: &PointBytes<Self>, points: &[PointBytes<Self>; 4]) -> Scalar<Self>;

    /// The proof of these parts; `None` if there is no result.
    #[doc(hidden)]
    fn proof(results: &[ProofPoint<Self>], c: Scalar<Self>, s: Scalar<Self>)
    -> Option<Self::Proof>;
}

/// A point of a result, with its encoding.
#[doc(hidden)]
pub type ProofPoint<K> = (<<K as quorate_frost::KeySuite>::Curve as Curve>::Point, PointBytes<K>);

mod sealed {
    use crate::kinds::{Voprf, Vrf};

    /// The seal of [`Provable`](super::Provable).
    pub trait Sealed {}

    impl<S> Sealed for Voprf<S> {}
    impl<V> Sealed for Vrf<V> {}
}

impl<S: PrfSuite> Provable for Voprf<S> {
    type Proof = oprf::Proof<Self>;

    const PLUS: bool = false;

    fn weights(
        key: &PointBytes<Self>,
        bases: &[PointBytes<Self>],
        results: &[PointBytes<Self>],
    ) -> Vec<Scalar<Self>> {
        oprf::weights::<Self>(key.as_ref(), bases, results)
    }

    fn challenge(key: &PointBytes<Self>, points: &[PointBytes<Self>; 4]) -> Scalar<Self> {
        oprf::challenge::<Self>(key.as_ref(), points)
    }

    fn proof(_: &[ProofPoint<Self>], c: Scalar<Self>, s: Scalar<Self>) -> Option<Self::Proof> {
        Some(oprf::Proof { c, s })
    }
}

impl<V: VrfSuite> Provable for Vrf<V> {
    type Proof = VrfProof<V>;

    const PLUS: bool = true;

    fn weights(
        _: &PointBytes<Self>,
        _: &[PointBytes<Self>],
        _: &[PointBytes<Self>],
    ) -> Vec<Scalar<Self>> {
        // A query has one point, M, and one result, Z.
        alloc::vec![Scalar::<Self>::from(1)]
    }

    fn challenge(key: &PointBytes<Self>, points: &[PointBytes<Self>; 4]) -> Scalar<Self> {
        let [h, gamma, u, v] = *points;
        vrf::challenge::<V>(&[*key, h, gamma, u, v])
    }

    fn proof(
        results: &[ProofPoint<Self>],
        c: Scalar<Self>,
        s: Scalar<Self>,
    ) -> Option<Self::Proof> {
        let [(point, bytes)] = *results else { return None };
        Some(VrfProof { gamma: Encoded { point, bytes }, c, s })
    }
}
