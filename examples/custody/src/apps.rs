//! The protocols of a node's runner, and what the node knows about the jobs of each: parameters, and what is kept of results.

use core::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use quorate::frost::ed25519::{self, Ed25519Sha512};
use quorate::frost::generic::Frost;
use quorate::keys::{
    Acknowledge, AcknowledgeParams, Committee, Family, Reshare, ReshareParams, ResharePlan,
    Reshared, SecretShare, SharedKey, StoredByAll,
};
use quorate::runner::{App, Job, Kind as ProtocolKind, RunEnd};
use quorate::session::Protocol;
use quorate::session::zeroize::Zeroizing;
use quorate::{Parties, PartyId};
use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, Ecdsa, KeyShare, Keygen, KeygenParams, PresignMany,
    PresignManyParams, PresignParams, Presignature, PublicKeyPackage, Secp256k1,
};

use crate::orders::{Body, Kind};
use crate::records;
use crate::vault::{Held, Vault};

/// Key generation for Ed25519.
pub type Dkg = ed25519::Dkg;
/// Resharing of a key for ECDSA.
pub type ReshareEcdsa = Reshare<Ecdsa<Secp256k1>>;
/// Resharing of a key for Ed25519.
pub type ReshareEd25519 = Reshare<Frost<Ed25519Sha512>>;
/// The acknowledgement of new shares for ECDSA.
pub type StoredEcdsa = Acknowledge<Ecdsa<Secp256k1>>;
/// The acknowledgement of new shares for Ed25519.
pub type StoredEd25519 = Acknowledge<Frost<Ed25519Sha512>>;

/// The protocol of the orders of a kind.
#[must_use]
pub fn protocol(kind: Kind) -> ProtocolKind {
    match kind {
        Kind::Keygen => ProtocolKind::of::<Keygen<Secp256k1>>(),
        Kind::AuxInfo => ProtocolKind::of::<AuxInfoGen>(),
        Kind::Presign => ProtocolKind::of::<PresignMany<Secp256k1>>(),
        Kind::Dkg => ProtocolKind::of::<Dkg>(),
        Kind::ReshareEcdsa => ProtocolKind::of::<ReshareEcdsa>(),
        Kind::ReshareEd25519 => ProtocolKind::of::<ReshareEd25519>(),
        Kind::StoredEcdsa => ProtocolKind::of::<StoredEcdsa>(),
        Kind::StoredEd25519 => ProtocolKind::of::<StoredEd25519>(),
    }
}

/// The code of that protocol in its frames. Kinds of one [shard](Kind::shard) have the same.
#[must_use]
pub const fn code(kind: Kind) -> u8 {
    match kind {
        Kind::Keygen => Keygen::<Secp256k1>::CODE,
        Kind::AuxInfo => AuxInfoGen::CODE,
        Kind::Presign => PresignMany::<Secp256k1>::CODE,
        Kind::Dkg => Dkg::CODE,
        Kind::ReshareEcdsa => ReshareEcdsa::CODE,
        Kind::ReshareEd25519 => ReshareEd25519::CODE,
        Kind::StoredEcdsa => StoredEcdsa::CODE,
        Kind::StoredEd25519 => StoredEd25519::CODE,
    }
}

/// What a node's runner asks: the node's vault.
pub struct Known {
    /// The threshold that this node is configured with.
    pub threshold: u16,
    /// Everything else.
    pub vault: Rc<RefCell<Vault>>,
}

impl Known {
    /// The share that a job is about.
    fn share(&self, job: &Job) -> Option<Arc<Held>> {
        self.vault.borrow().share_of(&Body::from_bytes(&job.body)?)
    }
}

impl App<Keygen<Secp256k1>> for Known {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, _: &Job) -> Option<KeygenParams<Secp256k1>> {
        Some(KeygenParams::new(self.threshold))
    }

    fn record(&mut self, _: &Job, end: RunEnd<KeyShare<Secp256k1>>) -> Zeroizing<Vec<u8>> {
        records::of_end(end, |share| records::ecdsa_key(&share))
    }
}

