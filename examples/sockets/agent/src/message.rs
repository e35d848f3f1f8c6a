//! The messages of the protocol.

use sockets_backend::encoding::ssh::string;

/// The longest message, in bytes: as OpenSSH has it.
pub const MAX_LENGTH: usize = 256 * 1024;

const FAILURE: u8 = 5;
const REQUEST_IDENTITIES: u8 = 11;
const IDENTITIES_ANSWER: u8 = 12;
const SIGN_REQUEST: u8 = 13;
const SIGN_RESPONSE: u8 = 14;

/// A request of a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request<'a> {
    /// The client asks for the keys.
    Identities,
    /// The client asks for a signature.
    Sign {
        /// The blob of the public key.
        key: &'a [u8],
        /// The bytes to sign.
        data: &'a [u8],
        /// The flags, which choose among the signatures of RSA.
        flags: u32,
    },
    /// A request of this type, which is not served.
    Other(u8),
}

/// Bytes that are no request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this is no message of an SSH agent")]
pub struct Malformed;

impl<'a> Request<'a> {
    /// Reads a message, without the length in front of it.
    ///
    /// # Errors
    /// [`Malformed`] if it is cut off, or longer than its fields.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let (kind, rest) = bytes.split_first().ok_or(Malformed)?;
        match *kind {
            REQUEST_IDENTITIES if rest.is_empty() => Ok(Self::Identities),
            REQUEST_IDENTITIES => Err(Malformed),
            SIGN_REQUEST => {
                let (key, rest) = block(rest)?;
                let (data, rest) = block(rest)?;
                let flags = rest.try_into().map_err(|_| Malformed)?;
                Ok(Self::Sign { key, data, flags: u32::from_be_bytes(flags) })
            }
            other => Ok(Self::Other(other)),
        }
    }
}

fn block(bytes: &[u8]) -> Result<(&[u8], &[u8]), Malformed> {
    let (length, rest) = bytes.split_first_chunk().ok_or(Malformed)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| Malformed)?;
    rest.split_at_checked(length).ok_or(Malformed)
}

/// An answer of the agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The agent does not do it. The protocol has no reasons; the agent logs them.
    Failure,
    /// The keys: the blob of each, and its comment.
    Identities(Vec<(Vec<u8>, String)>),
    /// The blob of a signature.
    Signature(Vec<u8>),
}

impl Answer {
    /// The message, with the length in front of it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = match self {
            Self::Failure => vec![FAILURE],
            Self::Identities(keys) => {
                // A committee has fewer keys than a length of four bytes counts.
                let count = u32::try_from(keys.len()).unwrap_or(u32::MAX);
                let mut body = vec![IDENTITIES_ANSWER];
                body.extend(count.to_be_bytes());
                for (key, comment) in keys {
                    body.extend(string(key));
                    body.extend(string(comment.as_bytes()));
                }
                body
            }
            Self::Signature(blob) => [vec![SIGN_RESPONSE], string(blob)].concat(),
        };
        string(&body)
    }
}
