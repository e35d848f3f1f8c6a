//! The types in which the protocols of `quorate-keys` give out keys of ECDSA.

use quorate_keys::{KeyTypes, SecretShare, SharedKey};

use super::{Ecdsa, KeyInfo, KeyShare};
use crate::EcdsaCurve;

impl<C: EcdsaCurve> KeyTypes for Ecdsa<C> {
    type Public = KeyInfo<C>;
    type Share = KeyShare<C>;

    fn public(shared: SharedKey<Self>) -> KeyInfo<C> {
        shared.into()
    }

    fn share(share: SecretShare<Self>, shared: &SharedKey<Self>) -> KeyShare<C> {
        KeyShare::from_parts(share, shared.clone().into())
    }
}
