//! Shares of FROST's keys.

use core::any::Any;
use std::sync::Arc;

use custody_core::{Child, Derivations, Material, Reason, Refusal, Root};
use getrandom::SysRng;
use quorate::frost::generic::{
    DecodeError as FrostError, Dkg, Frost, KeyShare, NonceBatch, PublicKeyPackage, SigningPackage,
};
use quorate::keys::derive::DerivationPath;
use quorate::keys::{DecodeError, PackageId, ShareState, agreement};
use quorate::session::rand_core::UnwrapErr;
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Continuity, Parties, SealKey, SpentInMemory};
use quorate_purpose::Message;

use super::{Held, KeyFamily, Made, Share, Spend, Spends, Suite};

/// At least the bytes of a signer's number and two commitments in a package, of whatever suite.
const COMMITMENTS: usize = 128;
/// At least the bytes of a package beside the commitments and the message.
const HEADER: usize = 256;

/// A share of a key of FROST.
pub(crate) struct FrostKey<S: Suite> {
    pub(crate) share: KeyShare<S>,
    pub(crate) public: PublicKeyPackage<S>,
    /// The shares of the children that sign.
    children: Derivations<KeyShare<S::Descendant>>,
}

impl<S: Suite> KeyFamily for Frost<S> {
    type Held = FrostKey<S>;
    type Generate = Dkg<S>;

    fn stored(share: &KeyShare<S>, public: &PublicKeyPackage<S>) -> (Zeroizing<Vec<u8>>, Vec<u8>) {
        (share.to_bytes(), public.to_bytes())
    }

    fn public_bytes(public: &PublicKeyPackage<S>) -> Vec<u8> {
        public.to_bytes()
    }

    fn open(share: &[u8], public: &[u8]) -> Result<FrostKey<S>, DecodeError> {
        let other =
            |_: FrostError| DecodeError::Inconsistent("the stored share is no share of this suite");
        let public = PublicKeyPackage::from_bytes(public).map_err(other)?;
        let share = KeyShare::from_bytes(share, &public).map_err(other)?;
        Ok(FrostKey { share, public, children: Derivations::default() })
    }

    fn public_key(public: &PublicKeyPackage<S>) -> Vec<u8> {
        // For the hashes of the derivation that does not fail.
        let Ok(signs) = public.descendant(&DerivationPath::default()) else { return vec![] };
        signs.verifying_key().to_bytes().as_ref().iter().copied().skip(S::SKIP).collect()
    }
}

impl<S: Suite> Held for FrostKey<S> {
    fn state(&self) -> ShareState {
        self.share.state()
    }

    fn package_id(&self) -> PackageId {
        self.public.package_id()
    }

    fn parties(&self) -> &Parties {
        self.public.parties()
    }

    fn threshold(&self) -> u16 {
        self.public.threshold()
    }

    fn public_key(&self) -> Vec<u8> {
        Frost::<S>::public_key(&self.public)
    }

    fn package(&self) -> Vec<u8> {
        self.public.to_bytes()
    }

    fn secret(&self) -> Zeroizing<Vec<u8>> {
        self.share.to_bytes()
    }

    fn root(&self) -> Option<Root> {
        let point = self.public.verifying_key().to_bytes().as_ref().to_vec();
        Some(Root { point, chain_code: self.public.public_chain_code() })
    }

    fn agreed(&self) -> Result<agreement::Held, DecodeError> {
        agreement::Held::from_stored::<Frost<S>>(&self.share.to_bytes(), &self.public.to_bytes())
    }

    fn confirmed(&self) -> Result<Zeroizing<Vec<u8>>, DecodeError> {
        let FrostKey { mut share, .. } = Frost::<S>::open(&self.secret(), &self.package())?;
        share.confirm();
        Ok(share.to_bytes())
    }

    fn make_nonces(&self, count: u16, key: &SealKey) -> Result<Vec<Made>, Refusal> {
        let rng = &mut UnwrapErr(SysRng);
        let share = self.share_of(&Child::default())?;
        // They serve the key and all of its children. A row of the database is one pair.
        let made = share.precompute(count.into(), rng).split().filter_map(|one| {
            let pair = one.commitments().next()?;
            Some(Made { name: pair.nonce_id().0, public: pair.to_bytes(), sealed: one.seal(key) })
        });
        Ok(made.collect())
    }

    fn read(&self, material: &Material, message: &Message) -> Result<Spends, Refusal> {
        let Material::Nonces { package } = material else {
            return Err(wrong("the scheme signs with nonces"));
        };
        let message = message.raw().ok_or_else(|| wrong("the scheme signs no digest"))?;
        // Each point is decoded, so no more of them than the key has members.
        let most = usize::from(self.parties().count());
        let most = COMMITMENTS * most + message.len();
        if package.len() > most + HEADER {
            return Err(wrong("the package is longer than one of all members for this message"));
        }
        let package = SigningPackage::<S::Descendant>::from_bytes(package).map_err(wrong)?;
        let mine = package.commitments_of(self.share.id());
        let mine = mine.ok_or_else(|| wrong("this node is no signer of the package"))?;
        Ok(Spends { name: mine.nonce_id().0, package: Some(Box::new(package)) })
    }

    fn spend(&self, made: &[u8], on: &Spend<'_>, key: &SealKey) -> Result<Share, Refusal> {
        let message = on.message.raw().ok_or_else(|| wrong("the scheme signs no digest"))?;
        let package = on.spends.package.as_ref().and_then(|package| package.downcast_ref());
        let package: &SigningPackage<S::Descendant> =
            package.ok_or_else(|| wrong("the package is of another scheme"))?;
        if package.message() != message {
            return Err(wrong("the message of the package is not that of the purpose"));
        }
        let signer = self.share_of(on.child)?;
        let batch = NonceBatch::<S::Descendant>::open(made, key, Continuity::StayedUp);
        let mut batch = batch.map_err(|why| Refusal::new(Reason::Internal, why))?;
        // The pairs are of the key that signs at `m`.
        let parent = self.share_of(&Child::default())?.package_id();
        let claim = batch.claim_for_child(parent, &signer, package).map_err(wrong)?;
        let record = claim.record();
        // The ledger records it before the share leaves; here it is new by its name.
        let receipt = record.store(&mut SpentInMemory::new()).map_err(wrong)?;
        let nonces = claim.release(receipt).map_err(wrong)?;
        let share = signer.sign(package, nonces).map_err(wrong)?;
        Ok(Share { claim: record, bytes: share.to_bytes() })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<S: Suite> FrostKey<S> {
    /// The share of a child that signs.
    fn share_of(&self, child: &Child) -> Result<Arc<KeyShare<S::Descendant>>, Refusal> {
        let derive = |child: &Child| {
            let scripts = child.merkle_root.map(|root| root.0);
            self.share.descendant_output(&self.public, &child.path, scripts)
        };
        self.children.at(child, derive).map_err(|why| Refusal::new(Reason::WrongPath, why))
    }
}

fn wrong(why: impl core::fmt::Display) -> Refusal {
    Refusal::new(Reason::WrongMaterial, why)
}
