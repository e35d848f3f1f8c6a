//! A client of the signing service.
//!
//! The client trusts no gateway. It pins a key by the certificate that all members of the key have signed, by a directory
//! that the operator has handed over. It derives child keys itself, makes the message of a purpose itself, and verifies every
//! signature under the pinned key, with verifiers that are not Quorate's.
//!
//! ```no_run
//! use core::time::Duration;
//! use custody_client::{Asked, CallerSecret, Client, ClientError, Endpoint};
//! use custody_core::KeyId;
//! use quorate_envelope::Directory;
//! use quorate_purpose::Purpose;
//!
//! # async fn example(pem: &str, roots: &[u8], directory: &Directory, id: KeyId, purpose: &Purpose) -> Result<(), ClientError> {
//! let secret = CallerSecret::from_pem(pem)?;
//! let client = Client::new(Endpoint::tls("https://custody.example", roots)?, secret, "acme");
//! let key = client.pin(id, directory).await?; // once: store it
//! let asked = Asked { path: "m/0/5".parse().ok(), within: Duration::from_secs(60), ..Asked::default() };
//! let signature = client.sign(&key, purpose, &asked).await?;
//! println!("{:02x?}", signature.bytes);
//! # Ok(())
//! # }
//! ```
//!
//! A request is signed once, with a random nonce. The client repeats it, byte for byte, until there is a result or its time
//! is over. However often it is repeated, the service does it once.

mod client;
mod endpoint;
mod error;
mod pinned;
mod secret;
mod verify;

pub use client::{Asked, Change, Client};
pub use endpoint::Endpoint;
pub use error::ClientError;
pub use pinned::PinnedKey;
pub use secret::CallerSecret;
pub use verify::Signature;
