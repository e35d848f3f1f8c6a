//! The secrets of a node. They live on the thread of the runner, beside the store.

use std::{collections::VecDeque, path::Path, sync::Arc};

use getrandom::SysRng;
use quorate::ecdsa::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSearch, AuxSecrets, AuxStep, DerivationPath, KeyShare,
    Keygen, KeygenParams, Level, MessageDigest, PresignMany, PresignManyParams, PresignParams,
    Presignature, Presignatures, Secp256k1,
};
use quorate::envelope::Messages;
use quorate::frost::ed25519::{Dkg, DkgOutput, DkgParams, Nonces, SigningPackage};
use quorate::runner::{self, App, Bounds, Continuity, Job, RunEnd, keep_outputs};
use quorate::session::rand_core::UnwrapErr;
use quorate::{PartyId, SealKey};
use quorate_store::{SqliteStore, file, settle_rolled_back};
use quorate_tokio::unix_time;

use crate::{Result, YEAR, net::End, policy};

pub(crate) type Runner = runner::Runner<SqliteStore, Node>;
pub(crate) type Record<P> = <Node as App<P>>::Record;

pub(crate) struct Node {
    end: Arc<End>,
    primes: Arc<AuxSecrets>,
    pub(crate) stock: Presignatures<Secp256k1>,
    /// With the commitments to them, the newest first. They are in memory alone: a restart forgets them.
    nonces: VecDeque<(Vec<u8>, Nonces)>,
    /// The server takes the keys out of the store after each start.
    pub(crate) ed25519: Option<DkgOutput>,
    pub(crate) ecdsa: Option<Arc<KeyShare<Secp256k1>>>,
    pub(crate) aux: Option<Arc<AuxInfo>>,
}

/// Opens the store, and continues the runs that a crash has interrupted.
pub(crate) fn open(me: PartyId, level: Level, end: Arc<End>) -> Result<Runner> {
    let (folder, key) = (&end.folder, &end.key);
    let primes = search(&folder.join("primes"), key, level)?;
    // What was spent is in a file of its own, which no backup may contain.
    let options = SqliteStore::options().spent(folder.join("spent.db")).allow_rolled_back();
    let mut store = options.open(folder.join("node.db"))?;
    // Here the operator promises that the two are never restored together. Peers or a counter are better witnesses.
    let continuity = store.continuity(Continuity::Operator)?;
    let stock = match file::read(folder.join("stock"))? {
        Some(sealed) => Presignatures::open(&sealed, key, continuity)?,
        None => Presignatures::new(me),
    };
    let (ed25519, ecdsa, aux, nonces) = (None, None, None, VecDeque::new());
    // A peer that was away for days still gets the last messages of a key generation.
    let builder = runner::Runner::builder(me, Arc::clone(key), continuity)
        .bounds(Bounds { outlive: YEAR, ..Bounds::new(1000) })
        .protocol::<Dkg>()
        .protocol::<Keygen<Secp256k1>>()
        .protocol::<AuxInfoGen>()
        .protocol::<PresignMany<Secp256k1>>();
    let node = Node { end, primes, stock, nonces, ed25519, ecdsa, aux };
    let mut runner = builder.open(store, node)?;
    // If a database came from a backup: what was under way ends, the stock is empty, and the keys are as they were.
    let found = settle_rolled_back(&mut runner, unix_time(), |node| node.store_stock())?;
    let _restored = found.inspect(|which| eprintln!("{which}"));
    Ok(runner)
}

/// Searches for primes, once in the life of a node. Killed at any moment, it continues. Each start repeats the last step alone.
fn search(path: &Path, key: &SealKey, level: Level) -> Result<Arc<AuxSecrets>> {
    let mut search = match file::read(path)? {
        Some(sealed) => AuxSearch::resume(level, &key.open_bytes("primes", &sealed)?)?,
        None => AuxSecrets::generate(level, &mut UnwrapErr(SysRng))?,
    };
    loop {
        file::replace(path, &key.seal_bytes("primes", &search.save()))?;
        search = match search.step(64)? {
            AuxStep::Searching(search) => search,
            AuxStep::Done(secrets) => return Ok(Arc::new(secrets)),
        };
    }
}

