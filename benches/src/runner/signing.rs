//! FROST signatures by sessions alone, and through services.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use chacha20::ChaCha20Rng;
use quorate::frost::ed25519::{
    Coordinator, Dealing, KeyShare, Nonces, PublicKeyPackage, ShareExchange, ShareExchangeParams,
    Signature, SignatureShare, SigningPackage,
};
use quorate::runner::{App, Job, RunEnd};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Parties, SessionId};

use super::databases::Databases;
use super::services::{Services, process_time};
use crate::ecdsa::{Ledger, sessions};
use crate::{Meter as _, Stopwatch, generator};

/// The packages that all signers agreed to sign, by session.
type Packages = Arc<Mutex<BTreeMap<SessionId, Arc<SigningPackage>>>>;

/// A signer. In a run it exchanges its share, which is the body of the job. A coordinator calls it instead.
struct Signer {
    public: Arc<PublicKeyPackage>,
    packages: Packages,
    key: KeyShare,
    /// By the commitments to them.
    nonces: BTreeMap<Vec<u8>, Nonces>,
    rng: ChaCha20Rng,
}

impl Signer {
    /// Round one of a coordinator's signing.
    fn commit(&mut self) -> Vec<u8> {
        let (nonces, commitments) = self.key.commit(&mut self.rng);
        let commitments = commitments.to_bytes();
        self.nonces.insert(commitments.clone(), nonces);
        commitments
    }

    /// Round two.
    fn sign(&mut self, package: &[u8], commitments: &[u8]) -> Vec<u8> {
        let package = SigningPackage::from_bytes(package).expect("a coordinator's package");
        let nonces = self.nonces.remove(commitments).expect("nonces that wait");
        self.key.sign(&package, nonces).expect("good nonces").to_bytes()
    }
}

impl App<ShareExchange> for Signer {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, job: &Job) -> Option<ShareExchangeParams> {
        let packages = self.packages.lock().unwrap_or_else(PoisonError::into_inner);
        let package = Arc::clone(packages.get(&job.sid)?);
        let own = SignatureShare::from_bytes(self.key.id(), &job.body).ok()?;
        Some(ShareExchangeParams::new(Arc::clone(&self.public), package, own))
    }

    fn record(&mut self, _: &Job, end: RunEnd<Signature>) -> Zeroizing<Vec<u8>> {
        let RunEnd::Done(signature) = end else { panic!("honest signers") };
        Zeroizing::new(signature.to_bytes().to_vec())
    }
}

/// Two signers of a key of three.
pub(super) struct Signing<D: Databases> {
    signers: Parties,
    keys: Vec<KeyShare>,
    public: Arc<PublicKeyPackage>,
    packages: Packages,
    services: Services<D, Signer>,
    count: usize,
}

impl<D: Databases> Signing<D> {
    pub(super) fn new(databases: D, workers: usize) -> Self {
        let (keys, public) = key();
        let public = Arc::new(public);
        let signers = Parties::new(keys.iter().map(KeyShare::id)).expect("two");
        let packages = Packages::default();
        // The services sign with the same shares.
        let apps = key().0.into_iter().zip(10..).map(|(key, seed)| Signer {
            public: Arc::clone(&public),
            packages: Arc::clone(&packages),
            key,
            nonces: BTreeMap::new(),
            rng: generator(seed),
        });
        let services = Services::new::<ShareExchange>(databases, &signers, workers, apps.collect());
        Self { signers, keys, public, packages, services, count: 0 }
    }

    /// Does the work of a signature besides the exchange: each signer commits, makes the package, and signs.
    fn shares(&mut self) -> (SessionId, Vec<SignatureShare>) {
        let rng = &mut generator(u8::try_from(self.count & 0xff).unwrap_or_default());
        self.count += 1;
        let mut sid = [5; 32];
        sid[..8].copy_from_slice(&self.count.to_be_bytes());
        let sid = SessionId::new(sid);
        let (nonces, commitments): (Vec<_>, Vec<_>) =
            self.keys.iter().map(|key| key.commit(rng)).unzip();
        let sign = |(key, nonces): (&KeyShare, _)| {
            let package = SigningPackage::new(&self.public, commitments.clone(), crate::MESSAGE);
            let package = package.expect("a package");
            let share = key.sign(&package, nonces).expect("good nonces");
            let mut packages = self.packages.lock().unwrap_or_else(PoisonError::into_inner);
            packages.insert(sid, Arc::new(package));
            share
        };
        (sid, self.keys.iter().zip(nonces).map(sign).collect())
    }

