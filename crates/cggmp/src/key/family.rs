//! Threshold ECDSA as a family of keys.

use alloc::vec::Vec;
use core::marker::PhantomData;

use quorate_keys::Family;
use quorate_session::wire::Reader;

use super::MAX_PARTIES;
use crate::EcdsaCurve;

/// The family of the ECDSA keys over a curve, for the protocols of [`quorate_keys`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ecdsa<C>(PhantomData<C>);

/// The public data of a key besides its shares, the same in every epoch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyExtra {
    /// The chain code for derivation (BIP-32, SLIP-10), contributed to by all parties.
    pub chain_code: [u8; 32],
    /// rid: the random string that all parties contributed to when the key was made.
    pub rid: [u8; 32],
}

impl<C: EcdsaCurve> Family for Ecdsa<C> {
    type Curve = C;
    type Extra = KeyExtra;

    const NAME: &'static str = C::FAMILY;
    /// 36 for P-256, 37 for secp256k1. FROST's suites are below 32.
    const CODE: u8 = 32 + <C as EcdsaCurve>::CODE;
    const MAX_PARTIES: usize = MAX_PARTIES;

    /// chain code (32) ‖ rid (32).
    fn put_extra(extra: &KeyExtra, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&extra.chain_code);
        bytes.extend_from_slice(&extra.rid);
    }

    fn read_extra(reader: &mut Reader<'_>) -> Option<KeyExtra> {
        Some(KeyExtra { chain_code: reader.array().ok()?, rid: reader.array().ok()? })
    }
}
