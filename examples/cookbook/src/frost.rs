//! Schnorr keys, by FROST: made by all parties, and used by any two.

use getrandom::SysRng;
use quorate::PartyId;
use quorate::frost::generic::{
    Ciphersuite, Coordinator, Dkg, DkgParams, KeyShare, PublicKeyPackage, Signature, SigningPackage,
};
use quorate::session::rand_core::UnwrapErr;

use crate::Failure;
use crate::mesh::Mesh;
use crate::run::run;

/// The lane of signing.
const SIGNING: u8 = 0;

/// One party's share of a key of which any two parties sign, with what is public of it.
pub struct Key<S: Ciphersuite> {
    /// The share.
    pub share: KeyShare<S>,
    /// The public side of the key.
    pub public: PublicKeyPackage<S>,
}

impl<S: Ciphersuite> Key<S> {
    /// Makes a key with all parties.
    ///
    /// # Errors
    /// The run's.
    pub fn make(mesh: &mut Mesh) -> Result<Self, Failure> {
        let parties = mesh.parties.clone();
        let made = run::<Dkg<S>>(mesh, 1, &parties, DkgParams::new(2))?;
        Ok(Self { share: made.share, public: made.public })
    }

    /// Party 1: has `message` signed by itself and `other`, which is shown `context` to see why.
    ///
    /// # Errors
    /// If the other one refuses, is silent, or cheats.
    pub fn sign(
        &self,
        mesh: &mut Mesh,
        other: PartyId,
        context: &[u8],
        message: &[u8],
    ) -> Result<Signature<S>, Failure> {
        mesh.send(other, SIGNING, context)?;
        let theirs = mesh.receive_from(other, SIGNING)?;
        let (nonces, own) = self.share.commit(&mut UnwrapErr(SysRng));
        let coordinator = Coordinator::new(self.public.clone());
        let mut session =
            coordinator.start([(mesh.me, own.to_bytes()), (other, theirs)], message)?;
        mesh.send(other, SIGNING, &session.package().to_bytes())?;
        session.receive(mesh.me, &self.share.sign(session.package(), nonces)?.to_bytes())?;
        session.receive(other, &mesh.receive_from(other, SIGNING)?)?;
        Ok(coordinator.aggregate(session)?)
    }

    /// The others: sign what party 1 asks for, as long as it asks. `look` reads the context, and says what message may be signed,
    /// worked out by itself.
    ///
    /// # Errors
    /// As [`cosign_one`](Self::cosign_one).
    pub fn cosign(
        &self,
        mesh: &mut Mesh,
        mut look: impl FnMut(&[u8]) -> Result<Vec<u8>, Failure>,
    ) -> Result<(), Failure> {
        while self.cosign_one(mesh, &mut look)? {}
        Ok(())
    }

    /// Signs once; `false` if party 1 asks for nothing any more.
    ///
    /// # Errors
    /// If `look` refuses, or party 1 asks for something else than it has shown.
    pub fn cosign_one(
        &self,
        mesh: &mut Mesh,
        look: impl FnOnce(&[u8]) -> Result<Vec<u8>, Failure>,
    ) -> Result<bool, Failure> {
        let Some((from, context)) = mesh.order(SIGNING) else { return Ok(false) };
        let allowed = look(&context)?;
        let (nonces, own) = self.share.commit(&mut UnwrapErr(SysRng));
        mesh.send(from, SIGNING, &own.to_bytes())?;
        let package = SigningPackage::from_bytes(&mesh.receive_from(from, SIGNING)?)?;
        if package.message() != allowed {
            return Err("this is not what was shown".into());
        }
        mesh.send(from, SIGNING, &self.share.sign(&package, nonces)?.to_bytes())?;
        Ok(true)
    }
}