// What these protocols give stays in the store, as the records of their runs.
keep_outputs!(Node {
    Dkg => |_, _| Some(DkgParams::new(2)),
    Keygen<Secp256k1> => |_, _| Some(KeygenParams::new(2)),
    AuxInfoGen => |node, _| Some(AuxInfoParams::new(Arc::clone(&node.primes))),
});

impl App<PresignMany<Secp256k1>> for Node {
    type Record = ();

    fn params(&mut self, _: &Job) -> Option<PresignManyParams<Secp256k1>> {
        let (key, aux) = (self.ecdsa.clone()?, self.aux.clone()?);
        Some(PresignManyParams::new(PresignParams::new(key, aux), 4))
    }

    /// Adds to the stock, which knows what it has had: a run that ends twice adds nothing.
    fn record(&mut self, _: &Job, end: RunEnd<Vec<Presignature<Secp256k1>>>) {
        for presignature in end.into_output().into_iter().flatten() {
            self.stock.insert(presignature).ok(); // one that is refused is not used
        }
        drop(self.store_stock()); // if that fails, `spend` stores it before it uses one
    }
}

impl Node {
    fn store_stock(&self) -> Result<()> {
        Ok(file::replace(self.end.folder.join("stock"), &self.stock.seal(&self.end.key))?)
    }

    fn ed25519(&self) -> Result<&DkgOutput> {
        Ok(self.ed25519.as_ref().ok_or("there is no Ed25519 key")?)
    }

    /// FROST, round one: commitments to nonces that stay here.
    fn commit(&mut self) -> Result<Vec<u8>> {
        let (nonces, commitments) = self.ed25519()?.share.commit(&mut UnwrapErr(SysRng));
        self.nonces.truncate(63); // the oldest make room: clients may never come back
        self.nonces.push_front((commitments.to_bytes(), nonces));
        Ok(commitments.to_bytes())
    }

    /// FROST, round two: the share of a signature.
    fn sign(&mut self, package: &[u8], commitments: &[u8]) -> Result<Vec<u8>> {
        let package = SigningPackage::from_bytes(package)?;
        policy::check(&self.end.folder, package.message())?;
        let at = self.nonces.iter().position(|(to, _)| to == commitments);
        let (_, nonces) =
            at.and_then(|at| self.nonces.remove(at)).ok_or("these nonces are gone")?;
        Ok(self.ed25519()?.share.sign(&package, nonces)?.to_bytes())
    }
}

/// ECDSA: the share of a signature. Before it exists, the presignature has left the stock, and the store has recorded its end.
fn spend(runner: &mut Runner, id: &[u8], message: &[u8]) -> Result<Vec<u8>> {
    let node = runner.app();
    policy::check(&node.end.folder, message)?;
    let key = node.ecdsa.clone().ok_or("there is no ECDSA key")?;
    let id = node.stock.ids().find(|held| held.to_bytes() == id).ok_or("it is not in stock")?;
    let message = MessageDigest::sha256(message);
    let claim = node.stock.claim(&id, &key, &DerivationPath::default(), message)?;
    node.store_stock()?;
    let receipt = claim.record().store(runner.store())?;
    Ok(claim.release(receipt)?.to_bytes())
}

/// Answers an order. The client is not trusted: `Node::sign` and `spend` ask the policy.
pub(crate) fn answer(runner: &mut Runner, order: &Messages) -> Result<Vec<Vec<u8>>> {
    let (node, order) = (runner.app(), order.iter().map(|part| part.as_slice()));
    Ok(match order.collect::<Vec<_>>().as_slice() {
        [b"ed25519"] => vec![node.ed25519()?.public.to_bytes()],
        [b"ecdsa"] => vec![node.ecdsa.as_ref().ok_or("there is no ECDSA key")?.public().to_bytes()],
        [word] if word.starts_with(b"stock ") => {
            node.stock.infos().map(|info| info.to_bytes()).collect()
        }
        [b"commit"] => vec![node.commit()?],
        [b"sign", package, commitments] => vec![node.sign(package, commitments)?],
        [b"spend", id, message] => vec![spend(runner, id, message)?],
        [b"drop", id] => {
            node.stock.retain(|info| info.id().to_bytes() != *id);
            node.store_stock().map(|()| Vec::new())?
        }
        _ => return Err("not an order".into()),
    })
}

#[cfg(test)]
mod tests;
