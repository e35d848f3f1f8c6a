//! Reading and writing of every stored and sent form: `version ‖ kind ‖ suite ‖ body`, numbers
//! big-endian, points and scalars in the suite's own encoding. See `docs/wire.md`.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_session::PartyId;

use crate::error::DecodeError;
use crate::suite::{KeySuite, Point, PointBytes, Scalar, point_len, scalar_len};

/// The version of every form of this release.
pub(crate) const VERSION: u8 = 1;
/// Bytes of the header.
pub(crate) const HEADER: usize = 3;

/// The kind of an object, its second byte.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    KeyShare = 1,
    PublicKeyPackage = 2,
    DealtShare = 3,
    Commitments = 4,
    SigningPackage = 5,
    SignatureShare = 6,
    NonceBatch = 7,
}

/// The name of a kind, for messages.
const fn name(kind: u8) -> &'static str {
    match kind {
        1 => "a key share",
        2 => "a public key package",
        3 => "a dealt share",
        4 => "commitments",
        5 => "a signing package",
        6 => "a signature share",
        7 => "a nonce batch",
        _ => "another object",
    }
}

/// Starts an encoding, with room for `body` bytes.
pub(crate) fn start<S: KeySuite>(kind: Kind, body: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER.saturating_add(body));
    bytes.extend_from_slice(&[VERSION, kind as u8, S::CODE]);
    bytes
}

/// Appends a party's number.
pub(crate) fn put_id(bytes: &mut Vec<u8>, id: PartyId) {
    bytes.extend_from_slice(&id.get().to_be_bytes());
}

/// A strict reader.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Reads the header of a form.
    pub(crate) fn open<S: KeySuite>(bytes: &'a [u8], kind: Kind) -> Result<Self, DecodeError> {
        let ([version, found, suite], body) =
            bytes.split_first_chunk::<HEADER>().ok_or(DecodeError::Truncated)?;
        if *version != VERSION {
            return Err(DecodeError::UnknownVersion { found: *version });
        }
        if *found != kind as u8 {
            return Err(DecodeError::WrongKind { expected: name(kind as u8), found: name(*found) });
        }
        if *suite != S::CODE {
            return Err(DecodeError::WrongSuite { expected: S::CONTEXT, found: *suite });
        }
        Ok(Self(body))
    }

    /// Reads a body without a header.
    pub(crate) fn bare(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let (head, rest) = self.0.split_at_checked(length).ok_or(DecodeError::Truncated)?;
        self.0 = rest;
        Ok(head)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (head, rest) = self.0.split_first_chunk().ok_or(DecodeError::Truncated)?;
        self.0 = rest;
        Ok(*head)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, DecodeError> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, DecodeError> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn id(&mut self) -> Result<PartyId, DecodeError> {
        let number = self.u16()?;
        PartyId::new(number).ok_or(DecodeError::BadIdentifier(number))
    }

    pub(crate) fn scalar<S: KeySuite>(&mut self) -> Result<Scalar<S>, DecodeError> {
        let bytes = self.bytes(scalar_len::<S>())?;
        S::Curve::decode_scalar(bytes).ok_or(DecodeError::BadScalar)
    }

    /// A point with the bytes that it came in.
    pub(crate) fn point<S: KeySuite>(&mut self) -> Result<(Point<S>, PointBytes<S>), DecodeError> {
        let bytes = self.bytes(point_len::<S>())?;
        let point = S::Curve::decode_point(bytes).ok_or(DecodeError::BadPoint)?;
        let canonical = PointBytes::<S>::try_from(bytes).map_err(|_| DecodeError::BadPoint)?;
        Ok((point, canonical))
    }

    /// Whether at least `count` items of `size` bytes can follow: asked before room is made for
    /// them.
    pub(crate) fn expect(&self, count: usize, size: usize) -> Result<(), DecodeError> {
        match count.checked_mul(size) {
            Some(length) if length <= self.0.len() => Ok(()),
            _ => Err(DecodeError::Truncated),
        }
    }

    /// All that is left.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.0
    }

    /// The end.
    pub(crate) fn finish(self) -> Result<(), DecodeError> {
        if self.0.is_empty() { Ok(()) } else { Err(DecodeError::TrailingBytes) }
    }
}
