//! Shares of ML-DSA's keys. Experimental.

use core::any::Any;
use std::sync::Arc;

use custody_core::{Material, Reason, Refusal, Root};
use quorate::keys::{DecodeError, PackageId, ShareState, agreement};
use quorate::mldsa::{KeyShare, Level, PublicKeyPackage};
use quorate::session::wire::Reader;
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Parties, SealKey};
use quorate_purpose::Message;

use super::{Held, Made, Share, Spend, Spends};

/// A share of a key of ML-DSA-65. Its members keep their shares for the life of the key.
pub(crate) struct MlDsaKey {
    pub(crate) share: Arc<KeyShare>,
    id: PackageId,
}

impl MlDsaKey {
    /// The parameter set.
    pub(crate) const LEVEL: Level = Level::MlDsa65;

    /// The results of a run that has made a key: the public side and the share.
    pub(crate) fn stored(share: &KeyShare) -> Vec<Zeroizing<Vec<u8>>> {
        vec![Zeroizing::new(share.public().to_bytes()), share.to_bytes()]
    }

    pub(crate) fn open(share: &[u8], public: &[u8]) -> Result<Self, DecodeError> {
        let other = DecodeError::Inconsistent("the stored share is no share of this key of ML-DSA");
        let share = KeyShare::from_bytes(Self::LEVEL, share);
        let share = share.ok().filter(|share| share.public().to_bytes() == public).ok_or(other)?;
        // There is one epoch, so the package stands for the key.
        let digest = share.public().digest();
        let name = [digest.as_slice(), &[0; 4], &digest].concat();
        Ok(Self { share: Arc::new(share), id: PackageId::read(&mut Reader::new(&name))? })
    }

    /// The public key of a package, in the encoding of FIPS 204.
    pub(crate) fn public_key_of(package: &[u8]) -> Option<Vec<u8>> {
        let package = PublicKeyPackage::from_bytes(Self::LEVEL, package).ok()?;
        Some(package.verifying_key().to_bytes())
    }
}

impl Held for MlDsaKey {
    fn state(&self) -> ShareState {
        if self.share.is_confirmed() { ShareState::Ready } else { ShareState::Unconfirmed }
    }

    fn package_id(&self) -> PackageId {
        self.id
    }

    fn parties(&self) -> &Parties {
        self.share.public().parties()
    }

    fn threshold(&self) -> u16 {
        self.share.public().threshold()
    }

    fn public_key(&self) -> Vec<u8> {
        self.share.public().verifying_key().to_bytes()
    }

    fn package(&self) -> Vec<u8> {
        self.share.public().to_bytes()
    }

    fn secret(&self) -> Zeroizing<Vec<u8>> {
        self.share.to_bytes()
    }

    fn root(&self) -> Option<Root> {
        None
    }

    fn agreed(&self) -> Result<agreement::Held, DecodeError> {
        Err(DecodeError::Inconsistent("keys of ML-DSA get no new shares"))
    }

    fn confirmed(&self) -> Result<Zeroizing<Vec<u8>>, DecodeError> {
        let share = KeyShare::from_bytes(Self::LEVEL, &self.secret());
        let mut share =
            share.map_err(|_| DecodeError::Inconsistent("the share does not open again"))?;
        share.confirm();
        Ok(share.to_bytes())
    }

    fn make_nonces(&self, _: u16, _: &SealKey) -> Result<Vec<Made>, Refusal> {
        Err(Refusal::new(Reason::Unsupported, ATTEMPTS))
    }

    fn read(&self, _: &Material, _: &Message) -> Result<Spends, Refusal> {
        Err(Refusal::new(Reason::WrongMaterial, ATTEMPTS))
    }

    fn spend(&self, _: &[u8], _: &Spend<'_>, _: &SealKey) -> Result<Share, Refusal> {
        Err(Refusal::new(Reason::WrongMaterial, ATTEMPTS))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

const ATTEMPTS: &str = "the scheme signs in attempts of all signers";