impl App<Dkg> for Known {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, _: &Job) -> Option<ed25519::DkgParams> {
        Some(ed25519::DkgParams::new(self.threshold))
    }

    fn record(&mut self, _: &Job, end: RunEnd<ed25519::DkgOutput>) -> Zeroizing<Vec<u8>> {
        records::of_end(end, |made| records::key(made.share.to_bytes(), made.public.to_bytes()))
    }
}

impl App<AuxInfoGen> for Known {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, _: &Job) -> Option<AuxInfoParams> {
        let vault = self.vault.borrow();
        Some(AuxInfoParams::new(vault.primes()?))
    }

    fn record(&mut self, _: &Job, end: RunEnd<AuxInfo>) -> Zeroizing<Vec<u8>> {
        records::of_end(end, |aux| records::aux(&aux))
    }
}

impl App<PresignMany<Secp256k1>> for Known {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, job: &Job) -> Option<PresignManyParams<Secp256k1>> {
        let count = Body::from_bytes(&job.body)?.count;
        let Held::Ecdsa(key) = &*self.share(job)? else { return None };
        let vault = self.vault.borrow();
        let presign = PresignParams::new(Arc::clone(key), vault.aux()?);
        Some(PresignManyParams::new(presign, count))
    }

    fn record(&mut self, _: &Job, end: RunEnd<Vec<Presignature<Secp256k1>>>) -> Zeroizing<Vec<u8>> {
        records::of_end(end, |made| records::presignatures(&made))
    }
}

/// What a resharing is about: those of its parties that hold a share deal, and the committee is the body's.
struct Plan {
    body: Body,
    committee: Committee,
}

impl Plan {
    fn read(job: &Job) -> Option<Self> {
        let body = Body::from_bytes(&job.body)?;
        let members = Parties::new(body.committee.iter().copied()).ok()?;
        let committee = Committee::new(members, body.count).ok()?;
        Some(Self { body, committee })
    }

    /// This party's part: it deals, if it holds a share, and joins otherwise.
    fn params<F: Family>(
        self,
        job: &Job,
        me: PartyId,
        old: &SharedKey<F>,
        share: Option<&SecretShare<F>>,
    ) -> Option<ReshareParams<F>> {
        if old.epoch() != self.body.epoch {
            return None;
        }
        let dealers = job.parties.iter().filter(|id| old.parties().contains(*id));
        let plan = ResharePlan::new(old, Parties::new(dealers).ok()?, self.committee).ok()?;
        let params = match share {
            Some(share) => ReshareParams::dealer(&plan, share),
            None => ReshareParams::member(&plan, me),
        };
        params.ok().filter(|_| plan.parties() == job.parties)
    }
}

impl App<ReshareEcdsa> for Known {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, job: &Job) -> Option<ReshareParams<Ecdsa<Secp256k1>>> {
        let (plan, me) = (Plan::read(job)?, self.vault.borrow().me());
        match self.share(job).as_deref() {
            Some(Held::Ecdsa(key)) => {
                plan.params(job, me, key.public().shared(), Some(key.secret_share()))
            }
            Some(_) => None,
            None => {
                let info = PublicKeyPackage::<Secp256k1>::from_bytes(&plan.body.public).ok()?;
                plan.params(job, me, info.shared(), None)
            }
        }
    }

    fn record(&mut self, _: &Job, end: RunEnd<Reshared<Ecdsa<Secp256k1>>>) -> Zeroizing<Vec<u8>> {
        records::of_end(end, |made| match made.share {
            Some(share) => records::ecdsa_key(&share),
            None => records::no_share(&made.public),
        })
    }
}

impl App<ReshareEd25519> for Known {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, job: &Job) -> Option<ReshareParams<Frost<Ed25519Sha512>>> {
        let (plan, me) = (Plan::read(job)?, self.vault.borrow().me());
        match self.share(job).as_deref() {
            Some(Held::Ed25519(key, public)) => {
                plan.params(job, me, public.shared(), Some(key.secret_share()))
            }
            Some(_) => None,
            None => {
                let public = ed25519::PublicKeyPackage::from_bytes(&plan.body.public).ok()?;
                plan.params(job, me, public.shared(), None)
            }
        }
    }

    fn record(
        &mut self,
        _: &Job,
        end: RunEnd<Reshared<Frost<Ed25519Sha512>>>,
    ) -> Zeroizing<Vec<u8>> {
        records::of_end(end, |made| match made.share {
            Some(share) => records::key(share.to_bytes(), made.public.to_bytes()),
            None => (made.public.to_bytes(), Vec::new()),
        })
    }
}

