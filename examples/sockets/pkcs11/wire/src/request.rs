//! Requests of the module.

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

use crate::bytes::{Malformed, Reader, Writer};
use crate::key::Scheme;
use crate::{MAX_MESSAGE, MAX_NAME, MAX_PIN};

const DESCRIBE: u8 = 1;
const LOGIN: u8 = 2;
const SIGN: u8 = 3;
const MAKE: u8 = 4;

/// A PIN. The owner of the bytes behind it wipes them.
#[derive(Clone, Copy)]
pub struct Pin<'a>(&'a [u8]);

impl<'a> Pin<'a> {
    /// A PIN of at most [`MAX_PIN`] bytes.
    ///
    /// # Errors
    /// [`Malformed`] if it is longer, or empty.
    pub const fn new(bytes: &'a [u8]) -> Result<Self, Malformed> {
        if bytes.is_empty() || bytes.len() > MAX_PIN { Err(Malformed) } else { Ok(Self(bytes)) }
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }
}

impl fmt::Debug for Pin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pin")
    }
}

/// A request of the module.
#[derive(Clone, Copy, Debug)]
pub enum Request<'a> {
    /// Asks for the token and its keys, which are public.
    Describe,
    /// Asks whether a PIN is right.
    Login(Pin<'a>),
    /// Asks for a signature.
    Sign(SignRequest<'a>),
    /// Asks for a new key.
    Make(MakeRequest<'a>),
}

/// A request for a signature.
#[derive(Clone, Copy, Debug)]
pub struct SignRequest<'a> {
    /// The PIN, if the consumer has logged in.
    pub pin: Option<Pin<'a>>,
    /// The id of the key.
    pub key: [u8; 32],
    /// The meaning of the bytes.
    pub input: Input,
    /// The message or digest, of at most [`MAX_MESSAGE`] bytes.
    pub bytes: &'a [u8],
}

/// The meaning of bytes that are to be signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// A message for a scheme that has its own hash: `CKM_EDDSA` and `CKM_ML_DSA`.
    Message,
    /// A message of which ECDSA signs the SHA-256 hash: `CKM_ECDSA_SHA256`.
    Sha256Message,
    /// A digest of 32 bytes: `CKM_ECDSA`.
    Digest,
}

impl Input {
    const ALL: [Self; 3] = [Self::Message, Self::Sha256Message, Self::Digest];

    const fn code(self) -> u8 {
        match self {
            Self::Message => 1,
            Self::Sha256Message => 2,
            Self::Digest => 3,
        }
    }

    fn from_code(code: u8) -> Result<Self, Malformed> {
        Self::ALL.into_iter().find(|input| input.code() == code).ok_or(Malformed)
    }
}

/// A request for a new key.
#[derive(Clone, Copy, Debug)]
pub struct MakeRequest<'a> {
    /// The PIN, if the consumer has logged in.
    pub pin: Option<Pin<'a>>,
    /// The scheme.
    pub scheme: Scheme,
    /// The name. A key with an empty one is named by its id.
    pub name: &'a str,
}

impl<'a> Request<'a> {
    /// Reads the body of a frame.
    ///
    /// # Errors
    /// [`Malformed`] if it is no request of this version.
    pub fn from_bytes(body: &'a [u8]) -> Result<Self, Malformed> {
        let (kind, mut reader) = Reader::of(body)?;
        let request = match kind {
            DESCRIBE => Self::Describe,
            LOGIN => Self::Login(Pin::new(reader.bytes(MAX_PIN)?)?),
            SIGN => {
                let (pin, key) = (pin(&mut reader)?, reader.array()?);
                let input = Input::from_code(reader.byte()?)?;
                Self::Sign(SignRequest { pin, key, input, bytes: reader.bytes(MAX_MESSAGE)? })
            }
            MAKE => {
                let (pin, scheme) = (pin(&mut reader)?, Scheme::from_code(reader.byte()?)?);
                Self::Make(MakeRequest { pin, scheme, name: reader.text(MAX_NAME)? })
            }
            _ => return Err(Malformed),
        };
        reader.end()?;
        Ok(request)
    }

    /// The frame: the length and the body. It is wiped when it is dropped.
    #[must_use]
    pub fn to_frame(&self) -> Zeroizing<Vec<u8>> {
        let room = |bytes: &[u8]| bytes.len().saturating_add(MAX_PIN + 64);
        let writer = match self {
            Self::Describe => Writer::new(DESCRIBE, 0),
            Self::Login(pin) => Writer::new(LOGIN, room(&[])).bytes(pin.0),
            Self::Sign(SignRequest { pin, key, input, bytes }) => {
                let writer = Writer::new(SIGN, room(bytes)).bytes(bytes_of(*pin)).array(key);
                writer.byte(input.code()).bytes(bytes)
            }
            Self::Make(MakeRequest { pin, scheme, name }) => {
                let writer = Writer::new(MAKE, room(name.as_bytes())).bytes(bytes_of(*pin));
                writer.byte(scheme.code()).bytes(name.as_bytes())
            }
        };
        writer.frame()
    }
}

/// A PIN, or no bytes for none.
fn pin<'a>(reader: &mut Reader<'a>) -> Result<Option<Pin<'a>>, Malformed> {
    let bytes = reader.bytes(MAX_PIN)?;
    if bytes.is_empty() { Ok(None) } else { Pin::new(bytes).map(Some) }
}

fn bytes_of(pin: Option<Pin<'_>>) -> &[u8] {
    pin.map(Pin::as_bytes).unwrap_or_default()
}
