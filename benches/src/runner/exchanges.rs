//! Exchanges of FROST's signature shares between two runners.

use std::sync::Arc;

use quorate::frost::ed25519::{
    Dealing, PublicKeyPackage, ShareExchange, ShareExchangeParams, SignatureShare, SigningPackage,
};
use quorate::runner::{App, Bounds, Continuity, Job, MemoryStore, RunEnd, Runner, StartOutcome};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Parties, PartyId, SealKey, SessionId};

use crate::{HeapMeter, generator};

/// A signer that has released its share.
struct Signer {
    public: Arc<PublicKeyPackage>,
    package: Arc<SigningPackage>,
    me: PartyId,
}

impl App<ShareExchange> for Signer {
    type Record = Zeroizing<Vec<u8>>;

    /// A job's body is the share.
    fn params(&mut self, job: &Job) -> Option<ShareExchangeParams> {
        let own = SignatureShare::from_bytes(self.me, &job.body).ok()?;
        Some(ShareExchangeParams::new(Arc::clone(&self.public), Arc::clone(&self.package), own))
    }

    fn record(
        &mut self,
        _: &Job,
        end: RunEnd<quorate::frost::ed25519::Signature>,
    ) -> Zeroizing<Vec<u8>> {
        let RunEnd::Done(signature) = end else { panic!("honest signers") };
        Zeroizing::new(signature.to_bytes().as_ref().to_vec())
    }
}

type Node = Runner<MemoryStore, Signer>;

/// Two signers of a key of three, each with its runner.
pub(super) struct Exchanges {
    parties: Parties,
    nodes: Vec<Node>,
    shares: Vec<SignatureShare>,
    now: u64,
}

impl Exchanges {
    pub(super) fn new(open: usize) -> Self {
        let rng = &mut generator(1);
        let all = Parties::numbered(3).expect("three");
        let dealing = Dealing::new(2, &all, rng).expect("a key");
        let public = dealing.public;
        let keys: Vec<_> = dealing
            .shares
            .into_iter()
            .take(2)
            .map(|share| share.accept(2, &public).expect("an honest dealer"))
            .collect();
        let (nonces, commitments): (Vec<_>, Vec<_>) =
            keys.iter().map(|key| key.commit(rng)).unzip();
        let package = SigningPackage::new(&public, commitments, crate::MESSAGE).expect("a package");
        let sign = |(key, nonces): (&quorate::frost::ed25519::KeyShare, _)| {
            key.sign(&package, nonces).expect("good nonces")
        };
        let shares: Vec<SignatureShare> = keys.iter().zip(nonces).map(sign).collect();
        let (public, package) = (Arc::new(public), Arc::new(package));
        let bounds = Bounds { open: open.saturating_add(1), in_memory: open, ..Bounds::new(1_000) };
        let node = |share: &SignatureShare| {
            let (public, package) = (Arc::clone(&public), Arc::clone(&package));
            let app = Signer { public, package, me: share.id() };
            let key = Arc::new(SealKey::new([7; 32]));
            Runner::builder(share.id(), key, Continuity::NewStore)
                .protocol::<ShareExchange>()
                .bounds(bounds)
                .open(MemoryStore::new(), app)
                .expect("an empty store")
        };
        let nodes = shares.iter().map(node).collect();
        let parties = Parties::new(shares.iter().map(SignatureShare::id)).expect("two");
        Self { parties, nodes, shares, now: 0 }
    }

    /// The jobs of the first signer, with these numbers.
    pub(super) fn jobs(&self, from: usize, to: usize) -> Vec<Job> {
        (from..to).map(|number| self.job(number, 0)).collect()
    }

    fn job(&self, number: usize, signer: usize) -> Job {
        let mut sid = [0; 32];
        sid[..8].copy_from_slice(&number.to_be_bytes());
        Job {
            sid: SessionId::new(sid),
            parties: self.parties.clone(),
            body: self.shares[signer].to_bytes(),
            deadline: self.now.saturating_add(10_000),
        }
    }

    /// Starts jobs at the first signer, which hears nothing of the other.
    pub(super) fn start(&mut self, jobs: &[Job]) {
        let rng = &mut generator(2);
        let node = &mut self.nodes[0];
        for job in jobs {
            let begun = node.start::<ShareExchange>(job, 0, rng).expect("a job");
            assert!(begun == StartOutcome::Begun, "a new job");
        }
        assert!(node.work(0).expect("a store in memory").is_empty(), "all wait");
        assert_eq!(node.in_memory(), jobs.len());
    }

    /// Runs jobs to their ends, one after the other.
    pub(super) fn finish(&mut self, from: usize, to: usize) {
        let rng = &mut generator(3);
        for number in from..to {
            for signer in 0..2 {
                let job = self.job(number, signer);
                self.nodes[signer].start::<ShareExchange>(&job, self.now, rng).expect("a job");
            }
            let mut ended = 0;
            while ended < 2 {
                ended += self.turn();
            }
            // What is sent last is acknowledged, and forgotten.
            self.turn();
            self.now = self.now.saturating_add(100);
        }
    }

    /// Delivers all messages on their way and lets both work. Gives the number of runs that end.
    fn turn(&mut self) -> usize {
        let mut ended = 0;
        for from in 0..2 {
            let me = self.nodes[from].id();
            let packets = self.nodes[from].outgoing(self.now, 64).expect("a store in memory");
            let peer = &mut self.nodes[1 - from];
            for packet in packets {
                peer.receive(me, &packet.bytes, self.now).expect("a store in memory");
            }
            ended += peer.work(self.now).expect("a store in memory").len();
        }
        ended
    }

    /// The bytes of the first signer's store, which is taken from it.
    pub(super) fn store_of_first(&mut self) -> usize {
        let mut meter = HeapMeter::default();
        let store = core::mem::take(self.nodes[0].store());
        crate::Meter::start(&mut meter);
        drop(store);
        crate::Meter::stop(&mut meter);
        meter.left.unsigned_abs()
    }

    /// The bytes of both stores, in a measurement that is under way.
    pub(super) fn drop_stores(&mut self) -> usize {
        let before = HeapMeter::live();
        self.nodes.iter_mut().for_each(|node| drop(core::mem::take(node.store())));
        (before - HeapMeter::live()).unsigned_abs()
    }
}
