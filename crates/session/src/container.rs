//! The container of everything that outlives a process: one header, one length, one digest, and an error for each way
//! in which bytes can differ from what was asked for.
//!
//! | bytes | content |
//! |---|---|
//! | 4 | [`MAGIC`] |
//! | 1 | version of the kind's body, from 1 |
//! | 1 | [kind](Kind) |
//! | 1 | curve, by [`CURVES`]; 0 if it is none of them |
//! | 1 | code of the family of keys |
//! | 4 | length of the body, big-endian |
//! | n | body |
//! | 32 | digest of all bytes before, of the curve's name and of the family's |
//!
//! The digest shows damage, not malice: whoever can write the bytes can write the digest. A sealed container
//! ([`Label::seal`]) has a body of nonce (24) ‖ ciphertext ‖ tag (16), and its header, which stays in clear, is
//! authenticated with it.
//!
//! A kind whose body changes gets the next version, and the reader of that kind still reads all earlier ones: what
//! version 1 wrote opens for ever.

mod sealed;

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

use crate::Transcript;
use crate::wire::{ReadError, Reader, bounded, index};

/// The first bytes of every container.
pub const MAGIC: [u8; 4] = *b"QRTE";
/// Bytes before the body.
pub const HEADER: usize = 12;
/// Bytes after the body.
pub const DIGEST: usize = 32;
/// The version of the first release.
const FIRST: u8 = 1;
/// The bit of a kind's code that says that its body is sealed.
pub const SEALED: u8 = 128;
/// The name that stands for no curve. Its code is 0.
pub const NO_CURVE: &str = "no curve";
/// Where the version stands.
const VERSION: usize = 4;
/// Where the length stands.
const LENGTH: core::ops::Range<usize> = 8..HEADER;

/// The codes of the curves, by their names.
pub const CURVES: [(u8, &str); 5] =
    [(1, "Ed25519"), (2, "ristretto255"), (3, "Ed448"), (4, "P-256"), (5, "secp256k1")];

/// A kind of artefact. Codes 1 to 32 are for FROST, 33 to 64 for threshold ECDSA, 65 to 96 for `quorate-keys`, 97 to 111
/// for this crate, 112 to 127 for others; and each of them with [`SEALED`] added for what is sealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The code.
    pub code: u8,
    /// The artefact in a sentence: `"a share of a key"`.
    pub name: &'static str,
    /// The version that is written. All from 1 to this one are read.
    pub version: u8,
}

/// The label of a container: what it holds, and what that belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// The kind.
    pub kind: Kind,
    /// The name of the curve.
    pub curve: &'static str,
    /// The name of the family of keys, which is hashed into the digest.
    pub family: &'static str,
    /// The code of the family, for a good error.
    pub family_code: u8,
}

/// Bytes that are not the container that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ContainerError {
    /// The first bytes are not [`MAGIC`]: no container at all.
    NotAContainer,
    /// Bytes are missing.
    Truncated {
        /// The number of bytes that the header asks for, or the least that a container has.
        expected: usize,
        /// The number of bytes.
        got: usize,
    },
    /// Bytes follow the container.
    TrailingBytes {
        /// The number of bytes that the header asks for.
        expected: usize,
        /// The number of bytes.
        got: usize,
    },
    /// Written before the first release, in a format that was never published.
    OlderVersion {
        /// The oldest version that is read.
        expected: u8,
        /// The version found.
        got: u8,
    },
    /// Written by a later release.
    NewerVersion {
        /// The newest version that is read.
        expected: u8,
        /// The version found.
        got: u8,
    },
    /// Another kind of artefact.
    WrongKind {
        /// The kind asked for.
        expected: &'static str,
        /// The code found.
        got: u8,
    },
    /// An artefact over another curve.
    WrongCurve {
        /// The curve asked for.
        expected: &'static str,
        /// The code found; see [`CURVES`].
        got: u8,
    },
    /// An artefact of another suite or family over the same curve.
    WrongFamily {
        /// The family asked for.
        expected: &'static str,
        /// The code found.
        got: u8,
    },
    /// The bytes were altered, or are those of another family with the same code.
    Damaged,
}

