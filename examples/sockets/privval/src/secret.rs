//! Encrypted connections to nodes, as CometBFT has them over TCP: the "secret connection" of its specification of peers.
//!
//! Both sides make a key of X25519 for the connection. The shared secret gives two keys of ChaCha20-Poly1305, one for each
//! direction, and a challenge, which both sides sign with a key of Ed25519. CometBFT's nodes make that key when they
//! start, so **neither side knows who the other one is**: the connection hides votes from onlookers, and does not tell a node from
//! an impostor.

mod frames;
mod transcript;

use std::io::{Error, ErrorKind, Result};

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use getrandom::SysRng;
use getrandom::rand_core::{TryRng as _, UnwrapErr};
use hkdf::Hkdf;
use sha2::Sha256;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use x25519_dalek::{EphemeralSecret, PublicKey};
use zeroize::Zeroizing;

use crate::handshake::{Authentication, Hello};
use crate::proto::varint;
use frames::{Direction, MAX_CHUNK, SEALED};
use transcript::Transcript;

const KEYS: &[u8] = b"TENDERMINT_SECRET_CONNECTION_KEY_AND_CHALLENGE_GEN";
const TRANSCRIPT: &[u8] = b"TENDERMINT_SECRET_CONNECTION_TRANSCRIPT_HASH";
/// The longest message of the handshake that is read.
const MAX_AUTHENTICATION: usize = 256;

/// An encrypted connection. What its peer is, it cannot know.
pub struct SecretConnection<S> {
    stream: S,
    sending: Direction,
    receiving: Direction,
    /// Bytes that came with a message before.
    received: Vec<u8>,
    peer: [u8; 32],
}

impl<S: AsyncRead + AsyncWrite + Unpin> SecretConnection<S> {
    /// Makes a connection of a stream, with a key of this connection alone.
    ///
    /// # Errors
    /// The errors of the stream, and [`InvalidData`](ErrorKind::InvalidData) if the other side does not keep to the protocol.
    pub async fn open(mut stream: S) -> Result<Self> {
        let secret = EphemeralSecret::random_from_rng(&mut UnwrapErr(SysRng));
        let own = PublicKey::from(&secret).to_bytes();
        stream.write_all(&Hello(own).to_bytes()).await?;
        stream.flush().await?;
        let mut hello = [0; Hello::LENGTH];
        stream.read_exact(&mut hello).await?;
        let Hello(theirs) = Hello::from_bytes(&hello).map_err(invalid)?;
        let shared = secret.diffie_hellman(&PublicKey::from(theirs));
        if !shared.was_contributory() {
            return Err(invalid("the key of the other side has a small order"));
        }
        let is_lower = own < theirs;
        let (lower, upper) = if is_lower { (own, theirs) } else { (theirs, own) };
        let challenge = challenge(&lower, &upper, shared.as_bytes());
        let (of_lower, of_upper) = directions(shared.as_bytes())?;
        // The first key is for what the side with the lower key receives.
        let (receiving, sending) =
            if is_lower { (of_lower, of_upper) } else { (of_upper, of_lower) };
        let mut connection = Self { stream, sending, receiving, received: vec![], peer: [0; 32] };
        connection.authenticate(&challenge).await?;
        Ok(connection)
    }

    /// Signs the challenge, and verifies that the other side has.
    async fn authenticate(&mut self, challenge: &[u8; 32]) -> Result<()> {
        let mut seed = Zeroizing::new([0; 32]);
        let filled = SysRng.try_fill_bytes(seed.as_mut_slice());
        filled.map_err(|_| Error::other("no randomness"))?;
        let own = SigningKey::from_bytes(&seed);
        let (key, signature) = (own.verifying_key().to_bytes(), own.sign(challenge).to_bytes());
        self.send(&Authentication { key, signature }.to_bytes()).await?;
        let message = self.receive(MAX_AUTHENTICATION).await?;
        let theirs = Authentication::from_bytes(&message).map_err(invalid)?;
        let peer = VerifyingKey::from_bytes(&theirs.key).map_err(invalid)?;
        let signature = Signature::from_bytes(&theirs.signature);
        peer.verify_strict(challenge, &signature).map_err(invalid)?;
        self.peer = theirs.key;
        Ok(())
    }

    /// The key of the other side, of Ed25519.
    pub const fn peer(&self) -> &[u8; 32] {
        &self.peer
    }

    /// Sends bytes. A message begins with its length.
    ///
    /// # Errors
    /// The errors of the stream.
    pub async fn send(&mut self, bytes: &[u8]) -> Result<()> {
        let mut sealed = vec![];
        for chunk in bytes.chunks(MAX_CHUNK) {
            sealed.extend(self.sending.seal(chunk).ok_or_else(|| invalid("too many frames"))?);
        }
        self.stream.write_all(&sealed).await?;
        self.stream.flush().await
    }

    /// Receives a message of at most this length, without the length in front of it.
    ///
    /// # Errors
    /// The errors of the stream, and [`InvalidData`](ErrorKind::InvalidData) if it is too long, or not what the other side has
    /// sent.
    pub async fn receive(&mut self, longest: usize) -> Result<Vec<u8>> {
        loop {
            if let Some(message) = take(&mut self.received, longest)? {
                return Ok(message);
            }
            let mut sealed = [0; SEALED];
            self.stream.read_exact(&mut sealed).await?;
            let chunk = self.receiving.open(&sealed);
            self.received.extend(chunk.ok_or_else(|| invalid("a frame is damaged"))?);
        }
    }
}

/// Takes a message from the beginning of bytes, once all of it is there.
fn take(bytes: &mut Vec<u8>, longest: usize) -> Result<Option<Vec<u8>>> {
    let Some((length, behind)) = varint(bytes).map_err(invalid)? else { return Ok(None) };
    let length = usize::try_from(length).ok().filter(|length| *length <= longest);
    let length = length.ok_or_else(|| invalid("the message is too long"))?;
    let Some(message) = bytes.get(behind..).and_then(|rest| rest.get(..length)) else {
        return Ok(None);
    };
    let message = message.to_vec();
    bytes.drain(..behind.saturating_add(length));
    Ok(Some(message))
}

fn challenge(lower: &[u8; 32], upper: &[u8; 32], shared: &[u8; 32]) -> [u8; 32] {
    let mut transcript = Transcript::new(TRANSCRIPT);
    transcript.append(b"EPHEMERAL_LOWER_PUBLIC_KEY", lower);
    transcript.append(b"EPHEMERAL_UPPER_PUBLIC_KEY", upper);
    transcript.append(b"DH_SECRET", shared);
    transcript.challenge(b"SECRET_CONNECTION_MAC")
}

/// The directions to the side with the lower key, and to the one with the upper key.
fn directions(shared: &[u8; 32]) -> Result<(Direction, Direction)> {
    let mut keys = Zeroizing::new([0; 96]);
    let expanded = Hkdf::<Sha256>::new(None, shared).expand(KEYS, keys.as_mut_slice());
    expanded.map_err(invalid)?;
    let (to_lower, rest) = keys.split_at(32);
    let (to_upper, _) = rest.split_at(32);
    let both = Direction::new(to_lower).zip(Direction::new(to_upper));
    both.ok_or_else(|| invalid("a key has another length"))
}

fn invalid(why: impl core::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidData, why.to_string())
}

impl<S> core::fmt::Debug for SecretConnection<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SecretConnection").field("peer", &self.peer).finish_non_exhaustive()
    }
}
