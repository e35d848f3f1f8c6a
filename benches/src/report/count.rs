//! The suites of FROST over a curve that counts its multiplications.

use core::marker::PhantomData;

use quorate_frost::{Ciphersuite, KeySuite, PointBytes, ScalarBytes};

pub use quorate_testkit::counting::{Counting, Multiplications, counted};

/// The suite `S` over the counting curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted<S>(PhantomData<S>);

impl<S: Ciphersuite> KeySuite for Counted<S> {
    type Curve = Counting<S::Curve>;
    type Hash = S::Hash;

    const CONTEXT: &'static str = S::CONTEXT;
    const CODE: u8 = S::CODE;
    const EVEN_Y: bool = S::EVEN_Y;
}

impl<S: Ciphersuite> Ciphersuite for Counted<S> {
    type SignatureBytes = S::SignatureBytes;

    fn h2() -> Self::Hash {
        S::h2()
    }

    fn encode_signature(r: &PointBytes<Self>, z: &ScalarBytes<Self>) -> Self::SignatureBytes {
        S::encode_signature(r, z)
    }
}
