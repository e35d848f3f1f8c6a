//! The secret keys of a peer.

use core::fmt;
use std::fs;
use std::path::Path;

use ed25519_dalek::SigningKey;
use getrandom::SysRng;
use hpke::{Kem as _, Serializable as _};
use quorate::SealKey;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::zeroize::Zeroizing;
use quorate_examples::failure::Failure;

use super::PublicIdentity;
use super::kem::{Kem, PrivateKey};
use crate::bus::Peer;
use crate::keyfile;

/// The first bytes of a file in clear, and of one under a seal.
const CLEAR: &[u8; 8] = b"QCUSTID1";
const SEALED: &[u8; 8] = b"QCUSTID2";
const DOMAIN: &str = "custody identity";
/// Three keys of 32 bytes.
const KEYS: usize = 96;

/// The secret keys of a peer: one that signs, one that opens, and one that the broker knows it by. They are wiped when
/// they are dropped.
pub struct Identity {
    me: Peer,
    signing: SigningKey,
    opening: PrivateKey,
    nkey: Zeroizing<[u8; 32]>,
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({})", self.me)
    }
}

impl Identity {
    /// New keys.
    ///
    /// # Panics
    /// If the system gives no random bytes.
    #[must_use]
    pub fn generate(me: Peer) -> Self {
        let mut keys = Zeroizing::new([0; KEYS]);
        UnwrapErr(SysRng).fill_bytes(keys.as_mut_slice());
        Self::from_keys(me, &keys)
    }

    /// The identity of these keys, each of 32 bytes: what signs, what the opening key is derived from (RFC 9180, 7.1.3),
    /// and the seed of the NKey.
    #[must_use]
    pub fn from_keys(me: Peer, keys: &[u8; KEYS]) -> Self {
        let mut parts = keys.chunks_exact(32).map(|part| {
            let mut key = Zeroizing::new([0; 32]);
            key.copy_from_slice(part);
            key
        });
        let mut next = || parts.next().unwrap_or_default();
        let signing = SigningKey::from_bytes(&next());
        let (opening, _) = Kem::derive_keypair(next().as_slice());
        Self { me, signing, opening, nkey: next() }
    }

    /// Whose it is.
    #[must_use]
    pub const fn me(&self) -> Peer {
        self.me
    }

    /// The key that signs.
    #[must_use]
    pub const fn signing(&self) -> &SigningKey {
        &self.signing
    }

    pub(crate) const fn opening(&self) -> &PrivateKey {
        &self.opening
    }

    /// The seed of the key that the broker knows it by, in the broker's form: a secret.
    ///
    /// # Errors
    /// A [`Failure`] of the library that writes it.
    pub fn nkey_seed(&self) -> Result<Zeroizing<String>, Failure> {
        Ok(Zeroizing::new(self.nkey()?.seed()?))
    }

    fn nkey(&self) -> Result<nkeys::KeyPair, Failure> {
        Ok(nkeys::KeyPair::new_from_raw(nkeys::KeyPairType::User, *self.nkey)?)
    }

    /// The public keys.
    ///
    /// # Errors
    /// A [`Failure`] of the library of the broker's keys.
    pub fn public(&self) -> Result<PublicIdentity, Failure> {
        let sealing = Kem::sk_to_pk(&self.opening).to_bytes().into();
        let nkey = self.nkey()?.public_key();
        Ok(PublicIdentity { verifying: self.signing.verifying_key(), sealing, nkey })
    }

    /// Makes an identity and writes its keys to a new file, which its owner alone can read, under a seal if there is a key for it.
    ///
    /// # Errors
    /// A [`Failure`] if there is such a file, or it cannot be written.
    pub fn make(me: Peer, path: &Path, seal: Option<&SealKey>) -> Result<Self, Failure> {
        if path.exists() {
            return Err(Failure::new(format!("{} is there already", path.display())));
        }
        let mut keys = Zeroizing::new([0; KEYS]);
        UnwrapErr(SysRng).fill_bytes(keys.as_mut_slice());
        let name = me.to_string();
        // The name is under the seal too: the file of one peer is not taken for another's.
        let mut clear = Zeroizing::new(Vec::with_capacity(KEYS.saturating_add(name.len())));
        clear.extend_from_slice(keys.as_slice());
        clear.extend_from_slice(name.as_bytes());
        let file = match seal {
            Some(key) => {
                Zeroizing::new([SEALED.as_slice(), &key.seal_bytes(DOMAIN, &clear)].concat())
            }
            None => Zeroizing::new([CLEAR.as_slice(), &clear].concat()),
        };
        keyfile::write_private(path, &file)?;
        Ok(Self::from_keys(me, &keys))
    }

    /// Reads the keys of a file. One under a seal needs its key, and one in clear is refused if there is a key.
    ///
    /// # Errors
    /// A [`Failure`] if the file cannot be read, others may read it, or it is another peer's or under another seal.
    pub fn read(me: Peer, path: &Path, seal: Option<&SealKey>) -> Result<Self, Failure> {
        let refused = |why: &str| Failure::new(format!("{}: {why}", path.display()));
        let file = Zeroizing::new(fs::read(path).map_err(Failure::file("read", path))?);
        keyfile::check_owner(path)?;
        let clear = match (file.split_first_chunk::<8>(), seal) {
            (Some((CLEAR, rest)), None) => Zeroizing::new(rest.to_vec()),
            (Some((CLEAR, _)), Some(_)) => return Err(refused("not under a seal")),
            (Some((SEALED, _)), None) => {
                return Err(refused("under a seal, and there is no key for it"));
            }
            (Some((SEALED, rest)), Some(key)) => key
                .open_bytes(DOMAIN, rest)
                .map_err(|_| refused("under another seal, or altered"))?,
            _ => return Err(refused("not an identity")),
        };
        let (keys, name) = clear.split_first_chunk::<KEYS>().ok_or_else(|| refused("too short"))?;
        if name != me.to_string().as_bytes() {
            return Err(refused("the identity of another peer"));
        }
        Ok(Self::from_keys(me, keys))
    }
}