impl fmt::Display for ContainerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAContainer => {
                f.write_str("expected something stored by this library, got other bytes")
            }
            Self::Truncated { expected, got } => {
                write!(f, "expected {expected} bytes, got {got}: the end is missing")
            }
            Self::TrailingBytes { expected, got } => {
                write!(f, "expected {expected} bytes, got {got}: something follows the end")
            }
            Self::OlderVersion { expected, got } => {
                write!(
                    f,
                    "stored in format version {got}, the oldest that was released is {expected}"
                )
            }
            Self::NewerVersion { expected, got } => {
                write!(
                    f,
                    "stored in format version {got} by a later release, this one opens up to {expected}"
                )
            }
            Self::WrongKind { expected, got } => {
                write!(f, "expected {expected}, got an object of kind {got}")
            }
            Self::WrongCurve { expected, got } => {
                let name = CURVES.iter().find(|(code, _)| code == got).map(|(_, name)| *name);
                match name {
                    Some(name) => {
                        write!(f, "expected an object over {expected}, got one over {name}")
                    }
                    None => write!(
                        f,
                        "expected an object over {expected}, got one over none of the known curves ({got})"
                    ),
                }
            }
            Self::WrongFamily { expected, got } => {
                write!(f, "expected an object of {expected}, got one of the family with code {got}")
            }
            Self::Damaged => f.write_str("the bytes were altered after they were stored"),
        }
    }
}

impl core::error::Error for ContainerError {}

impl ContainerError {
    /// Returns whether the bytes are something else altogether, of another kind, curve, family or version. Then a
    /// message went astray, or a peer has another release, which proves nothing. Otherwise the bytes are what was asked
    /// for, and damaged.
    #[must_use]
    pub const fn is_another_format(self) -> bool {
        match self {
            Self::NotAContainer
            | Self::OlderVersion { .. }
            | Self::NewerVersion { .. }
            | Self::WrongKind { .. }
            | Self::WrongCurve { .. }
            | Self::WrongFamily { .. } => true,
            Self::Truncated { .. } | Self::TrailingBytes { .. } | Self::Damaged => false,
        }
    }
}

/// The code of the family that a container's header names, for a program that opens containers of several families.
/// The code says which family to ask, and no more: only the first bytes are checked.
///
/// # Errors
/// [`ContainerError::NotAContainer`], [`ContainerError::Truncated`].
pub fn family_code(bytes: &[u8]) -> Result<u8, ContainerError> {
    let (&[_, _, _, _, _, _, _, family, ..], _) = split_header(bytes)?;
    Ok(family)
}

/// The header, which begins with [`MAGIC`], and what follows it.
fn split_header(bytes: &[u8]) -> Result<(&[u8; HEADER], &[u8]), ContainerError> {
    if !MAGIC.starts_with(bytes) && !bytes.starts_with(&MAGIC) {
        return Err(ContainerError::NotAContainer);
    }
    let truncated = ContainerError::Truncated { expected: HEADER + DIGEST, got: bytes.len() };
    bytes.split_first_chunk().ok_or(truncated)
}

/// The bytes that the digest of a container covers, for tools that show or alter stored bytes: [`Label::end`] makes a container
/// of them again. `None` for fewer bytes than any container has. Nothing is checked.
#[must_use]
pub fn without_digest(bytes: &[u8]) -> Option<&[u8]> {
    bytes.split_last_chunk::<DIGEST>().map(|(covered, _)| covered).filter(|it| it.len() >= HEADER)
}

/// The body of a container, as [`without_digest`] gives it behind a header.
#[must_use]
pub fn body(bytes: &[u8]) -> Option<&[u8]> {
    without_digest(bytes)?.get(HEADER..)
}

impl Label {
    /// Starts a container, with room for a body of `body` bytes: a body that is longer makes the vector grow, and
    /// copies of a secret stay behind.
    #[must_use]
    pub fn start(&self, body: usize) -> Zeroizing<Vec<u8>> {
        let mut bytes = Vec::with_capacity(body.saturating_add(HEADER + DIGEST));
        self.put_header(&mut bytes);
        Zeroizing::new(bytes)
    }

    /// Appends a container that holds no secret to a buffer of the caller, which can be reused: `write` appends
    /// the body, which has `body` bytes. A body that is longer makes the vector grow.
    ///
    /// # Panics
    /// If the body has 2^32 bytes or more, which the constructor of an object prevents.
    pub fn encode_into(&self, out: &mut Vec<u8>, body: usize, write: impl FnOnce(&mut Vec<u8>)) {
        let at = out.len();
        out.reserve(body.saturating_add(HEADER + DIGEST));
        self.put_header(out);
        write(out);
        self.end_from(at, out);
    }