    /// CPU time in milliseconds a signer, by sessions alone.
    pub(super) fn alone(&mut self, runs: usize) -> f64 {
        let mut stopwatch = Stopwatch::default();
        stopwatch.start();
        for _ in 0..runs {
            let (sid, shares) = self.shares();
            let package =
                self.packages.lock().unwrap_or_else(PoisonError::into_inner)[&sid].clone();
            let params = |party| {
                let own = shares[self.signers.position(party).expect("a signer")];
                ShareExchangeParams::new(Arc::clone(&self.public), Arc::clone(&package), own)
            };
            let ledger = &mut Ledger::timing();
            let made = sessions::run::<ShareExchange>(sid, &self.signers, params, ledger);
            assert_eq!(made.len(), 2);
        }
        stopwatch.stop();
        per_signer(stopwatch.total().as_secs_f64(), runs)
    }

    /// CPU time in milliseconds a signer, of everything that the process does, with a coordinator that calls the services: each
    /// commits, signs the package and forgets the nonces, and nothing is stored.
    pub(super) fn through_calls(&self, runs: usize) -> f64 {
        let coordinator = Coordinator::new((*self.public).clone());
        let began = process_time();
        for _ in 0..runs {
            let commitments = self.services.call(vec![Signer::commit; 2]);
            let named = self.signers.iter().zip(commitments.iter().cloned());
            let mut session = coordinator.start(named, crate::MESSAGE).expect("a package");
            let package = session.package().to_bytes();
            let sign = |commitments: Vec<u8>| {
                let package = package.clone();
                move |signer: &mut Signer| signer.sign(&package, &commitments)
            };
            let shares = self.services.call(commitments.into_iter().map(sign).collect());
            for (signer, share) in self.signers.iter().zip(shares) {
                session.receive(signer, &share).expect("a share");
            }
            coordinator.aggregate(session).expect("honest signers");
        }
        per_signer((process_time() - began).as_secs_f64(), runs)
    }

    /// CPU time in milliseconds a signer, of everything that the process does, with this number of signatures at once.
    pub(super) fn through_services(&mut self, runs: usize, at_once: usize) -> f64 {
        let began = process_time();
        let mut left = runs;
        while left > 0 {
            let batch = left.min(at_once);
            left -= batch;
            let mut jobs = vec![Vec::new(), Vec::new()];
            for _ in 0..batch {
                let (sid, shares) = self.shares();
                for (jobs, share) in jobs.iter_mut().zip(shares) {
                    let (parties, body) = (self.signers.clone(), share.to_bytes());
                    jobs.push(Job { sid, parties, body, deadline: self.services.deadline() });
                }
            }
            self.services.run::<ShareExchange>(jobs);
        }
        per_signer((process_time() - began).as_secs_f64(), runs)
    }
}

/// A key of three parties, and the shares of two of them. Each call gives the same.
fn key() -> (Vec<KeyShare>, PublicKeyPackage) {
    let rng = &mut generator(1);
    let dealing = Dealing::new(2, &Parties::numbered(3).expect("three"), rng).expect("a key");
    let public = dealing.public;
    let accept = |share: quorate::frost::ed25519::DealtShare| share.accept(2, &public);
    let keys: Result<Vec<_>, _> = dealing.shares.into_iter().take(2).map(accept).collect();
    (keys.expect("an honest dealer"), public)
}

fn per_signer(seconds: f64, runs: usize) -> f64 {
    seconds * 1e3 / (2.0 * f64::from(u32::try_from(runs).unwrap_or(u32::MAX)))
}
