//! The task of a session: every protocol with its parameters.

use std::sync::Arc;

use quorate::ecdsa::{
    AuxInfoGen, AuxInfoParams, Ecdsa, Keygen, KeygenParams, MAX_PRESIGNATURES, Presign,
    PresignMany, PresignManyParams, PresignParams, RawDigest, Sign, SignParams,
};
use quorate::frost::generic::{
    Dkg, DkgParams, Frost, ShareExchange, ShareExchangeParams, Signature as FrostSignature,
    SignatureShare,
};
use quorate::keys::{
    Acknowledge, AcknowledgeParams, Committee, Repair, RepairParams, RepairPlan, Repaired, Reshare,
    ReshareParams, ResharePlan,
};
use quorate::{PartyId, mldsa};

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
use crate::public_key_package::PublicKeyPackage;
use crate::running::{Prepared, ready};
use crate::scheme::{by_family, by_kind};
use crate::seal_key::SealKey;
use crate::signature::Signature;

/// The task of a session. All parties of a run agree on it beforehand, and each has its own part in it.
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
    /// ECDSA's auxiliary information for another set of parties, by a party that has proved its primes before.
    CarryAuxInfo {
        /// The auxiliary information that the party has.
        aux: Arc<AuxInfo>,
    },
    /// A presignature by all parties of the session.
    Presign {
        /// This party's share.
        share: Arc<KeyShare>,
        /// The auxiliary information of this party.
        aux: Arc<AuxInfo>,
    },
    /// Many presignatures at once.
    PresignMany {
        /// This party's share.
        share: Arc<KeyShare>,
        /// The auxiliary information of this party.
        aux: Arc<AuxInfo>,
        /// The number of them, 1 to 1024. Bound a number that comes from elsewhere: time and memory grow with it.
        count: u16,
    },
    /// An ECDSA signature of a digest by all parties of the session, without a presignature.
    SignDigest {
        /// This party's share.
        share: Arc<KeyShare>,
        /// The auxiliary information of this party.
        aux: Arc<AuxInfo>,
        /// 32 bytes: the hash of a message that this party has looked at.
        digest: Vec<u8>,
    },
    /// A FROST signature without a coordinator: every signer of a package sends its share to all others.
    ExchangeShares {
        /// The key.
        public: Arc<PublicKeyPackage>,
        /// The package.
        package: Arc<SigningPackage>,
        /// This party's signature share.
        signature_share: Vec<u8>,
    },
    /// New shares of a key, for the same committee (a refresh) or another one.
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
    Acknowledge {
        /// The sealed share, as it was read back from the store.
        sealed: Vec<u8>,
        /// The key under which it is sealed.
        key: Arc<SealKey>,
    },
    /// A party that is not in the new committee learns that all have stored their shares.
    Listen {
        /// The public side in the new epoch.
        public: Arc<PublicKeyPackage>,
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
    /// The parameters of party `me` for this task.
    pub(crate) fn prepare(self, me: PartyId) -> Result<Box<dyn Prepared>> {
        match self {
            Self::Keygen { scheme, threshold } => keygen(scheme, threshold),
            Self::MakeAuxInfo { secrets } => aux_info(AuxInfoParams::new(Arc::clone(&secrets.0))),
            Self::CarryAuxInfo { aux } => aux_info(AuxInfoParams::carried_over(&aux.0)),
            Self::Presign { share, aux } => {
                by_kind!(share.scheme(), _S => Err(share.scheme().lacks("presigning")), C => {
                    presign::<C>(presign_params(&share, &aux)?)
                })
            }
            Self::PresignMany { share, aux, count } => {
                by_kind!(share.scheme(), _S => Err(share.scheme().lacks("presigning")), C => {
                    presign_many::<C>(presign_params(&share, &aux)?, count)
                })
            }
            Self::SignDigest { share, aux, digest } => {
                let digest =
                    RawDigest::assume_hash_of_known_message(array32("the digest", &digest)?);
                by_kind!(share.scheme(), _S => Err(share.scheme().lacks("signing of digests")), C => {
                    sign_digest::<C>(presign_params(&share, &aux)?, digest)
                })
            }
            Self::ExchangeShares { public, package, signature_share } => {
                by_kind!(public.scheme(), S => {
                    let own = SignatureShare::from_bytes(me, &signature_share)?;
                    exchange::<S>(&public, &package, own)
                }, _C => Err(public.scheme().lacks("exchange of shares")))
            }
            Self::Reshare { public, share, dealers, committee, threshold } => {
                by_family!(public.scheme(), F => {
                    let plan = ResharePlan::new(
                        <F as Family>::shared(public.view::<F>()?),
                        parties(&dealers)?,
                        Committee::new(parties(&committee)?, threshold)?,
                    )?;
                    reshare::<F>(me, &plan, share.as_deref())
                })
            }
            Self::Repair { public, share, helpers, target } => {
                by_family!(public.scheme(), F => {
                    repair::<F>(&public, share.as_deref(), &helpers, target)
                })
            }
            Self::Acknowledge { sealed, key } => {
                let opened = Opened::new(&sealed, &key)?;
                let (scheme, public, share) = opened.parts()?;
                by_family!(scheme, F => {
                    acknowledge::<F>(AcknowledgeParams::from_stored(share, public)?)
                })
            }
            Self::Listen { public } => by_family!(public.scheme(), F => {
                let shared = <F as Family>::shared(public.view::<F>()?);
                let params = AcknowledgeParams::listener(me, shared)?;
                acknowledge::<F>(params)
            }),
            Self::MlDsaKeygen { level, threshold } => mldsa_keygen(level, threshold),
            Self::MlDsaSign { attempt } => mldsa_sign(&attempt),
        }
    }
}

