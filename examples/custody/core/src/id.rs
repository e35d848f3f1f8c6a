//! Ids of keys and requests.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};

use crate::scheme::Scheme;

/// Text that is not 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 lower-case hexadecimal digits")]
pub struct NotAnId;

/// Defines an id of 32 bytes. Its text is 64 hexadecimal digits, and so it stands in JSON; postcard has the bytes.
macro_rules! id {
    ($(#[doc = $doc:literal])+ $name:ident) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
        pub struct $name([u8; 32]);

        impl $name {
            /// The id with these bytes.
            #[must_use]
            pub const fn new(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The 32 bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                parse(text).map(Self).ok_or(NotAnId)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    self.0.serialize(serializer)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
                    text.parse().map_err(de::Error::custom)
                } else {
                    <[u8; 32]>::deserialize(deserializer).map(Self)
                }
            }
        }
    };
}

id! {
    /// The id of a key: a hash of its scheme and its public key. It stays the same when shares are refreshed.
    KeyId
}

id! {
    /// The id of a request: a hash of the caller's key id and of the nonce under its signature, which is the idempotency key.
    ///
    /// The request that makes a key names the key until it has a [`KeyId`].
    RequestId
}

id! {
    /// The digest of a request: SHA-256 of the bytes under its caller's signature. Approvers approve it.
    RequestDigest
}

impl KeyId {
    /// The id of the key with these bytes, in the encoding that verifiers of the scheme take.
    #[must_use]
    pub fn of(scheme: Scheme, public_key: &[u8]) -> Self {
        let domain = Sha256::new().chain_update(b"quorate custody key v1\0");
        Self(domain.chain_update([scheme.code()]).chain_update(public_key).finalize().into())
    }
}

impl RequestId {
    /// The id of the request that the key `key_id` has signed with this nonce.
    #[must_use]
    pub fn of(key_id: &str, nonce: &str) -> Self {
        let mut hash = Sha256::new().chain_update(b"quorate custody request v1\0");
        for part in [key_id, nonce] {
            hash.update(Sha256::digest(part));
        }
        Self(hash.finalize().into())
    }
}

/// Reads 64 lower-case hexadecimal digits.
pub(crate) fn parse(text: &str) -> Option<[u8; 32]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => byte.checked_sub(b'0'),
        b'a'..=b'f' => byte.checked_sub(b'a').map(|digit| digit.saturating_add(10)),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let mut bytes = [0; 32];
    if pairs.len() != bytes.len() || !rest.is_empty() {
        return None;
    }
    for (to, [high, low]) in bytes.iter_mut().zip(pairs) {
        *to = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}
