//! The types in which the protocols of `quorate-keys` give out keys of a suite.

use quorate_keys::{KeyTypes, SecretShare, SharedKey};

use super::package::PublicKeyPackage;
use super::share::KeyShare;
use crate::family::Frost;
use crate::suite::KeySuite;

impl<S: KeySuite> KeyTypes for Frost<S> {
    type Public = PublicKeyPackage<S>;
    type Share = KeyShare<S>;

    fn public(shared: SharedKey<Self>) -> PublicKeyPackage<S> {
        PublicKeyPackage::from_shared(shared)
    }

    fn key_share(share: SecretShare<Self>, shared: &SharedKey<Self>) -> KeyShare<S> {
        KeyShare::from_shared(share, shared)
    }
}
