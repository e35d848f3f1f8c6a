//! Verifying keys as `SubjectPublicKeyInfo` (RFC 5280 and 9881), in DER and PEM. OpenSSL, X.509 and most key stores
//! take a public key in this form.

use alloc::string::String;
use alloc::vec::Vec;

use quorate_session::{pem, wire::bounded};

use crate::level::Level;
use crate::verify::VerifyingKey;

const SEQUENCE: u8 = 0x30;
const BIT_STRING: u8 = 0x03;

impl VerifyingKey {
    /// The key as a `SubjectPublicKeyInfo` in DER (RFC 9881, §4): the level's object identifier without parameters,
    /// and the encoding of FIPS 204 as a bit string. It has 1334, 1974 or 2614 bytes.
    #[must_use]
    pub fn to_spki_der(&self) -> Vec<u8> {
        let key = self.to_bytes();
        // A bit string begins with the number of unused bits at its end.
        let string = element(BIT_STRING, &[&[0], &key]);
        element(SEQUENCE, &[&algorithm(self.level()), &string])
    }

    /// [`Self::to_spki_der`] as text (PEM, RFC 7468), which `openssl pkeyutl -verify -pubin` reads from version 3.5
    /// on.
    #[must_use]
    pub fn to_spki_pem(&self) -> String {
        pem::encode("PUBLIC KEY", &self.to_spki_der())
    }
}

/// The `AlgorithmIdentifier` of a level: 2.16.840.1.101.3.4.3.17 to 19, without parameters (RFC 9881, §2).
const fn algorithm(level: Level) -> [u8; 13] {
    let last = match level {
        Level::MlDsa44 => 17,
        Level::MlDsa65 => 18,
        Level::MlDsa87 => 19,
    };
    [SEQUENCE, 11, 6, 9, 0x60, 0x86, 0x48, 1, 101, 3, 4, 3, last]
}

/// An element of DER of 256 to 65 535 bytes. All elements here have such a length.
fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut der = Vec::with_capacity(4 + length);
    der.extend_from_slice(&[tag, 0x82]);
    der.extend_from_slice(&bounded::<u16>(length).to_be_bytes());
    parts.iter().for_each(|part| der.extend_from_slice(part));
    der
}
