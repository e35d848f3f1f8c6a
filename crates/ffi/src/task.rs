//! What a session is to do: every protocol with its parameters.

use std::sync::Arc;

use quorate::ecdsa::{
    AuxInfoGen, AuxInfoParams, Ecdsa, Engine, Keygen, KeygenParams, Presign, PresignMany,
    PresignManyParams, PresignParams, RawDigest, Sign, SignParams,
};
use quorate::frost::generic::{
    Dkg, DkgParams, Frost, ShareExchange, ShareExchangeParams, Signature as FrostSignature,
    SignatureShare,
};
use quorate::keys::{
    Acknowledge, AcknowledgeParams, Committee, Repair, RepairParams, RepairPlan, Repaired, Reshare,
    ReshareParams, ResharePlan,
};
use quorate::mldsa;

use crate::Scheme;
use crate::arguments::{array32, parties, party};
use crate::aux_info::{AuxInfo, AuxSecrets};
use crate::ecdsa::Presignature;
use crate::error::Result;
use crate::family::{Curve, Family, Suite};
use crate::frost::SigningPackage;
use crate::key_share::{Held, KeyShare, Opened, StoredByAll};
use crate::mldsa::{MlDsaAttempt, MlDsaKeyShare, MlDsaLevel, accepted};
use crate::outcome::Outcome;
use crate::public_key::PublicKey;
use crate::running::{Begin, Running};
use crate::scheme::{by_family, by_kind};
use crate::seal_key::SealKey;
use crate::signature::Signature;

/// What a session is to do. All parties of a run agree on it beforehand, and each has its own part in it.
#[derive(Clone, uniffi::Enum)]
pub enum Task {
    /// A key for all parties of the session, of which any `threshold` sign together.
    Keygen {
        /// The kind of key.
        scheme: Scheme,
        /// t of t-of-n: at least 2.
        threshold: u16,
    },
    /// ECDSA's auxiliary information, once for any number of keys of the same parties.
    MakeAuxInfo {
        /// This party's primes.
        secrets: Arc<AuxSecrets>,
    },
    /// The same for another set of parties, by a party that has proved its primes before.
    CarryAuxInfo {
        /// What it has.
        aux: Arc<AuxInfo>,
    },
    /// A presignature by all parties of the session.
    Presign {
        /// This party's share.
        share: Arc<KeyShare>,
        /// Its auxiliary information.
        aux: Arc<AuxInfo>,
    },
    /// Many presignatures at once.
    PresignMany {
        /// This party's share.
        share: Arc<KeyShare>,
        /// Its auxiliary information.
        aux: Arc<AuxInfo>,
        /// The number of them, 1 to 1024.
        count: u16,
    },
    /// An ECDSA signature of a digest by all parties of the session, without a presignature.
    SignDigest {
        /// This party's share.
        share: Arc<KeyShare>,
        /// Its auxiliary information.
        aux: Arc<AuxInfo>,
        /// 32 bytes: the hash of a message that this party has looked at.
        digest: Vec<u8>,
    },
    /// A FROST signature without a coordinator: every signer of a package sends its share to all others.
    ExchangeShares {
        /// The key.
        public: Arc<PublicKey>,
        /// The package.
        package: Arc<SigningPackage>,
        /// This party's share of the signature.
        share: Vec<u8>,
    },
    /// New shares of a key, for the same committee (a refresh) or another one.
    Reshare {
        /// The key as it is.
        public: Arc<PublicKey>,
        /// The share of a dealer; nothing for a party that deals not.
        share: Option<Arc<KeyShare>>,
        /// At least t parties that have shares.
        dealers: Vec<u16>,
        /// The parties that will have shares.
        committee: Vec<u16>,
        /// How many of them it will take to sign.
        threshold: u16,
    },
    /// A lost share comes back.
    Repair {
        /// The key.
        public: Arc<PublicKey>,
        /// The share of a helper; nothing for the party that has lost its own.
        share: Option<Arc<KeyShare>>,
        /// At least t parties that have shares.
        helpers: Vec<u16>,
        /// The party that has lost its share.
        target: u16,
    },
    /// This party says that it has **stored** its new share, and hears it of all others.
    Acknowledge {
        /// The sealed share, as it was read back from the store.
        sealed: Vec<u8>,
        /// The key that it is sealed under.
        key: Arc<SealKey>,
    },
    /// A party that is not in the new committee hears that all have stored their shares.
    Listen {
        /// The public side in the new epoch.
        public: Arc<PublicKey>,
    },
    /// A threshold ML-DSA key for all parties of the session, of which exactly `threshold` sign together. **Experimental.**
    MlDsaKeygen {
        /// The parameter set of FIPS 204.
        level: MlDsaLevel,
        /// T of T-of-N: at least 2. N is at most 6.
        threshold: u16,
    },
    /// An attempt to sign with a threshold ML-DSA key, by all parties of the session.
    MlDsaSign {
        /// This party's part, recorded under the session's id.
        attempt: Arc<MlDsaAttempt>,
    },
}