    /// The header, with a length of zero.
    fn put_header(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&MAGIC);
        let Kind { code, version, .. } = self.kind;
        bytes.extend_from_slice(&[version, code, curve_code(self.curve), self.family_code]);
        bytes.extend_from_slice(&[0; 4]);
    }

    /// Ends a container behind its body: writes the length and the digest.
    ///
    /// # Panics
    /// If the body has 2^32 bytes or more, which the constructor of an object prevents.
    pub fn end(&self, bytes: &mut Vec<u8>) {
        self.end_from(0, bytes);
    }

    /// Ends the container that begins at this place.
    fn end_from(&self, at: usize, bytes: &mut Vec<u8>) {
        let (_, whole) = bytes.split_at_mut(at);
        let length: u32 = bounded(whole.len().saturating_sub(HEADER));
        if let Some(place) = whole.get_mut(LENGTH) {
            place.copy_from_slice(&length.to_be_bytes());
        }
        let digest = self.digest(whole);
        bytes.extend_from_slice(&digest);
    }

    /// A container whose bytes were altered and whose length and digest fit again, which is in the power of whoever can write
    /// the bytes: for tests, and for parties that cheat. `alter` gets what the digest covers.
    #[must_use]
    pub fn altered(&self, bytes: &[u8], alter: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut bytes = without_digest(bytes).unwrap_or_default().to_vec();
        alter(&mut bytes);
        self.end(&mut bytes);
        bytes
    }

    /// Ends a container that holds no secret.
    #[must_use]
    pub fn end_public(&self, mut bytes: Zeroizing<Vec<u8>>) -> Vec<u8> {
        self.end(&mut bytes);
        core::mem::take(&mut *bytes)
    }

    /// Opens a container: the version of its body, and a reader of that.
    ///
    /// # Errors
    /// A [`ContainerError`] that says what was expected and what is there, the outermost difference first.
    pub fn open<'b>(&self, bytes: &'b [u8]) -> Result<(u8, Reader<'b>), ContainerError> {
        let [whole, body, end] = self.parts(bytes)?;
        if self.digest(whole).as_slice() != end {
            return Err(ContainerError::Damaged);
        }
        let version = whole.get(VERSION).copied().unwrap_or_default();
        Ok((version, Reader::new(body)))
    }

    /// Opens a container of a kind that has had one version, and reads its body to the end.
    ///
    /// # Errors
    /// Those of [`open`](Self::open) and of `read`, and [`ReadError::TrailingBytes`] if `read` leaves something over.
    pub fn read<'b, T, E: From<ContainerError> + From<ReadError>>(
        &self,
        bytes: &'b [u8],
        read: impl FnOnce(&mut Reader<'b>) -> Result<T, E>,
    ) -> Result<T, E> {
        let (_, mut reader) = self.open(bytes)?;
        let value = read(&mut reader)?;
        reader.finish()?;
        Ok(value)
    }

    /// The bytes that the digest covers, the body in them, and the digest, which is not compared.
    fn parts<'b>(&self, bytes: &'b [u8]) -> Result<[&'b [u8]; 3], ContainerError> {
        let (&[_, _, _, _, version, kind, curve, family, length @ ..], _) = split_header(bytes)?;
        self.fits(version, [kind, curve, family])?;
        let expected = index(u32::from_be_bytes(length)).saturating_add(HEADER + DIGEST);
        let got = bytes.len();
        match bytes.split_last_chunk::<DIGEST>() {
            _ if got > expected => Err(ContainerError::TrailingBytes { expected, got }),
            Some((whole, end)) if got == expected => {
                Ok([whole, whole.get(HEADER..).unwrap_or_default(), end])
            }
            _ => Err(ContainerError::Truncated { expected, got }),
        }
    }

    /// Checks that the header is that of this label.
    fn fits(&self, version: u8, [kind, curve, family]: [u8; 3]) -> Result<(), ContainerError> {
        // Another kind has versions of its own, so the kind is compared first.
        if kind != self.kind.code {
            return Err(ContainerError::WrongKind { expected: self.kind.name, got: kind });
        }
        if version < FIRST {
            return Err(ContainerError::OlderVersion { expected: FIRST, got: version });
        }
        if version > self.kind.version {
            return Err(ContainerError::NewerVersion { expected: self.kind.version, got: version });
        }
        if curve != curve_code(self.curve) {
            return Err(ContainerError::WrongCurve { expected: self.curve, got: curve });
        }
        if family != self.family_code {
            return Err(ContainerError::WrongFamily { expected: self.family, got: family });
        }
        Ok(())
    }

    fn digest(&self, bytes: &[u8]) -> [u8; DIGEST] {
        let mut transcript = Transcript::new("quorate stored form");
        transcript.append("curve", self.curve.as_bytes());
        transcript.append("family", self.family.as_bytes());
        transcript.append("bytes", bytes);
        transcript.finish32()
    }
}

/// The code of a curve; 0 for one that has none.
fn curve_code(name: &str) -> u8 {
    CURVES.iter().find(|(_, known)| *known == name).map_or(0, |(code, _)| *code)
}
