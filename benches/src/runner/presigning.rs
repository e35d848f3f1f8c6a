//! Presigning by sessions alone, and by runners.

use core::time::Duration;
use std::sync::Arc;

use quorate::runner::{App, Continuity, Job, MemoryStore, RunEnd, Runner};
use quorate_bignum::Engine;
use quorate_cggmp::session::zeroize::Zeroizing;
use quorate_cggmp::session::{Parties, PartyId, SealKey, SessionId};
use quorate_cggmp::{
    AuxInfoGen, AuxInfoParams, AuxSecrets, Keygen, KeygenParams, Presign, PresignMany,
    PresignManyParams, PresignParams, Presignature, Secp256k1,
};
use quorate_paillier::Level;

use super::databases::Databases;
use super::services::{Services, process_time};
use crate::ecdsa::{Ledger, find, sessions};
use crate::{Meter as _, Stopwatch, generator};

/// A party of the presigning.
pub(super) struct Signer(PresignParams<Secp256k1>);

impl App<Presign<Secp256k1>> for Signer {
    type Record = Zeroizing<Vec<u8>>;

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
            let secrets = AuxSecrets::from_primes(Level::Bits128, &primes, rng);
            AuxInfoParams::new(Arc::new(secrets.expect("good primes")))
        };
        let aux =
            sessions::run::<AuxInfoGen>(SessionId::new([2; 32]), &parties, aux_params, ledger);
        let params = keys
            .into_iter()
            .zip(aux)
            .map(|(key, aux)| PresignParams::new(Arc::new(key), Arc::new(aux)))
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

    /// The longest piece of work of a party, in milliseconds, in a run for many presignatures, and the time of all of its work
    /// for one of them.
    pub(super) fn pieces(&mut self, count: u16) -> (f64, f64) {
        let (sid, ledger) = (self.sid(), &mut Ledger::timing());
        let params = |party| {
            let params = &self.params[self.parties.position(party).expect("a signer")];
            PresignManyParams::new(params.clone(), count)
        };
        let made = sessions::run::<PresignMany<Secp256k1>>(sid, &self.parties, params, ledger);
        assert_eq!(made.len(), 3);
        let whole: f64 = ledger.rounds().iter().map(Duration::as_secs_f64).sum();
        let of_one = whole / f64::from(count) / 3.0;
        (ledger.longest_piece().as_secs_f64() * 1e3, of_one * 1e3)
    }

    /// Services of the three signers.
    pub(super) fn services<D: Databases>(&self, databases: D) -> Services<D, Signer> {
        let apps = self.params.iter().cloned().map(Signer).collect();
        Services::new::<Presign<Secp256k1>>(databases, &self.parties, 1, apps)
    }

    /// CPU time in milliseconds of the whole process, through services.
    pub(super) fn through<D: Databases>(&mut self, services: &Services<D, Signer>) -> f64 {
        let (sid, parties) = (self.sid(), self.parties.clone());
        let job = Job { sid, parties, body: Vec::new(), deadline: services.deadline() };
        let began = process_time();
        services.run::<Presign<Secp256k1>>(vec![vec![job.clone()], vec![job.clone()], vec![job]]);
        (process_time() - began).as_secs_f64() * 1e3
    }

    /// CPU time in milliseconds of all parties, each with a runner and a store.
    pub(super) fn with_runners(&mut self) -> f64 {
        let parties = self.parties.clone();
        let job = Job { sid: self.sid(), parties, body: Vec::new(), deadline: 1_000_000 };
        let mut stopwatch = Stopwatch::default();
        stopwatch.start();
        let mut nodes = Vec::new();
        for (at, me) in self.parties.iter().enumerate() {
            let key = Arc::new(SealKey::new([9; 32]));
            let mut node = Runner::builder(me, key, Continuity::NewStore)
                .protocol::<Presign<Secp256k1>>()
                .open(MemoryStore::new(), Signer(self.params[at].clone()))
                .expect("an empty store");
            node.start::<Presign<Secp256k1>>(&job, 0, &mut generator(job.sid.as_bytes()[0]))
                .expect("a job");
            nodes.push(node);
        }
        let (mut ended, mut now) = (0, 0);
        while ended < nodes.len() {
            now += 1;
            let mut mail = Vec::new();
            for node in &mut nodes {
                let me = node.id();
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
