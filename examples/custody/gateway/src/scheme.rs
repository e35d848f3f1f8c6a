//! The schemes: what nodes have ready is read, and shares are aggregated.

mod frost;
mod mldsa;

use core::any::Any;
use core::fmt;
use std::collections::BTreeMap;
use std::sync::Arc;

use custody_core::{Certificate, DerivationPath, Material, Reason, Refusal, Scheme, Sign};
use quorate::PartyId;
use quorate::ecdsa::{
    self, AggregateError, Derived, EcdsaCurve, PresignatureInfo, RawDigest, RecoveryId,
    VerifyingKey,
};
use quorate::frost::ed448::Ed448Shake256;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::secp256k1_tr::TaprootInternal;
use quorate_purpose::{Message, Purpose};

use self::frost::Frost;
use crate::state::{Signature, refuse as refused};

/// A presignature, the commitments of one node to a pair of nonces, or the name of an attempt of all signers.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Item {
    /// The name, equal at all of its signers.
    pub(crate) name: [u8; 32],
    /// The signers: all have to take part.
    pub(crate) signers: Vec<PartyNumber>,
    /// The public side, as the node has listed it.
    pub(crate) bytes: Vec<u8>,
    /// What the scheme has read from the bytes, until the gateway ends.
    #[serde(skip)]
    pub(crate) read: Read,
}

/// A value of a scheme's own type. It decides nothing about equality: the bytes from which it was read do.
#[derive(Clone, Default)]
pub(crate) struct Read(Option<Arc<dyn Any + Send + Sync>>);

impl Read {
    pub(crate) fn new(value: impl Any + Send + Sync) -> Self {
        Self(Some(Arc::new(value)))
    }

    pub(crate) fn get<T: Any>(&self) -> Option<&T> {
        self.0.as_ref()?.downcast_ref()
    }
}

impl PartialEq for Read {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Read {}

impl fmt::Debug for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "read" } else { "not read" })
    }
}

/// The number of a party in stored rows.
pub(crate) type PartyNumber = u16;

impl Item {
    pub(crate) fn signers(&self) -> impl Iterator<Item = PartyId> + '_ {
        self.signers.iter().filter_map(|number| PartyId::new(*number))
    }
}

/// The state of an attempt after a share.
pub(crate) enum AttemptState {
    /// Shares of others are missing.
    Waiting,
    /// The signature, which is verified.
    Signed(Signature),
    /// The shares give no signature.
    Failed(Failed),
}

/// The reasons why shares give no signature.
#[derive(Default)]
pub(crate) struct Failed {
    /// Signers whose shares have failed verification, with the findings.
    pub(crate) cheaters: Vec<(PartyId, String)>,
    /// Signers whose shares are for something else. Nothing is proved of them.
    pub(crate) unfit: Vec<(PartyId, String)>,
    /// The reason, for people.
    pub(crate) why: String,
}

/// The shares of one attempt to sign.
pub(crate) trait Session: Send {
    /// Takes a share in.
    fn receive(&mut self, from: PartyId, share: &[u8]) -> AttemptState;
}

/// The operations with a key of one scheme.
pub(crate) trait Family: Send {
    /// Reads what a node lists, and keeps what belongs to the key in its present epoch.
    fn items(&self, from: PartyId, listed: Vec<Vec<u8>>) -> Vec<Item>;

    /// Begins an attempt: gives the material to order shares for, and the session that aggregates them.
    fn begin(&self, sign: &Sign, items: &[Item]) -> Result<(Material, Box<dyn Session>), Refusal>;

    /// Joins an attempt that another gateway has begun, by its material: gives its signers, and the session that aggregates.
    ///
    /// # Errors
    /// A refusal if the material does not fit, or keys of the scheme sign with material that only one gateway knows.
    fn join(&self, _: &Sign, _: &Material) -> Result<(Vec<PartyId>, Box<dyn Session>), Refusal> {
        Err(refused(Reason::Unsupported, "only the gateway that took the material has it"))
    }

    /// Checks that the key, or its child, can sign what is asked for.
    fn check(&self, sign: &Sign) -> Result<(), Refusal>;

    /// The PEM of a public key, for schemes that have one.
    fn spki(&self, public_key: &[u8]) -> Option<String>;
}

/// Opens the public key package of a certificate.
pub(crate) fn open(certificate: &Certificate) -> Result<Box<dyn Family>, Refusal> {
    let package = &certificate.package;
    Ok(match certificate.spec.scheme {
        Scheme::EcdsaSecp256k1 => Box::new(Ecdsa::<ecdsa::Secp256k1>::open(package, certificate)?),
        Scheme::EcdsaP256 => Box::new(Ecdsa::<ecdsa::P256>::open(package, certificate)?),
        Scheme::Ed25519 => Box::new(Frost::<Ed25519Sha512>::new(certificate)?),
        Scheme::Taproot => Box::new(Frost::<TaprootInternal>::new(certificate)?),
        Scheme::Ed448 => Box::new(Frost::<Ed448Shake256>::new(certificate)?),
        Scheme::MlDsa65 => Box::new(mldsa::MlDsa::open(certificate)?),
    })
}

