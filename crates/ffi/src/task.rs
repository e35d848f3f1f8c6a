//! The task of a session: every protocol with its parameters.

#[cfg(feature = "ecdsa")]
mod ecdsa;
#[cfg(feature = "life")]
mod life;
#[cfg(feature = "mldsa")]
mod mldsa;

#[cfg(any(feature = "ecdsa", feature = "frost", feature = "life", feature = "mldsa"))]
use std::sync::Arc;

use quorate::PartyId;
use quorate::frost::generic::{Dkg, DkgParams, Frost};
#[cfg(feature = "frost")]
use quorate::frost::generic::{
    ShareExchange, ShareExchangeParams, Signature as FrostSignature, SignatureShare,
};

use crate::Scheme;
#[cfg(feature = "ecdsa")]
use crate::aux_info::{AuxInfo, AuxSecrets};
use crate::error::Result;
#[cfg(feature = "frost")]
use crate::family::Suite;
#[cfg(feature = "frost")]
use crate::frost::SigningPackage;
use crate::key_share::KeyShare;
#[cfg(feature = "mldsa")]
use crate::mldsa::{MlDsaAttempt, MlDsaLevel};
use crate::outcome::Outcome;
#[cfg(any(feature = "frost", feature = "life"))]
use crate::public_key_package::PublicKeyPackage;
use crate::running::{Prepared, ready};
use crate::scheme::by_kind;
#[cfg(feature = "life")]
use crate::seal_key::SealKey;
#[cfg(feature = "frost")]
use crate::signature::Signature;

/// The task of a session. All parties of a run agree on it beforehand, and each has its own part in it.
#[derive(Clone)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
pub enum Task {
    /// A key for all parties of the session, of which any `threshold` sign together.
    Keygen {
        /// The kind of key.
        scheme: Scheme,
        /// t of t-of-n: at least 2.
        threshold: u16,
    },
    /// ECDSA's auxiliary information, once for any number of keys of the same parties.
    #[cfg(feature = "ecdsa")]
    MakeAuxInfo {
        /// This party's primes.
        secrets: Arc<AuxSecrets>,
    },
    /// ECDSA's auxiliary information for another set of parties, by a party that has proved its primes before.
    #[cfg(feature = "ecdsa")]
    CarryAuxInfo {
        /// The auxiliary information that the party has.
        aux: Arc<AuxInfo>,
    },
    /// A presignature by all parties of the session.
    #[cfg(feature = "ecdsa")]
    Presign {
        /// This party's share.
        share: Arc<KeyShare>,
        /// The auxiliary information of this party.
        aux: Arc<AuxInfo>,
    },
    /// Many presignatures at once.
    #[cfg(feature = "ecdsa")]
    PresignMany {
        /// This party's share.
        share: Arc<KeyShare>,
        /// The auxiliary information of this party.
        aux: Arc<AuxInfo>,
        /// The number of them, 1 to 1024. Bound a number that comes from elsewhere: time and memory grow with it.
        count: u16,
    },
    /// An ECDSA signature of a digest by all parties of the session, without a presignature.
    #[cfg(feature = "ecdsa")]
    SignDigest {
        /// This party's share.
        share: Arc<KeyShare>,
        /// The auxiliary information of this party.
        aux: Arc<AuxInfo>,
        /// 32 bytes: the hash of a message that this party has looked at.
        digest: Vec<u8>,
    },
    /// A FROST signature without a coordinator: every signer of a package sends its share to all others.
    #[cfg(feature = "frost")]
    ExchangeShares {
        /// The key.
        public: Arc<PublicKeyPackage>,
        /// The package.
        package: Arc<SigningPackage>,
        /// This party's signature share.
        signature_share: Vec<u8>,
    },
    /// New shares of a key, for the same committee (a refresh) or another one.
    #[cfg(feature = "life")]
    Reshare {
        /// The key as it is.
        public: Arc<PublicKeyPackage>,
        /// The share of a dealer; nothing for a party that does not deal.
        share: Option<Arc<KeyShare>>,
        /// At least t parties that have shares.
        dealers: Vec<u16>,
        /// The parties that will have shares.
        committee: Vec<u16>,
        /// The new threshold: the number of them that it takes to sign.
        threshold: u16,
    },
    /// The repair of a lost share.
    #[cfg(feature = "life")]
    Repair {
        /// The key.
        public: Arc<PublicKeyPackage>,
        /// The share of a helper; nothing for the party that has lost its own.
        share: Option<Arc<KeyShare>>,
        /// At least t parties that have shares.
        helpers: Vec<u16>,
        /// The party that has lost its share.
        target: u16,
    },
    /// This party acknowledges that it has **stored** its new share, and waits for the same from all others.
    #[cfg(feature = "life")]
    Acknowledge {
        /// The sealed share, as it was read back from the store.
        sealed: Vec<u8>,
        /// The key under which it is sealed.
        key: Arc<SealKey>,
    },
    /// A party that is not in the new committee learns that all have stored their shares.
    #[cfg(feature = "life")]
    Listen {
        /// The public side in the new epoch.
        public: Arc<PublicKeyPackage>,
    },
    /// A threshold ML-DSA key for all parties of the session, of which exactly `threshold` sign together. **Experimental.**
    #[cfg(feature = "mldsa")]
    MlDsaKeygen {
        /// The parameter set of FIPS 204.
        level: MlDsaLevel,
        /// T of T-of-N: at least 2. N is at most 6.
        threshold: u16,
    },
    /// An attempt to sign with a threshold ML-DSA key, by all parties of the session.
    #[cfg(feature = "mldsa")]
    MlDsaSign {
        /// This party's part, recorded under the session's id.
        attempt: Arc<MlDsaAttempt>,
    },
}

