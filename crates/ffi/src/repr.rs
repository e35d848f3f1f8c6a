//! The printed form of objects, which shows nothing secret, and the equality of public keys.

use core::fmt;
use core::hash::{Hash, Hasher};

#[cfg(feature = "runner")]
use crate::Runner;
#[cfg(feature = "life")]
use crate::StoredByAll;
use crate::arguments::lock;
#[cfg(feature = "mldsa")]
use crate::{AttemptClaim, MlDsaAttempt, MlDsaKeyShare, MlDsaPublicKeyPackage};
#[cfg(feature = "ecdsa")]
use crate::{AuxInfo, AuxSearch, AuxSecrets, Presignature, PresignatureInfo};
use crate::{
    KeyShare, NonceStock, Nonces, PublicKeyPackage, SealKey, Session, ShareClaim, SigningPackage,
    SigningSession,
};

/// The text for a value that could not be read.
const UNKNOWN: &str = "?";

/// The start of a name of many bytes.
fn short(bytes: Option<Vec<u8>>) -> String {
    let Some(bytes) = bytes else { return UNKNOWN.to_owned() };
    bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect::<String>() + "…"
}

fn told<T: fmt::Debug, E>(value: Result<T, E>) -> String {
    value.map_or_else(|_| UNKNOWN.to_owned(), |value| format!("{value:?}"))
}

macro_rules! shown {
    ($($(#[$on:meta])? $object:ident, $this:ident => ($($argument:expr),*);)*) => {$(
        $(#[$on])?
        impl fmt::Debug for $object {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let $this = self;
                let arguments: &[String] = &[$($argument),*];
                write!(f, "{}({})", stringify!($object), arguments.join(", "))
            }
        }
    )*};
}

shown! {
    #[cfg(feature = "ecdsa")]
    AuxInfo, this => (format!("party {}", this.id()), format!("parties {:?}", this.parties()));
    #[cfg(feature = "ecdsa")]
    AuxSearch, this => (this.progress().map_or("ended".to_owned(), |done| format!("{done:.2}")));
    #[cfg(feature = "ecdsa")]
    AuxSecrets, this => (told(this.level()));
    KeyShare, this => (
        format!("{:?}", this.scheme()),
        format!("party {}", told(this.id())),
        told(this.state()),
        format!("key {}", short(this.public().and_then(|key| key.key_id()).ok()))
    );
    #[cfg(feature = "mldsa")]
    MlDsaAttempt, this => (this.number().to_string());
    #[cfg(feature = "mldsa")]
    MlDsaKeyShare, this => (
        format!("{:?}", this.public().level()),
        format!("party {}", this.id()),
        format!("key {}", short(Some(this.public().digest())))
    );
    #[cfg(feature = "mldsa")]
    MlDsaPublicKeyPackage, this => (
        format!("{:?}", this.level()),
        format!("{} of {}", this.threshold(), this.parties().len()),
        format!("key {}", short(Some(this.digest())))
    );
    NonceStock, this => (
        format!("{:?}", this.scheme),
        format!("{} pairs", told(this.commitments().map(|all| all.len())))
    );
    Nonces, this => (if this.is_spent() { "spent".to_owned() } else { "1 pair".to_owned() });
    #[cfg(feature = "ecdsa")]
    Presignature, this => (
        format!("{:?}", this.scheme()),
        format!("signers {}", told(this.info().signers()))
    );
    #[cfg(feature = "ecdsa")]
    PresignatureInfo, this => (
        format!("id {}", short(this.id().ok())),
        format!("signers {}", told(this.signers()))
    );
    PublicKeyPackage, this => (
        format!("{:?}", this.scheme()),
        format!("{} of {}", told(this.threshold()), told(this.parties().map(|all| all.len()))),
        format!("epoch {}", told(this.epoch())),
        format!("key {}", short(this.key_id().ok()))
    );
    #[cfg(feature = "runner")]
    Runner, this => (format!("party {}", this.id()));
    ShareClaim, this => (format!("id {}", short(Some(this.id()))));
    #[cfg(feature = "mldsa")]
    AttemptClaim, this => (format!("id {}", short(Some(this.id()))));
    SealKey, _this => ("32 bytes".to_owned());
    Session, this => (
        format!("party {}", this.party_id()),
        this.round().map_or("ended".to_owned(), |round| format!("round {round}"))
    );
    SigningPackage, this => (
        format!("signers {}", told(this.signers())),
        format!("{} bytes", told(this.message().map(|message| message.len())))
    );
    SigningSession, this => (format!("waiting for {}", told(this.waiting_for())));
    #[cfg(feature = "life")]
    StoredByAll, _this => ();
}

/// Public keys are equal if everything in them is: the scheme, the epoch, and the shares.
impl PartialEq for PublicKeyPackage {
    fn eq(&self, other: &Self) -> bool {
        let bytes = |key: &Self| key.to_bytes().ok();
        self.scheme() == other.scheme() && bytes(self) == bytes(other)
    }
}

impl Eq for PublicKeyPackage {}

impl Hash for PublicKeyPackage {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.scheme().hash(state);
        self.to_bytes().ok().hash(state);
    }
}

#[cfg(feature = "mldsa")]
impl PartialEq for MlDsaPublicKeyPackage {
    fn eq(&self, other: &Self) -> bool {
        self.to_bytes() == other.to_bytes()
    }
}

#[cfg(feature = "mldsa")]
impl Eq for MlDsaPublicKeyPackage {}

#[cfg(feature = "mldsa")]
impl Hash for MlDsaPublicKeyPackage {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_bytes().hash(state);
    }
}

impl Nonces {
    fn is_spent(&self) -> bool {
        lock(&self.value).is_none()
    }
}
