//! Envelopes: messages from one peer to another, through a broker that may read the address and nothing else.
//!
//! ```text
//! header     magic (4) ‖ version (1) ‖ lowest (1) ‖ highest (1) ‖ kind (1) ‖ shard (1) ‖ from (3) ‖ to (3)
//! envelope   header (15) ‖ encapsulated key (32) ‖ ciphertext ‖ tag (16) ‖ signature (64)
//! plaintext  count (4) ‖ for each message: length (4) ‖ message
//! ```
//!
//! The messages are sealed to the recipient by HPKE (RFC 9180) in its base mode with DHKEM(X25519, HKDF-SHA256),
//! HKDF-SHA256 and ChaCha20-Poly1305; `info` names the purpose and the version, and the header is associated data. The
//! sender's Ed25519 signature (RFC 8032, verified strictly) is over the purpose and everything before it, and is verified
//! before anything is opened. So nobody can take somebody's ciphertext for his own: the sender stands in the header.
//!
//! An envelope that comes twice is opened twice. Nothing here remembers any: that a message counts once is the business of
//! the layers above, which know what it means.
//!
//! Sealing to a key of the recipient's that does not change gives no forward secrecy: whoever gets the key opens what was
//! recorded. The broker's own TLS has it.

use ed25519_dalek::{Signature, Signer};
use getrandom::SysRng;
use hpke::{Deserializable as _, OpModeR, OpModeS, Serializable as _};
use quorate::session::Transcript;
use quorate::session::rand_core::{CryptoRng, UnwrapErr};
use quorate::session::zeroize::Zeroizing;

use crate::bus::{Peer, Route};
use crate::directory::kem::{Aead, Kdf, Kem, PublicKey};
use crate::directory::{Directory, Identity};
pub use error::{Check, EnvelopeError, Unsealable};
pub use header::Header;
pub use list::{MOST, ROOM, room};
pub use versions::{Dialects, Versions};

mod error;
mod header;
mod list;
mod versions;

/// The longest envelope, in bytes.
pub const LONGEST: usize = 8 << 20;
const ENCAPSULATED: usize = 32;
const SIGNATURE: usize = 64;
const INFO: &[u8] = b"quorate custody envelope";
const SIGNED: &[u8] = b"quorate custody envelope signature";

/// An envelope to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sealed {
    /// Its name: a hash of it.
    pub id: [u8; 32],
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// An envelope that was opened: its sender is who it says.
#[derive(Debug)]
pub struct Opened {
    /// Its name.
    pub id: [u8; 32],
    /// What it says in clear.
    pub header: Header,
    /// The messages.
    pub messages: Vec<Vec<u8>>,
}

/// Seals messages, in this version of the protocol.
///
/// # Errors
/// [`Unsealable`] if the recipient is unknown, or there are no messages, too many, or too long ones.
///
/// # Panics
/// If the system gives no random bytes.
pub fn seal(
    identity: &Identity,
    directory: &Directory,
    (to, route): (Peer, Route),
    (version, speaks): (u8, Versions),
    messages: &[Vec<u8>],
) -> Result<Sealed, Unsealable> {
    let header = Header { version, speaks, route, from: identity.me(), to };
    seal_with_rng(identity, directory, &header, messages, &mut UnwrapErr(SysRng))
}

/// Seals messages with the random bytes of this generator.
///
/// # Errors
/// As [`seal`] does.
pub fn seal_with_rng(
    identity: &Identity,
    directory: &Directory,
    header: &Header,
    messages: &[Vec<u8>],
    rng: &mut impl CryptoRng,
) -> Result<Sealed, Unsealable> {
    let public = directory.peer(header.to).ok_or(Unsealable::Unknown(header.to))?;
    let list = list::encode(messages)?;
    let head = header.to_bytes();
    let key = PublicKey::from_bytes(&public.sealing);
    let key = key.map_err(|_| Unsealable::Key(header.to))?;
    let (encapsulated, sealed) = hpke::single_shot_seal_with_rng::<Aead, Kdf, Kem>(
        &OpModeS::Base,
        &key,
        &info(header.version),
        &list,
        &head,
        rng,
    )
    .map_err(|_| Unsealable::Key(header.to))?;
    let mut bytes = [head.as_slice(), encapsulated.to_bytes().as_slice(), &sealed].concat();
    let signature = identity.signing().sign(&signed(&bytes));
    bytes.extend_from_slice(&signature.to_bytes());
    Ok(Sealed { id: id(&bytes), bytes })
}

/// Opens an envelope for this peer, which understands these versions.
///
/// # Errors
/// An [`EnvelopeError`] with the claimed sender and the check that failed. If the check is before or at the signature,
/// anybody may have made it.
pub fn open(
    identity: &Identity,
    directory: &Directory,
    ours: Versions,
    bytes: &[u8],
) -> Result<Opened, EnvelopeError> {
    if bytes.len() > LONGEST {
        return Err(EnvelopeError { from: None, check: Check::TooLong(bytes.len()) });
    }
    let (header, parts) = split(bytes).map_err(|check| EnvelopeError { from: None, check })?;
    let messages = open_parts(identity, directory, ours, &header, &parts);
    let messages = messages.map_err(|check| EnvelopeError { from: Some(header.from), check })?;
    Ok(Opened { id: id(bytes), header, messages })
}

/// An envelope's parts.
struct Parts<'a> {
    head: &'a [u8],
    encapsulated: &'a [u8],
    sealed: &'a [u8],
    before_signature: &'a [u8],
    signature: &'a [u8; SIGNATURE],
}

fn split(bytes: &[u8]) -> Result<(Header, Parts<'_>), Check> {
    let (before_signature, signature) = bytes.split_last_chunk().ok_or(Check::Form)?;
    let (head, rest) = before_signature.split_at_checked(header::LENGTH).ok_or(Check::Form)?;
    let (encapsulated, sealed) = rest.split_at_checked(ENCAPSULATED).ok_or(Check::Form)?;
    let header = Header::from_bytes(head).ok_or(Check::Form)?;
    Ok((header, Parts { head, encapsulated, sealed, before_signature, signature }))
}

fn open_parts(
    identity: &Identity,
    directory: &Directory,
    ours: Versions,
    header: &Header,
    parts: &Parts<'_>,
) -> Result<Vec<Vec<u8>>, Check> {
    let public = directory.peer(header.from).ok_or(Check::UnknownSender)?;
    public
        .verifying
        .verify_strict(&signed(parts.before_signature), &Signature::from_bytes(parts.signature))
        .map_err(|_| Check::Signature)?;
    if header.to != identity.me() {
        return Err(Check::Recipient(header.to));
    }
    if !ours.has(header.version) {
        return Err(Check::Version { spoken: header.version, ours });
    }
    let encapsulated = <Kem as hpke::Kem>::EncappedKey::from_bytes(parts.encapsulated);
    let list = hpke::single_shot_open::<Aead, Kdf, Kem>(
        &OpModeR::Base,
        identity.opening(),
        &encapsulated.map_err(|_| Check::Seal)?,
        &info(header.version),
        parts.sealed,
        parts.head,
    );
    let list = Zeroizing::new(list.map_err(|_| Check::Seal)?);
    list::decode(&list).ok_or(Check::List)
}

fn info(version: u8) -> Vec<u8> {
    [INFO, &[version]].concat()
}

fn signed(bytes: &[u8]) -> Vec<u8> {
    [SIGNED, bytes].concat()
}

fn id(bytes: &[u8]) -> [u8; 32] {
    let mut transcript = Transcript::new("custody envelope");
    transcript.append("envelope", bytes);
    transcript.finish32()
}