fn keygen(scheme: Scheme, threshold: u16) -> Result<Box<dyn Prepared>> {
    by_kind!(scheme,
        S => ready::<Dkg<S>>(DkgParams::new(threshold), |key| {
            Outcome::KeyMade { share: KeyShare::of::<Frost<S>>(key.share, key.public) }
        }),
        C => ready::<Keygen<C>>(KeygenParams::new(threshold), |share| {
            let public = share.public().clone();
            Outcome::KeyMade { share: KeyShare::of::<Ecdsa<C>>(share, public) }
        })
    )
}

fn aux_info(params: AuxInfoParams) -> Result<Box<dyn Prepared>> {
    ready::<AuxInfoGen>(params, |aux| Outcome::AuxInfoMade {
        aux: Arc::new(AuxInfo(Arc::new(aux))),
    })
}

fn presign_params<C: Curve>(share: &KeyShare, aux: &AuxInfo) -> Result<PresignParams<C>> {
    let share = Arc::clone(&share.view::<Ecdsa<C>>()?.share);
    Ok(PresignParams::new(share, Arc::clone(&aux.0)))
}

fn presign<C: Curve>(params: PresignParams<C>) -> Result<Box<dyn Prepared>> {
    ready::<Presign<C>>(params, |one| Outcome::Presigned {
        presignatures: vec![Presignature::of::<C>(one)],
    })
}

fn presign_many<C: Curve>(params: PresignParams<C>, count: u16) -> Result<Box<dyn Prepared>> {
    let params = PresignManyParams::new(params, count).at_most(MAX_PRESIGNATURES);
    ready::<PresignMany<C>>(params, |many| Outcome::Presigned {
        presignatures: many.into_iter().map(Presignature::of::<C>).collect(),
    })
}

fn sign_digest<C: Curve>(params: PresignParams<C>, digest: RawDigest) -> Result<Box<dyn Prepared>> {
    ready::<Sign<C>>(SignParams::new(params, digest), |signature| Outcome::Signed {
        signature: Signature::ecdsa(&signature),
    })
}

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

/// The share of a party that gives it, if it is one of this family.
fn given<F: Family>(share: Option<&KeyShare>) -> Result<Option<&Held<F>>> {
    share.map(KeyShare::view::<F>).transpose()
}

fn reshare<F: Family>(
    me: PartyId,
    plan: &ResharePlan<F>,
    share: Option<&KeyShare>,
) -> Result<Box<dyn Prepared>> {
    let params = match given::<F>(share)? {
        Some(held) => ReshareParams::dealer(plan, F::secret(&held.share))?,
        None => ReshareParams::member(plan, me)?,
    };
    ready::<Reshare<F>>(params, |reshared| {
        let public = reshared.public;
        let share = reshared.share.map(|share| KeyShare::of::<F>(share, public.clone()));
        Outcome::Reshared { public: PublicKeyPackage::of::<F>(public), share }
    })
}

fn repair<F: Family>(
    public: &PublicKeyPackage,
    share: Option<&KeyShare>,
    helpers: &[u16],
    target: u16,
) -> Result<Box<dyn Prepared>> {
    let public = public.view::<F>()?.clone();
    let plan = RepairPlan::<F>::new(F::shared(&public), parties(helpers)?, party(target)?)?;
    let params = match given::<F>(share)? {
        Some(held) => RepairParams::helper(&plan, F::secret(&held.share))?,
        None => RepairParams::target(&plan),
    };
    ready::<Repair<F>>(params, move |repaired| Outcome::Repaired {
        share: match repaired {
            Repaired::Helped => None,
            Repaired::Share(share) => Some(KeyShare::of::<F>(share, public)),
        },
    })
}

fn acknowledge<F: Family>(params: AcknowledgeParams<F>) -> Result<Box<dyn Prepared>> {
    ready::<Acknowledge<F>>(params, |by| Outcome::Acknowledged { by: StoredByAll::of::<F>(by) })
}

fn mldsa_keygen(level: MlDsaLevel, threshold: u16) -> Result<Box<dyn Prepared>> {
    let params = mldsa::DkgParams::new(level.inner(), threshold);
    let end = |share| Outcome::MlDsaKeyMade { share: MlDsaKeyShare::of(share) };
    ready::<mldsa::Dkg>(params, end)
}

fn mldsa_sign(attempt: &MlDsaAttempt) -> Result<Box<dyn Prepared>> {
    ready::<mldsa::Sign>(attempt.take()?, |attempted| {
        let signed = |one: &mldsa::Signature| Signature::plain(&one.to_bytes());
        let signature = attempted.signature.as_ref().map(signed);
        Outcome::MlDsaAttempted { signature, accepted: accepted(&attempted) }
    })
}
