//! The types in which the protocols of `quorate-keys` give out keys of ECDSA.

use quorate_keys::{KeyTypes, SecretShare, SharedKey};

use super::{Ecdsa, KeyShare, PublicKeyPackage};
use crate::EcdsaCurve;

impl<C: EcdsaCurve> KeyTypes for Ecdsa<C> {
    type Public = PublicKeyPackage<C>;
    type Share = KeyShare<C>;

    fn public(shared: SharedKey<Self>) -> PublicKeyPackage<C> {
        shared.into()
    }

    fn key_share(share: SecretShare<Self>, shared: &SharedKey<Self>) -> KeyShare<C> {
        KeyShare::from_parts(share, shared.clone().into())
    }
}
