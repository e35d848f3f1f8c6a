//! Shares of ECDSA's keys.

use core::any::Any;
use std::sync::Arc;

use custody_core::{Material, Reason, Refusal, Root};
use quorate::ecdsa::{
    Ecdsa, EcdsaCurve, KeyShare, Keygen, Presignature, PublicKeyPackage, RawDigest,
};
use quorate::keys::{DecodeError, PackageId, ShareState, agreement};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Parties, SealKey, SpentInMemory};
use quorate_purpose::Message;

use super::{Held, KeyFamily, Made, Share, Spend, Spends};

/// A share of a key of ECDSA.
pub(crate) struct EcdsaKey<C: EcdsaCurve>(pub(crate) Arc<KeyShare<C>>);

impl<C: EcdsaCurve> KeyFamily for Ecdsa<C> {
    type Held = EcdsaKey<C>;
    type Generate = Keygen<C>;

    fn stored(share: &KeyShare<C>, public: &PublicKeyPackage<C>) -> (Zeroizing<Vec<u8>>, Vec<u8>) {
        (share.to_bytes(), public.to_bytes())
    }

    fn public_bytes(public: &PublicKeyPackage<C>) -> Vec<u8> {
        public.to_bytes()
    }

    fn open(share: &[u8], public: &[u8]) -> Result<EcdsaKey<C>, DecodeError> {
        let other = |_| DecodeError::Inconsistent("the stored share is no share of this curve");
        let public = PublicKeyPackage::from_bytes(public).map_err(other)?;
        KeyShare::from_bytes(share, &public).map(|share| EcdsaKey(Arc::new(share))).map_err(other)
    }

    fn public_key(public: &PublicKeyPackage<C>) -> Vec<u8> {
        public.verifying_key().as_bytes().to_vec()
    }
}

impl<C: EcdsaCurve> Held for EcdsaKey<C> {
    fn state(&self) -> ShareState {
        self.0.state()
    }

    fn package_id(&self) -> PackageId {
        self.0.public().package_id()
    }

    fn parties(&self) -> &Parties {
        self.0.public().parties()
    }

    fn threshold(&self) -> u16 {
        self.0.public().threshold()
    }

    fn public_key(&self) -> Vec<u8> {
        Ecdsa::<C>::public_key(self.0.public())
    }

    fn package(&self) -> Vec<u8> {
        self.0.public().to_bytes()
    }

    fn secret(&self) -> Zeroizing<Vec<u8>> {
        self.0.to_bytes()
    }

    fn root(&self) -> Option<Root> {
        let chain_code = *self.0.public().chain_code();
        Some(Root { point: self.public_key(), chain_code })
    }

    fn agreed(&self) -> Result<agreement::Held, DecodeError> {
        agreement::Held::from_stored::<Ecdsa<C>>(&self.secret(), &self.package())
    }

    fn confirmed(&self) -> Result<Zeroizing<Vec<u8>>, DecodeError> {
        let other = |_| DecodeError::Inconsistent("the share does not open again");
        let mut share = KeyShare::from_bytes(&self.secret(), self.0.public()).map_err(other)?;
        share.confirm();
        Ok(share.to_bytes())
    }

    fn make_nonces(&self, _: u16, _: &SealKey) -> Result<Vec<Made>, Refusal> {
        Err(Refusal::new(
            Reason::Unsupported,
            "the scheme signs with presignatures, not with nonces",
        ))
    }

    fn read(&self, material: &Material, _: &Message) -> Result<Spends, Refusal> {
        match material {
            Material::Presignature { name } => Ok(Spends { name: *name, package: None }),
            _ => Err(wrong("the scheme signs with presignatures")),
        }
    }

    fn spend(&self, made: &[u8], on: &Spend<'_>, key: &SealKey) -> Result<Share, Refusal> {
        let digest = digest::<C>(on.message)?;
        let presignature = Presignature::<C>::open(made, key);
        let presignature = presignature.map_err(|why| Refusal::new(Reason::Internal, why))?;
        let claim = presignature.claim_raw_digest(&self.0, &on.child.path, digest);
        let claim = claim.map_err(wrong)?;
        let record = claim.record();
        // The ledger records it before the share leaves; here it is new by its name.
        let receipt = record.store(&mut SpentInMemory::new()).map_err(wrong)?;
        let share = claim.release(receipt).map_err(wrong)?;
        Ok(Share { claim: record, bytes: share.to_bytes() })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The digest that a presignature signs: made of the message here, or of one that nobody shows, if the policy allowed it.
fn digest<C: EcdsaCurve>(message: &Message) -> Result<RawDigest, Refusal> {
    let digest = message.ecdsa_digest().map(RawDigest::assume_hash_of_known_message);
    let digest = digest.filter(|digest| !digest.is_zero::<C>());
    digest.ok_or_else(|| Refusal::new(Reason::Malformed, "expected a hash of 32 bytes, not zero"))
}

fn wrong(why: impl core::fmt::Display) -> Refusal {
    Refusal::new(Reason::WrongMaterial, why)
}
