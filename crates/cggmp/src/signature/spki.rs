//! `SubjectPublicKeyInfo` (RFC 5280 and 5480), in DER and PEM: the form in which OpenSSL, X.509 and
//! most key stores take a public key.

use alloc::string::String;
use alloc::vec::Vec;

use quorate_session::pem;

use super::VerifyingKey;
use super::der::{contents, short};
use crate::{DecodeError, EcdsaCurve};

const SEQUENCE: u8 = 0x30;
const BIT_STRING: u8 = 0x03;
const LABEL: &str = "PUBLIC KEY";

impl<C: EcdsaCurve> VerifyingKey<C> {
    /// The key as a `SubjectPublicKeyInfo` in DER: `id-ecPublicKey`, the curve by its name, the
    /// point uncompressed. 88 bytes for secp256k1, 91 for P-256.
    #[must_use]
    pub fn to_spki_der(&self) -> Vec<u8> {
        let point = self.to_uncompressed();
        // A bit string begins with the number of unused bits at its end.
        let string = point.len() + 1;
        let body = C::SPKI_ALGORITHM.len() + 2 + string;
        let mut der = Vec::with_capacity(body.saturating_add(2));
        der.extend_from_slice(&[SEQUENCE, short(body)]);
        der.extend_from_slice(C::SPKI_ALGORITHM);
        der.extend_from_slice(&[BIT_STRING, short(string), 0]);
        der.extend_from_slice(&point);
        der
    }

    /// Reads a `SubjectPublicKeyInfo` in DER, strictly: `id-ecPublicKey`, this curve by its name,
    /// the point uncompressed or compressed.
    ///
    /// # Errors
    /// [`DecodeError::BadDer`] for anything else, [`DecodeError::BadPoint`] if the point is not on
    /// the curve.
    pub fn from_spki_der(der: &[u8]) -> Result<Self, DecodeError> {
        let body = contents(der, SEQUENCE, "expected a SEQUENCE, a SubjectPublicKeyInfo")?;
        let string = body.strip_prefix(C::SPKI_ALGORITHM).ok_or(DecodeError::BadDer(
            "expected id-ecPublicKey with the name of this key's curve as its parameter",
        ))?;
        let bits = contents(string, BIT_STRING, "expected a BIT STRING after the algorithm")?;
        let point = bits.strip_prefix(&[0]).ok_or(DecodeError::BadDer("expected whole bytes"))?;
        if let Ok(point) = point.try_into() {
            return Self::from_uncompressed(point);
        }
        let expected = DecodeError::BadDer("expected a point of 33 or 65 bytes");
        Self::from_bytes(point.try_into().map_err(|_| expected)?)
    }

    /// [`Self::to_spki_der`] as text (PEM, RFC 7468): what `openssl dgst -verify` takes.
    #[must_use]
    pub fn to_spki_pem(&self) -> String {
        pem::encode(LABEL, &self.to_spki_der())
    }

    /// Reads a `PUBLIC KEY` in PEM (RFC 7468), with nothing but white space around it.
    ///
    /// # Errors
    /// [`DecodeError::BadPem`], and those of [`Self::from_spki_der`].
    pub fn from_spki_pem(text: &str) -> Result<Self, DecodeError> {
        Self::from_spki_der(&pem::decode(LABEL, text).map_err(DecodeError::BadPem)?)
    }
}
