//! The messages of the handshake of a secret connection.

use crate::proto::{Fields, Malformed, delimited, put_bytes, put_message};

/// The first message of both sides: a public key of X25519 that is made for this connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hello(pub [u8; 32]);

impl Hello {
    /// The length of the message, with the length in front of it.
    pub const LENGTH: usize = 35;

    /// Reads a message, with the length in front of it.
    ///
    /// # Errors
    /// [`Malformed`] if it is anything but a key.
    pub fn from_bytes(bytes: &[u8; Self::LENGTH]) -> Result<Self, Malformed> {
        match bytes.split_first_chunk() {
            Some(([34, 0x0a, 32], key)) => Ok(Self(exact(key)?)),
            _ => Err(Malformed("expected a key of X25519")),
        }
    }

    /// The message, with the length in front of it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut message = vec![];
        put_bytes(&mut message, 1, &self.0);
        delimited(&message)
    }
}

/// The second message, which is encrypted: the key of one side, and its signature of the challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Authentication {
    /// The public key, of Ed25519.
    pub key: [u8; 32],
    /// The signature.
    pub signature: [u8; 64],
}

impl Authentication {
    /// Reads a message, without the length in front of it.
    ///
    /// # Errors
    /// [`Malformed`] if a part is missing, or the key is not one of Ed25519.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let (mut key, mut signature): (Option<[u8; 32]>, Option<[u8; 64]>) = (None, None);
        for field in Fields::of(bytes) {
            match field? {
                (1, value) => key = Some(ed25519(value.bytes()?)?),
                (2, value) => signature = Some(exact(value.bytes()?)?),
                _ => {}
            }
        }
        match key.zip(signature) {
            Some((key, signature)) => Ok(Self { key, signature }),
            None => Err(Malformed("expected a key and a signature")),
        }
    }

    /// The message, with the length in front of it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (mut inner, mut message) = (vec![], vec![]);
        put_bytes(&mut inner, 1, &self.key);
        put_message(&mut message, 1, &inner);
        put_bytes(&mut message, 2, &self.signature);
        delimited(&message)
    }
}

/// Reads a public key, which has to be one of Ed25519.
pub(crate) fn ed25519(message: &[u8]) -> Result<[u8; 32], Malformed> {
    let key = Fields::of(message).find_map(|field| match field {
        Ok((1, value)) => Some(value.bytes().and_then(exact)),
        Ok(_) => None,
        Err(why) => Some(Err(why)),
    });
    key.unwrap_or(Err(Malformed("expected a key of Ed25519")))
}

fn exact<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Malformed> {
    bytes.try_into().map_err(|_| Malformed("a key or signature has another length"))
}
