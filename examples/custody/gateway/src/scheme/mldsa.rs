//! Keys of ML-DSA. The signers make a signature among themselves, and each gives the whole of it.

use custody_core::{Certificate, Material, Reason, Refusal, Scheme, Sign};
use quorate::PartyId;
use quorate::mldsa::{Level, MessageRepresentative, Signature as MlDsaSignature, VerifyingKey};

use super::{AttemptState, Failed, Family, Item, Session, message};
use crate::state::{Signature, refuse as refused};

const LEVEL: Level = Level::MlDsa65;

/// A key of ML-DSA-65.
pub(super) struct MlDsa(VerifyingKey);

impl MlDsa {
    pub(super) fn open(certificate: &Certificate) -> Result<Self, Refusal> {
        let key = VerifyingKey::from_bytes(LEVEL, &certificate.public_key);
        key.map(Self).map_err(|why| refused(Reason::Malformed, why))
    }

    /// What is signed.
    fn represent(&self, sign: &Sign) -> Result<MessageRepresentative, Refusal> {
        if !sign.path.indices().is_empty() {
            return Err(refused(Reason::WrongPath, "keys of ML-DSA have no children"));
        }
        let message = message(sign, Scheme::MlDsa65)?;
        let raw = message.raw().ok_or_else(|| refused(Reason::WrongPurpose, "not for ML-DSA"))?;
        self.0.represent(raw, &sign.context).map_err(|why| refused(Reason::Limit, why))
    }
}

impl Family for MlDsa {
    fn items(&self, _: PartyId, _: Vec<Vec<u8>>) -> Vec<Item> {
        Vec::new()
    }

    fn check(&self, sign: &Sign) -> Result<(), Refusal> {
        self.represent(sign).map(drop)
    }

    /// The PEM of RFC 9881.
    fn spki(&self, public_key: &[u8]) -> Option<String> {
        Some(VerifyingKey::from_bytes(LEVEL, public_key).ok()?.to_spki_pem())
    }

    fn begin(&self, sign: &Sign, items: &[Item]) -> Result<(Material, Box<dyn Session>), Refusal> {
        let mu = self.represent(sign)?;
        let item = items.first().ok_or_else(|| refused(Reason::WrongMaterial, "no attempt"))?;
        let material = Material::Attempt { run: item.name, signers: item.signers().collect() };
        Ok((material, Box::new(MlDsaSession { key: self.0.clone(), mu })))
    }
}

struct MlDsaSession {
    key: VerifyingKey,
    mu: MessageRepresentative,
}

impl Session for MlDsaSession {
    /// The first signature is enough. An honest signer gives none that does not verify.
    fn receive(&mut self, from: PartyId, share: &[u8]) -> AttemptState {
        let signature = MlDsaSignature::from_bytes(LEVEL, share).ok();
        let verifies = |one: &MlDsaSignature| self.key.verify_representative(&self.mu, one).is_ok();
        if signature.as_ref().is_some_and(verifies) {
            let public_key = self.key.to_bytes();
            return AttemptState::Signed(Signature {
                bytes: share.to_vec(),
                recovery_id: None,
                public_key,
            });
        }
        let why = "the signature of an attempt does not verify".to_owned();
        let cheaters = vec![(from, why.clone())];
        AttemptState::Failed(Failed { cheaters, why, ..Failed::default() })
    }
}