impl Task {
    /// The parameters of party `me` for this task.
    #[cfg_attr(
        not(any(feature = "frost", feature = "life")),
        allow(unused_variables, reason = "a key generation is the same for every party")
    )]
    pub(crate) fn prepare(self, me: PartyId) -> Result<Box<dyn Prepared>> {
        match self {
            Self::Keygen { scheme, threshold } => keygen(scheme, threshold),
            #[cfg(feature = "ecdsa")]
            Self::MakeAuxInfo { secrets } => ecdsa::make_aux_info(&secrets),
            #[cfg(feature = "ecdsa")]
            Self::CarryAuxInfo { aux } => ecdsa::carry_aux_info(&aux),
            #[cfg(feature = "ecdsa")]
            Self::Presign { share, aux } => ecdsa::presign(&share, &aux),
            #[cfg(feature = "ecdsa")]
            Self::PresignMany { share, aux, count } => ecdsa::presign_many(&share, &aux, count),
            #[cfg(feature = "ecdsa")]
            Self::SignDigest { share, aux, digest } => ecdsa::sign_digest(&share, &aux, &digest),
            #[cfg(feature = "frost")]
            Self::ExchangeShares { public, package, signature_share } => {
                by_kind!(public.scheme(), S => {
                    let own = SignatureShare::from_bytes(me, &signature_share)?;
                    exchange::<S>(&public, &package, own)
                }, _C => Err(public.scheme().lacks("exchange of shares")))
            }
            #[cfg(feature = "life")]
            Self::Reshare { public, share, dealers, committee, threshold } => {
                life::reshare(me, &public, share.as_deref(), &dealers, (&committee, threshold))
            }
            #[cfg(feature = "life")]
            Self::Repair { public, share, helpers, target } => {
                life::repair(&public, share.as_deref(), &helpers, target)
            }
            #[cfg(feature = "life")]
            Self::Acknowledge { sealed, key } => life::acknowledge(&sealed, &key),
            #[cfg(feature = "life")]
            Self::Listen { public } => life::listen(me, &public),
            #[cfg(feature = "mldsa")]
            Self::MlDsaKeygen { level, threshold } => mldsa::keygen(level, threshold),
            #[cfg(feature = "mldsa")]
            Self::MlDsaSign { attempt } => mldsa::sign(&attempt),
        }
    }
}

fn keygen(scheme: Scheme, threshold: u16) -> Result<Box<dyn Prepared>> {
    by_kind!(scheme,
        S => ready::<Dkg<S>>(DkgParams::new(threshold), |key| {
            Outcome::KeyMade { share: KeyShare::of::<Frost<S>>(key.share, key.public) }
        }),
        C => ecdsa::keygen::<C>(threshold)
    )
}

#[cfg(feature = "frost")]
fn exchange<S: Suite>(
    public: &PublicKeyPackage,
    package: &SigningPackage,
    own: SignatureShare<S>,
) -> Result<Box<dyn Prepared>> {
    let public = Arc::new(public.view::<Frost<S>>()?.clone());
    let package = Arc::new(package.view::<S>()?.clone());
    let params = ShareExchangeParams::new(public, package, own);
    ready::<ShareExchange<S>>(params, |signature: FrostSignature<S>| Outcome::Signed {
        signature: Signature::plain(signature.to_bytes().as_ref()),
    })
}