impl App<StoredEcdsa> for Known {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, job: &Job) -> Option<AcknowledgeParams<Ecdsa<Secp256k1>>> {
        match self.stored(job)? {
            Kept::Share(share, public) => AcknowledgeParams::from_stored(&share, &public).ok(),
            Kept::Parted(public) => {
                let info = PublicKeyPackage::<Secp256k1>::from_bytes(&public).ok()?;
                AcknowledgeParams::listener(self.vault.borrow().me(), info.shared()).ok()
            }
        }
    }

    fn record(
        &mut self,
        job: &Job,
        end: RunEnd<StoredByAll<Ecdsa<Secp256k1>>>,
    ) -> Zeroizing<Vec<u8>> {
        let settle = |by| self.settle_ecdsa(job, &by);
        records::of_end(end, |by| settle(by).unwrap_or_default())
    }
}

impl App<StoredEd25519> for Known {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, job: &Job) -> Option<AcknowledgeParams<Frost<Ed25519Sha512>>> {
        match self.stored(job)? {
            Kept::Share(share, public) => AcknowledgeParams::from_stored(&share, &public).ok(),
            Kept::Parted(public) => {
                let package = ed25519::PublicKeyPackage::from_bytes(&public).ok()?;
                AcknowledgeParams::listener(self.vault.borrow().me(), package.shared()).ok()
            }
        }
    }

    fn record(
        &mut self,
        job: &Job,
        end: RunEnd<StoredByAll<Frost<Ed25519Sha512>>>,
    ) -> Zeroizing<Vec<u8>> {
        let settle = |by| self.settle_ed25519(job, &by);
        records::of_end(end, |by| settle(by).unwrap_or_default())
    }
}

/// What a node keeps of a key after a resharing.
enum Kept {
    /// A share, and the public side.
    Share(Zeroizing<Vec<u8>>, Vec<u8>),
    /// The public side alone, as the node itself has computed it: it has left.
    Parted(Vec<u8>),
}

impl Known {
    /// What is stored of a new share, read back.
    fn stored(&self, job: &Job) -> Option<Kept> {
        let body = Body::from_bytes(&job.body)?;
        let mut vault = self.vault.borrow_mut();
        if let Some((share, public)) = vault.stored(&body).ok()? {
            return Some(Kept::Share(share, public));
        }
        let public = vault.parted(body.key, body.epoch).ok()??;
        Some(Kept::Parted(public))
    }

    /// The new share, which may be relied on now that all have stored theirs.
    fn settle_ecdsa(
        &self,
        job: &Job,
        by: &StoredByAll<Ecdsa<Secp256k1>>,
    ) -> Option<records::Parts> {
        let (share, public) = match self.stored(job)? {
            Kept::Share(share, public) => (share, public),
            Kept::Parted(public) => return Some((public, Vec::new())),
        };
        let info = PublicKeyPackage::from_bytes(&public).ok()?;
        let mut share = KeyShare::from_bytes(&share, &info).ok()?;
        share.settle(by).ok()?;
        Some(records::ecdsa_key(&share))
    }

    fn settle_ed25519(
        &self,
        job: &Job,
        by: &StoredByAll<Frost<Ed25519Sha512>>,
    ) -> Option<records::Parts> {
        let (share, public) = match self.stored(job)? {
            Kept::Share(share, public) => (share, public),
            Kept::Parted(public) => return Some((public, Vec::new())),
        };
        let package = ed25519::PublicKeyPackage::from_bytes(&public).ok()?;
        let mut share = ed25519::KeyShare::from_bytes(&share, &package).ok()?;
        share.settle(by).ok()?;
        Some(records::key(share.to_bytes(), package.to_bytes()))
    }
}