impl Task {
    /// The run of this task.
    pub(crate) fn begin(self, begin: Begin<'_>) -> Result<Box<dyn Running>> {
        match self {
            Self::Keygen { scheme, threshold } => keygen(begin, scheme, threshold),
            Self::MakeAuxInfo { secrets } => {
                aux_info(begin, AuxInfoParams::new(Engine::detect(), Arc::clone(&secrets.0)))
            }
            Self::CarryAuxInfo { aux } => {
                aux_info(begin, AuxInfoParams::carried_over(Engine::detect(), &aux.0))
            }
            Self::Presign { share, aux } => {
                by_kind!(share.scheme(), _S => Err(share.scheme().lacks("presigning")), C => {
                    presign::<C>(begin, presign_params(&share, &aux)?)
                })
            }
            Self::PresignMany { share, aux, count } => {
                by_kind!(share.scheme(), _S => Err(share.scheme().lacks("presigning")), C => {
                    presign_many::<C>(begin, presign_params(&share, &aux)?, count)
                })
            }
            Self::SignDigest { share, aux, digest } => {
                let digest =
                    RawDigest::assume_hash_of_known_message(array32("the digest", &digest)?);
                by_kind!(share.scheme(), _S => Err(share.scheme().lacks("signing of digests")), C => {
                    sign_digest::<C>(begin, presign_params(&share, &aux)?, digest)
                })
            }
            Self::ExchangeShares { public, package, share } => {
                by_kind!(public.scheme(), S => exchange::<S>(begin, &public, &package, &share), _C => {
                    Err(public.scheme().lacks("exchange of shares"))
                })
            }
            Self::Reshare { public, share, dealers, committee, threshold } => {
                let committee = Committee::new(parties(&committee)?, threshold)?;
                by_family!(public.scheme(), F => {
                    reshare::<F>(begin, &public, share.as_deref(), &dealers, committee)
                })
            }
            Self::Repair { public, share, helpers, target } => {
                by_family!(public.scheme(), F => {
                    repair::<F>(begin, &public, share.as_deref(), &helpers, target)
                })
            }
            Self::Acknowledge { sealed, key } => {
                let opened = Opened::new(&sealed, &key)?;
                let (scheme, public, share) = opened.parts()?;
                by_family!(scheme, F => {
                    acknowledge::<F>(begin, AcknowledgeParams::from_stored(share, public)?)
                })
            }
            Self::Listen { public } => by_family!(public.scheme(), F => {
                let shared = <F as Family>::shared(public.view::<F>()?);
                let params = AcknowledgeParams::listener(begin.me(), shared)?;
                acknowledge::<F>(begin, params)
            }),
            Self::MlDsaKeygen { level, threshold } => mldsa_keygen(begin, level, threshold),
            Self::MlDsaSign { attempt } => mldsa_sign(begin, &attempt),
        }
    }
}

fn keygen(begin: Begin<'_>, scheme: Scheme, threshold: u16) -> Result<Box<dyn Running>> {
    by_kind!(scheme,
        S => begin.run::<Dkg<S>>(DkgParams::new(threshold), |key| {
            Outcome::KeyMade { share: KeyShare::of::<Frost<S>>(key.share, key.public) }
        }),
        C => begin.run::<Keygen<C>>(KeygenParams::new(threshold), |share| {
            let public = share.info().clone();
            Outcome::KeyMade { share: KeyShare::of::<Ecdsa<C>>(share, public) }
        })
    )
}

fn aux_info(begin: Begin<'_>, params: AuxInfoParams) -> Result<Box<dyn Running>> {
    begin.run::<AuxInfoGen>(params, |aux| Outcome::AuxInfoMade {
        aux: Arc::new(AuxInfo(Arc::new(aux))),
    })
}

fn presign_params<C: Curve>(share: &KeyShare, aux: &AuxInfo) -> Result<PresignParams<C>> {
    let share = Arc::clone(&share.view::<Ecdsa<C>>()?.share);
    Ok(PresignParams::new(Engine::detect(), share, Arc::clone(&aux.0)))
}