/// The message that a key signs for a request, if keys of the scheme have the child that is to sign.
pub(crate) fn message(sign: &Sign, scheme: Scheme) -> Result<Message, Refusal> {
    sign.child().check_scheme(scheme)?;
    let purpose = Purpose::from_bytes(&sign.purpose);
    let purpose = purpose.map_err(|why| refused(Reason::Malformed, why))?;
    purpose.message(scheme.key_kind()).map_err(|why| refused(Reason::WrongPurpose, why))
}

/// A key of ECDSA.
struct Ecdsa<C: EcdsaCurve> {
    package: ecdsa::PublicKeyPackage<C>,
    scheme: Scheme,
}

impl<C: EcdsaCurve> Ecdsa<C> {
    fn open(package: &[u8], certificate: &Certificate) -> Result<Self, Refusal> {
        let package = ecdsa::PublicKeyPackage::from_bytes(package);
        let package = package.map_err(|why| refused(Reason::Malformed, why))?;
        Ok(Self { package, scheme: certificate.spec.scheme })
    }

    fn derive(&self, path: &DerivationPath) -> Result<Derived<C>, Refusal> {
        self.package.derivation(path).map_err(|why| refused(Reason::WrongPath, why))
    }

    /// The digest that is signed, and the key that signs.
    fn what(&self, sign: &Sign) -> Result<(RawDigest, Derived<C>), Refusal> {
        let digest = message(sign, self.scheme)?.ecdsa_digest();
        let digest = digest.ok_or_else(|| refused(Reason::WrongPurpose, "not for ECDSA"))?;
        // The digest was made from the purpose, or the purpose is one.
        let digest = RawDigest::assume_hash_of_known_message(digest);
        if digest.is_zero::<C>() {
            return Err(refused(Reason::Malformed, "the digest is zero: no presignature signs it"));
        }
        Ok((digest, self.derive(&sign.path)?))
    }
}

impl<C: EcdsaCurve> Family for Ecdsa<C> {
    fn items(&self, from: PartyId, listed: Vec<Vec<u8>>) -> Vec<Item> {
        let read = |bytes: Vec<u8>| {
            let info = PresignatureInfo::<C>::from_bytes(&bytes).ok()?;
            info.check_belongs_to(&self.package).ok()?;
            let (name, signers) = (info.id().name(), info.signers());
            let is_signer = signers.contains(from);
            let signers = signers.iter().map(PartyId::get).collect();
            is_signer.then(|| Item { name, signers, bytes, read: Read::new(info) })
        };
        listed.into_iter().filter_map(read).collect()
    }

    fn check(&self, sign: &Sign) -> Result<(), Refusal> {
        self.what(sign).map(drop)
    }

    fn spki(&self, public_key: &[u8]) -> Option<String> {
        let key = VerifyingKey::<C>::from_bytes(public_key.try_into().ok()?).ok()?;
        Some(key.to_spki_pem())
    }

    fn begin(&self, sign: &Sign, items: &[Item]) -> Result<(Material, Box<dyn Session>), Refusal> {
        let (digest, child) = self.what(sign)?;
        let read = |item: &Item| {
            let read = item.read.get::<PresignatureInfo<C>>().cloned();
            read.or_else(|| PresignatureInfo::from_bytes(&item.bytes).ok())
        };
        let info = items.first().and_then(read);
        let info = info.filter(|info| info.check_belongs_to(&self.package).is_ok());
        let info = info.ok_or_else(|| refused(Reason::WrongMaterial, "of another epoch"))?;
        let material = Material::Presignature { name: info.id().name() };
        Ok((material, Box::new(EcdsaSession { info, child, digest, shares: BTreeMap::new() })))
    }
}

struct EcdsaSession<C: EcdsaCurve> {
    info: PresignatureInfo<C>,
    child: Derived<C>,
    digest: RawDigest,
    shares: BTreeMap<PartyId, Vec<u8>>,
}

impl<C: EcdsaCurve> Session for EcdsaSession<C> {
    fn receive(&mut self, from: PartyId, share: &[u8]) -> AttemptState {
        self.shares.entry(from).or_insert_with(|| share.to_vec());
        if self.shares.len() < self.info.signers().len() {
            return AttemptState::Waiting;
        }
        let shares = self.shares.iter().map(|(party, share)| (*party, share));
        let signature = self.info.aggregate(&self.child, self.digest, shares);
        match signature {
            Ok(signature) => AttemptState::Signed(Signature {
                bytes: signature.to_compact().to_vec(),
                recovery_id: signature.recovery_id().map(RecoveryId::get),
                public_key: self.child.key.as_bytes().to_vec(),
            }),
            Err(error) => AttemptState::Failed(ecdsa_failure(error)),
        }
    }
}

fn ecdsa_failure(error: AggregateError) -> Failed {
    let why = error.to_string();
    let (mut cheaters, mut unfit) = (Vec::new(), Vec::new());
    match error {
        AggregateError::Cheaters(all) => cheaters = named(all),
        AggregateError::Mismatch(all) => unfit = named(all),
        AggregateError::Missing(all) => unfit = named(all.into_iter().map(|id| (id, "no share"))),
        _ => {}
    }
    Failed { cheaters, unfit, why }
}

fn named<W: fmt::Display>(all: impl IntoIterator<Item = (PartyId, W)>) -> Vec<(PartyId, String)> {
    all.into_iter().map(|(party, why)| (party, why.to_string())).collect()
}
