//! The kinds of keys. Each kind is a family of its own: a share of one kind evaluates nothing of another.

use core::fmt::Debug;
use core::marker::PhantomData;

use quorate_frost::KeySuite;

use crate::suite::PrfSuite;
use crate::vrf::VrfSuite;

/// A kind of keys that parties evaluate together.
///
/// The kinds are suites of keys (`KeySuite`) and no suites of signatures: their keys are generated, reshared, repaired and
/// backed up as all others, and they cannot sign.
pub trait KeyKind: KeySuite {
    /// `true` if the result is a secret of the parties, so that their shares of it have to be encrypted on their way.
    const SECRET: bool;
}

/// A kind of keys of RFC 9497.
pub trait Mode: KeyKind {
    /// The suite.
    type Suite: PrfSuite<Curve = Self::Curve>;
    /// The RFC's number of the mode.
    const MODE: u8;
}

macro_rules! kind {
    ($name:ident, $at:literal, $secret:literal, $what:literal) => {
        #[doc = $what]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name<S>(PhantomData<S>);

        impl<S: PrfSuite> KeySuite for $name<S> {
            type Curve = S::Curve;
            type Hash = S::KeyHash;

            const CONTEXT: &'static str = {
                let [first, second, third, fourth] = S::KEYS;
                match $at {
                    0 => first,
                    1 => second,
                    2 => third,
                    _ => fourth,
                }
            };
            const CODE: u8 = S::CODE + $at;
        }

        impl<S: PrfSuite> KeyKind for $name<S> {
            const SECRET: bool = $secret;
        }
    };
}

macro_rules! mode {
    ($name:ident, $mode:literal) => {
        impl<S: PrfSuite> Mode for $name<S> {
            type Suite = S;
            const MODE: u8 = $mode;
        }
    };
}

kind!(Oprf, 0, false, "Keys of the mode OPRF of RFC 9497: the parties evaluate blinded elements.");
mode!(Oprf, 0);
kind!(Voprf, 1, false, "Keys of the mode VOPRF of RFC 9497: with a proof under the group's key.");
mode!(Voprf, 1);
kind!(
    Poprf,
    2,
    false,
    "Keys of the mode POPRF of RFC 9497. Shares of these do not evaluate: see [`oprf`](crate::oprf)."
);
mode!(Poprf, 2);
kind!(Kdf, 3, true, "Keys from which secret bytes are derived, for an input that the parties see.");

/// Keys of the verifiable random function of RFC 9381.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vrf<V>(PhantomData<V>);

impl<V: VrfSuite> KeySuite for Vrf<V> {
    type Curve = V::Curve;
    type Hash = V::KeyHash;

    const CONTEXT: &'static str = V::KEYS;
    const CODE: u8 = V::CODE;
}

impl<V: VrfSuite> KeyKind for Vrf<V> {
    const SECRET: bool = false;
}
