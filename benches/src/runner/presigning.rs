//! Presigning by sessions alone, and by runners.

use std::sync::Arc;

use quorate::runner::{App, Bounds, Job, MemoryStore, RunEnd, Runner};
use quorate_bignum::Engine;
use quorate_cggmp::session::zeroize::Zeroizing;
use quorate_cggmp::session::{Parties, PartyId, SealKey, SessionId};
use quorate_cggmp::{
    AuxInfoGen, AuxInfoParams, AuxSecrets, Keygen, KeygenParams, Presign, PresignParams,
    Presignature, Secp256k1,
};
use quorate_paillier::Level;

use crate::ecdsa::{Ledger, find, sessions};
use crate::{Meter as _, Stopwatch, generator};

/// A party of the presigning.
struct Signer(PresignParams<Secp256k1>);

impl App<Presign<Secp256k1>> for Signer {
    fn params(&mut self, _: &Job) -> Option<PresignParams<Secp256k1>> {
        Some(self.0.clone())
    }

    fn record(&mut self, _: &Job, end: RunEnd<Presignature<Secp256k1>>) -> Zeroizing<Vec<u8>> {
        let RunEnd::Done(presignature) = end else { panic!("honest signers") };
        presignature.to_bytes()
    }
}

/// Three signers with their keys and auxiliary information.
pub(super) struct Presigning {
    parties: Parties,
    params: Vec<PresignParams<Secp256k1>>,
    count: u8,
}

impl Presigning {
    pub(super) fn new() -> Self {
        let engine = Engine::detect();
        let parties = Parties::numbered(3).expect("three");
        let ledger = &mut Ledger::timing();
        let keys = sessions::run::<Keygen<Secp256k1>>(
            SessionId::new([1; 32]),
            &parties,
            |_| KeygenParams::new(3),
            ledger,
        );
        let aux_params = |party: PartyId| {
            let rng = &mut generator(4);
            let number = u8::try_from(party.get()).expect("few parties");
            let primes = find(&engine, Level::Bits128, [0xfd, number]);
            let secrets = AuxSecrets::from_primes(&engine, Level::Bits128, &primes, rng);
            AuxInfoParams::new(engine, Arc::new(secrets.expect("good primes")))
        };
        let aux =
            sessions::run::<AuxInfoGen>(SessionId::new([2; 32]), &parties, aux_params, ledger);
        let params = keys
            .into_iter()
            .zip(aux)
            .map(|(key, aux)| PresignParams::new(engine, Arc::new(key), Arc::new(aux)))
            .collect();
        Self { parties, params, count: 2 }
    }

    fn sid(&mut self) -> SessionId {
        self.count = self.count.wrapping_add(1);
        SessionId::new([self.count; 32])
    }

    /// CPU time in milliseconds, of all parties.
    pub(super) fn alone(&mut self) -> f64 {
        let sid = self.sid();
        let params = |party| self.params[self.parties.position(party).expect("a signer")].clone();
        let mut stopwatch = Stopwatch::default();
        stopwatch.start();
        let made =
            sessions::run::<Presign<Secp256k1>>(sid, &self.parties, params, &mut Ledger::timing());
        stopwatch.stop();
        assert_eq!(made.len(), 3);
        stopwatch.total().as_secs_f64() * 1e3
    }

    /// CPU time in milliseconds of all parties, each with a runner and a store.
    pub(super) fn with_runners(&mut self) -> f64 {
        let parties = self.parties.clone();
        let job = Job { sid: self.sid(), parties, body: Vec::new(), deadline: 1_000_000 };
        let mut stopwatch = Stopwatch::default();
        stopwatch.start();
        let mut nodes = Vec::new();
        for (at, me) in self.parties.iter().enumerate() {
            let on = (MemoryStore::new(), Signer(self.params[at].clone()));
            let key = Arc::new(SealKey::new([9; 32]));
            let mut node = Runner::new(me, key, on, Bounds::new(1_000)).expect("an empty store");
            node.start(&job, 0, &mut generator(job.sid.as_bytes()[0])).expect("a job");
            nodes.push(node);
        }
        let (mut ended, mut now) = (0, 0);
        while ended < nodes.len() {
            now += 1;
            let mut mail = Vec::new();
            for node in &mut nodes {
                let me = node.me();
                let packets = node.outgoing(now, 64).expect("a store in memory");
                mail.extend(packets.into_iter().map(|packet| (me, packet)));
            }
            for (from, packet) in mail {
                let to = self.parties.position(packet.to).expect("a signer");
                nodes[to].receive(from, &packet.bytes, now).expect("a store in memory");
            }
            for node in &mut nodes {
                ended += node.work(now).expect("a store in memory").len();
            }
        }
        stopwatch.stop();
        stopwatch.total().as_secs_f64() * 1e3
    }
}
