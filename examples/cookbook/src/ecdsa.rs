//! ECDSA keys, by CGGMP24: made by all parties; parties 1 and 2 have a stock of presignatures, and sign.

use std::sync::Arc;

use getrandom::SysRng;
use quorate::ecdsa::{
    AuxInfoGen, AuxInfoParams, AuxSecrets, AuxStep, DerivationPath, EcdsaCurve, KeyShare, Keygen,
    KeygenParams, Level, MessageDigest, PresignMany, PresignManyParams, PresignParams,
    Presignature, Signature,
};
use quorate::session::{SpentInMemory, rand_core::UnwrapErr};
use quorate::{Parties, PartyId};

use crate::Failure;
use crate::mesh::Mesh;
use crate::run::run;

/// The lane of signing.
const SIGNING: u8 = 0;
/// Finds primes sooner. The default is `Bits128`.
const LEVEL: Level = Level::Bits112;

/// One party's share of a key, and its part of the presignatures.
pub struct Key<C: EcdsaCurve> {
    /// The share.
    pub share: Arc<KeyShare<C>>,
    stock: Vec<Presignature<C>>,
    /// In life a table in a database that no backup brings back.
    spent: SpentInMemory,
}

impl<C: EcdsaCurve> Key<C> {
    /// Makes a key and auxiliary information with all parties, then `presignatures` presignatures with parties 1 and 2.
    ///
    /// # Errors
    /// A run's.
    pub fn make(mesh: &mut Mesh, presignatures: u16) -> Result<Self, Failure> {
        let parties = mesh.parties.clone();
        let share = Arc::new(run::<Keygen<C>>(mesh, 1, &parties, KeygenParams::new(2))?);
        let aux = AuxInfoParams::new(Arc::new(primes()?));
        let aux = Arc::new(run::<AuxInfoGen>(mesh, 2, &parties, aux)?);
        let signers = Parties::new(parties.iter().take(2))?;
        let mut key = Self { share, stock: Vec::new(), spent: SpentInMemory::new() };
        if signers.contains(mesh.me) {
            let one = PresignParams::new(Arc::clone(&key.share), aux);
            key.stock = run::<PresignMany<C>>(
                mesh,
                3,
                &signers,
                PresignManyParams::new(one, presignatures),
            )?;
        }
        Ok(key)
    }

    /// Party 1: has a message signed by the key at `path`. Party 2 is shown `context` to see why.
    ///
    /// # Errors
    /// If party 2 refuses, is silent, or cheats, or there are no presignatures left.
    pub fn sign(
        &mut self,
        mesh: &mut Mesh,
        (context, path): (&[u8], &DerivationPath),
        digest: MessageDigest,
    ) -> Result<Signature<C>, Failure> {
        let other = PartyId::new(2).ok_or("zero")?;
        mesh.send(other, SIGNING, context)?;
        let presignature = self.stock.pop().ok_or("no presignatures are left")?;
        let info = presignature.info().clone();
        let own = self.spend(presignature, path, digest)?;
        let theirs = mesh.receive_from(other, SIGNING)?;
        let child = self.share.public().derivation(path)?;
        Ok(info.aggregate(&child, digest, [(mesh.me, own), (other, theirs)])?)
    }

    /// Party 2: signs what party 1 asks for, as long as it asks. `look` reads the context, and says by which child what may be
    /// signed, worked out by itself.
    ///
    /// # Errors
    /// If `look` refuses.
    pub fn cosign(
        &mut self,
        mesh: &mut Mesh,
        mut look: impl FnMut(&[u8]) -> Result<(DerivationPath, MessageDigest), Failure>,
    ) -> Result<(), Failure> {
        // Party 3 has helped to make the key, and is needed again only if one of the others is lost.
        while !self.stock.is_empty()
            && let Some((from, context)) = mesh.order(SIGNING)
        {
            let (path, digest) = look(&context)?;
            let presignature = self.stock.pop().ok_or("no presignatures are left")?;
            let share = self.spend(presignature, &path, digest)?;
            mesh.send(from, SIGNING, &share)?;
        }
        Ok(())
    }

    /// Recorded first, released second.
    fn spend(
        &mut self,
        presignature: Presignature<C>,
        path: &DerivationPath,
        digest: MessageDigest,
    ) -> Result<Vec<u8>, Failure> {
        let claim = presignature.claim(&self.share, path, digest)?;
        let receipt = claim.record().store(&mut self.spent)?;
        Ok(claim.release(receipt)?.to_bytes())
    }
}

fn primes() -> Result<AuxSecrets, Failure> {
    let mut search = AuxSecrets::generate(LEVEL, &mut UnwrapErr(SysRng))?;
    loop {
        search = match search.step(64)? {
            AuxStep::Searching(search) => search,
            AuxStep::Done(secrets) => return Ok(secrets),
        };
    }
}