fn presign<C: Curve>(begin: Begin<'_>, params: PresignParams<C>) -> Result<Box<dyn Running>> {
    begin.run::<Presign<C>>(params, |one| Outcome::Presigned {
        presignatures: vec![Presignature::of::<C>(one)],
    })
}

fn presign_many<C: Curve>(
    begin: Begin<'_>,
    params: PresignParams<C>,
    count: u16,
) -> Result<Box<dyn Running>> {
    begin.run::<PresignMany<C>>(PresignManyParams::new(params, count), |many| Outcome::Presigned {
        presignatures: many.into_iter().map(Presignature::of::<C>).collect(),
    })
}

fn sign_digest<C: Curve>(
    begin: Begin<'_>,
    params: PresignParams<C>,
    digest: RawDigest,
) -> Result<Box<dyn Running>> {
    begin.run::<Sign<C>>(SignParams::new(params, digest), |signature| Outcome::Signed {
        signature: Signature::ecdsa(&signature),
    })
}

fn exchange<S: Suite>(
    begin: Begin<'_>,
    public: &PublicKey,
    package: &SigningPackage,
    share: &[u8],
) -> Result<Box<dyn Running>> {
    let own = SignatureShare::<S>::from_bytes(begin.me(), share)?;
    let public = Arc::new(public.view::<Frost<S>>()?.clone());
    let package = Arc::new(package.view::<S>()?.clone());
    let params = ShareExchangeParams::new(public, package, own);
    begin.run::<ShareExchange<S>>(params, |signature: FrostSignature<S>| Outcome::Signed {
        signature: Signature::plain(signature.to_bytes().as_ref()),
    })
}

/// The share of a party that gives it, if it is one of this family.
fn given<F: Family>(share: Option<&KeyShare>) -> Result<Option<&Held<F>>> {
    share.map(KeyShare::view::<F>).transpose()
}

fn reshare<F: Family>(
    begin: Begin<'_>,
    public: &PublicKey,
    share: Option<&KeyShare>,
    dealers: &[u16],
    committee: Committee,
) -> Result<Box<dyn Running>> {
    let plan = ResharePlan::<F>::new(F::shared(public.view::<F>()?), parties(dealers)?, committee)?;
    let params = match given::<F>(share)? {
        Some(held) => ReshareParams::dealer(&plan, F::secret(&held.share))?,
        None => ReshareParams::member(&plan, begin.me())?,
    };
    begin.run::<Reshare<F>>(params, |reshared| {
        let public = reshared.public;
        let share = reshared.share.map(|share| KeyShare::of::<F>(share, public.clone()));
        Outcome::Reshared { public: PublicKey::of::<F>(public), share }
    })
}

fn repair<F: Family>(
    begin: Begin<'_>,
    public: &PublicKey,
    share: Option<&KeyShare>,
    helpers: &[u16],
    target: u16,
) -> Result<Box<dyn Running>> {
    let public = public.view::<F>()?.clone();
    let plan = RepairPlan::<F>::new(F::shared(&public), parties(helpers)?, party(target)?)?;
    let params = match given::<F>(share)? {
        Some(held) => RepairParams::helper(&plan, F::secret(&held.share))?,
        None => RepairParams::target(&plan),
    };
    begin.run::<Repair<F>>(params, move |repaired| Outcome::Repaired {
        share: match repaired {
            Repaired::Helped => None,
            Repaired::Share(share) => Some(KeyShare::of::<F>(share, public)),
        },
    })
}

fn acknowledge<F: Family>(
    begin: Begin<'_>,
    params: AcknowledgeParams<F>,
) -> Result<Box<dyn Running>> {
    begin.run::<Acknowledge<F>>(params, |by| Outcome::Acknowledged { by: StoredByAll::of::<F>(by) })
}

fn mldsa_keygen(begin: Begin<'_>, level: MlDsaLevel, threshold: u16) -> Result<Box<dyn Running>> {
    let params = mldsa::DkgParams::new(level.inner(), threshold);
    let end = |share| Outcome::MlDsaKeyMade { share: MlDsaKeyShare::of(share) };
    begin.run::<mldsa::Dkg>(params, end)
}

fn mldsa_sign(begin: Begin<'_>, attempt: &MlDsaAttempt) -> Result<Box<dyn Running>> {
    begin.run::<mldsa::Sign>(attempt.take()?, |attempted| {
        let signed = |one: &mldsa::Signature| Signature::plain(&one.to_bytes());
        let signature = attempted.signature.as_ref().map(signed);
        Outcome::MlDsaAttempted { signature, accepted: accepted(&attempted) }
    })
}
