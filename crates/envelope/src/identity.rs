//! The secret keys of a member or an administrator.

use alloc::vec::Vec;
use core::fmt;

use ed25519_dalek::{Signer as _, SigningKey};
use quorate_session::container::{Kind, Label, NO_CURVE, SEALED};
use quorate_session::wire::Reader;
use quorate_session::{ParamError, SealError, SealKey, Transcript};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::keys::{KeyId, PublicIdentity};
use crate::name::Name;
use crate::suite::{self, OpeningKey};

const IDENTITY: Label = Label {
    kind: Kind { code: 123 | SEALED, name: "a sealed identity", version: 1 },
    curve: NO_CURVE,
    family: "quorate-envelope",
    family_code: 0,
};
const SEED: usize = 32;

/// The secret keys of a member or an administrator, under its name: one signs, the other opens.
///
/// Both follow from one seed of 32 bytes. They are wiped when the identity is dropped.
pub struct Identity {
    name: Name,
    seed: Zeroizing<[u8; SEED]>,
    signing: SigningKey,
    opening: OpeningKey,
    public: PublicIdentity,
    id: KeyId,
}

/// A reason why a sealed identity does not open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IdentityError {
    /// The bytes are under another seal key, altered, or no sealed identity.
    Seal(SealError),
    /// The bytes are the identity of another member.
    OtherName {
        /// The name that was asked for.
        expected: Name,
        /// The name that was sealed.
        got: Name,
    },
}

impl Identity {
    /// The identity of a seed, which has to be uniformly random, secret, and of this identity alone.
    #[must_use]
    pub fn from_seed(name: Name, seed: &[u8; 32]) -> Self {
        let mut transcript = Transcript::new("envelope identity");
        transcript.append("seed", seed);
        let keys = Zeroizing::new(transcript.finish());
        let (first, second) = keys.split_at(32);
        // Copied in place: a secret that is returned by value leaves a copy on the stack.
        let mut half = Zeroizing::new([0; 32]);
        half.copy_from_slice(first);
        let signing = SigningKey::from_bytes(&half);
        half.copy_from_slice(second);
        let (opening, sealing) = suite::derive(&half);
        let public = PublicIdentity::of_own(signing.verifying_key(), sealing);
        let id = public.id();
        Self { name, seed: Zeroizing::new(*seed), signing, opening, public, id }
    }

    /// A new identity.
    ///
    /// # Errors
    /// [`ParamError::Randomness`] if the generator gives zeros only.
    pub fn generate(name: Name, rng: &mut (impl CryptoRng + ?Sized)) -> Result<Self, ParamError> {
        let mut seed = Zeroizing::new([0; SEED]);
        rng.fill_bytes(seed.as_mut_slice());
        if *seed == [0; SEED] {
            return Err(ParamError::Randomness);
        }
        Ok(Self::from_seed(name, &seed))
    }

    /// The stored form: the seed and the name under the caller's key.
    #[must_use]
    pub fn seal(&self, key: &SealKey) -> Vec<u8> {
        let mut body = Zeroizing::new(Vec::with_capacity(SEED + 1 + Name::MAX));
        body.extend_from_slice(self.seed.as_slice());
        self.name.write(&mut body);
        IDENTITY.seal(key, &body)
    }

    /// Opens the stored form of the identity of this name.
    ///
    /// # Errors
    /// An [`IdentityError`].
    pub fn open(name: &Name, sealed: &[u8], key: &SealKey) -> Result<Self, IdentityError> {
        let (_, body) = IDENTITY.unseal(key, sealed).map_err(IdentityError::Seal)?;
        let malformed = IdentityError::Seal(SealError::Malformed);
        let (seed, rest) = body.split_first_chunk::<SEED>().ok_or(malformed.clone())?;
        let mut reader = Reader::new(rest);
        let got = Name::read(&mut reader).ok_or(malformed.clone())?;
        reader.finish().map_err(|_| malformed)?;
        if got != *name {
            return Err(IdentityError::OtherName { expected: name.clone(), got });
        }
        Ok(Self::from_seed(got, seed))
    }

    /// The name.
    #[must_use]
    pub const fn name(&self) -> &Name {
        &self.name
    }

    /// The public keys.
    #[must_use]
    pub const fn public(&self) -> &PublicIdentity {
        &self.public
    }

    /// The id of the keys.
    #[must_use]
    pub const fn id(&self) -> KeyId {
        self.id
    }

    pub(crate) const fn opening(&self) -> &OpeningKey {
        &self.opening
    }

    pub(crate) fn sign(&self, signed: Transcript) -> [u8; 64] {
        self.signing.sign(&signed.finish()).to_bytes()
    }

    /// A secret of this identity and of what was appended here, for one purpose.
    pub(crate) fn secret(&self, mut transcript: Transcript) -> Zeroizing<[u8; 32]> {
        transcript.append("seed", self.seed.as_slice());
        Zeroizing::new(transcript.finish32())
    }
}

/// The name and the id of the keys.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({}, {})", self.name, self.id)
    }
}

impl fmt::Display for IdentityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seal(why) => write!(f, "the identity does not open: {why}"),
            Self::OtherName { expected, got } => {
                write!(f, "expected the identity of {expected}, got that of {got}")
            }
        }
    }
}

impl core::error::Error for IdentityError {}
