//! Message representatives μ, which are what is signed (FIPS 204, §5.2, §5.4, §6.2).

use core::fmt;

use crate::error::MessageError;
use crate::hash::h;

/// The message representative μ = H(tr ‖ M′) of 64 bytes, for one key.
///
/// [`VerifyingKey`](crate::VerifyingKey) computes it from a message or from the digest of a message.
/// [`external`](Self::external) takes one that was computed elsewhere, FIPS 204's *external μ*.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MessageRepresentative([u8; 64]);

impl MessageRepresentative {
    /// Takes a representative that was computed elsewhere. A party that signs it does not know which message or
    /// which key it is for.
    #[must_use]
    pub const fn external(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    /// The 64 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 64] {
        &self.0
    }

    /// μ of a message (ML-DSA), with M′ = 0 ‖ length of the context ‖ context ‖ M.
    pub(crate) fn pure(
        tr: &[u8; 64],
        context: &[u8],
        message: &[u8],
    ) -> Result<Self, MessageError> {
        Ok(Self(h(&[tr, &[0, length(context)?], context, message])))
    }

    /// μ of a digest (HashML-DSA), with M′ = 1 ‖ length of the context ‖ context ‖ OID ‖ digest.
    pub(crate) fn pre_hash(
        tr: &[u8; 64],
        context: &[u8],
        hash: PreHash,
        digest: &[u8],
    ) -> Result<Self, MessageError> {
        let (expected, got) = (hash.digest_len(), digest.len());
        if got != expected {
            return Err(MessageError::WrongDigestLength { expected, got });
        }
        Ok(Self(h(&[tr, &[1, length(context)?], context, &hash.oid(), digest])))
    }
}

fn length(context: &[u8]) -> Result<u8, MessageError> {
    let got = context.len();
    u8::try_from(got).map_err(|_| MessageError::ContextTooLong { got })
}

/// Prints hexadecimal digits.
impl fmt::Debug for MessageRepresentative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MessageRepresentative(")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

/// A hash function of HashML-DSA (FIPS 204, §5.4). The caller computes the digest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PreHash {
    /// SHA-256, 32 bytes.
    Sha256,
    /// SHA-384, 48 bytes.
    Sha384,
    /// SHA-512, 64 bytes.
    Sha512,
    /// SHA-512/256, 32 bytes.
    Sha512_256,
    /// SHA3-256, 32 bytes.
    Sha3_256,
    /// SHA3-384, 48 bytes.
    Sha3_384,
    /// SHA3-512, 64 bytes.
    Sha3_512,
    /// SHAKE128 with 32 bytes.
    Shake128,
    /// SHAKE256 with 64 bytes.
    Shake256,
}

impl PreHash {
    /// Bytes of a digest.
    #[must_use]
    pub const fn digest_len(self) -> usize {
        match self {
            Self::Sha256 | Self::Sha512_256 | Self::Sha3_256 | Self::Shake128 => 32,
            Self::Sha384 | Self::Sha3_384 => 48,
            Self::Sha512 | Self::Sha3_512 | Self::Shake256 => 64,
        }
    }

    /// The object identifier 2.16.840.1.101.3.4.2.x in DER.
    const fn oid(self) -> [u8; 11] {
        let last = match self {
            Self::Sha256 => 1,
            Self::Sha384 => 2,
            Self::Sha512 => 3,
            Self::Sha512_256 => 6,
            Self::Sha3_256 => 8,
            Self::Sha3_384 => 9,
            Self::Sha3_512 => 10,
            Self::Shake128 => 11,
            Self::Shake256 => 12,
        };
        [6, 9, 0x60, 0x86, 0x48, 1, 101, 3, 4, 2, last]
    }
}
