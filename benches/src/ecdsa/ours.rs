//! Quorate.

use std::sync::Arc;

use quorate_bignum::{BlumPrimeSearch, Engine, SafePrimeSearch};
use quorate_cggmp::session::{Parties, PartyId, Protocol, SessionId, SpentInMemory};
use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSecrets, Committee, DerivationPath, Ecdsa,
    EcdsaCurve as Curve, KeyShare, Keygen, KeygenParams, MAX_PRESIGNATURES, MessageDigest, P256,
    Presign, PresignMany, PresignManyParams, PresignParams, Presignature, RawDigest, Repair,
    RepairParams, RepairPlan, Reshare, ReshareParams, ResharePlan, Secp256k1, Sign, SignParams,
    keys::SecretShare,
};
use quorate_paillier::Primes;
use quorate_testkit::counting::Counting;
use quorate_testkit::fixtures;

use super::sessions;
use super::{EcdsaCurve, EcdsaFixture, EcdsaLibrary, EcdsaStep, Ledger, Level, Setup};
use crate::{MESSAGE, generator};

/// This workspace's threshold ECDSA.
pub struct QuorateEcdsa(
    /// The engine of its big numbers.
    pub Engine,
);

impl QuorateEcdsa {
    /// An empty fixture with moduli that are too short to protect anything, over secp256k1: for tests that count bytes.
    #[must_use]
    pub fn toy(&self, setup: Setup) -> Box<dyn EcdsaFixture> {
        State::<Secp256k1>::boxed(self.0, quorate_paillier::Level::Toy, setup)
    }

    /// As [`fixture`](EcdsaLibrary::fixture), with an engine and a curve that count. Its runs take longer, and do the same
    /// as those of the fixture that is timed.
    #[must_use]
    pub fn counting(&self, setup: Setup) -> Box<dyn EcdsaFixture> {
        let (engine, level) = (self.0.counting(), setup.level.into());
        match setup.curve {
            EcdsaCurve::Secp256k1 => State::<Counting<Secp256k1>>::boxed(engine, level, setup),
            EcdsaCurve::P256 => State::<Counting<P256>>::boxed(engine, level, setup),
        }
    }
}

impl EcdsaLibrary for QuorateEcdsa {
    fn name(&self) -> String {
        "quorate".to_owned()
    }

    fn fixture(&self, setup: Setup) -> Option<Box<dyn EcdsaFixture>> {
        let level = setup.level.into();
        Some(match setup.curve {
            EcdsaCurve::Secp256k1 => State::<Secp256k1>::boxed(self.0, level, setup),
            EcdsaCurve::P256 => State::<P256>::boxed(self.0, level, setup),
        })
    }
}

struct State<C: Curve> {
    engine: Engine,
    level: quorate_paillier::Level,
    setup: Setup,
    parties: Parties,
    /// Counts the runs: each has an id of its own.
    count: u8,
    primes: Vec<Primes>,
    keys: Vec<Arc<KeyShare<C>>>,
    aux: Vec<Arc<AuxInfo>>,
    /// As they are stored: a presignature can be used once, a stored one as often as a benchmark likes.
    stored: Vec<Vec<u8>>,
    ready: Vec<Presignature<C>>,
}

impl<C: Curve> State<C> {
    fn boxed(
        engine: Engine,
        level: quorate_paillier::Level,
        setup: Setup,
    ) -> Box<dyn EcdsaFixture> {
        Box::new(Self {
            engine,
            level,
            setup,
            parties: Parties::numbered(setup.n).expect("a valid number of parties"),
            count: 0,
            primes: Vec::new(),
            keys: Vec::new(),
            aux: Vec::new(),
            stored: Vec::new(),
            ready: Vec::<Presignature<C>>::new(),
        })
    }

    fn place(&self, party: PartyId) -> usize {
        self.parties.position(party).expect("one of the parties")
    }

    fn signers(&self) -> Parties {
        Parties::new(self.parties.iter().take(self.setup.t.into())).expect("enough signers")
    }

    fn session<P: Protocol>(
        &mut self,
        parties: &Parties,
        params: impl FnMut(PartyId) -> P::Params,
        ledger: &mut Ledger,
    ) -> Vec<P::Output> {
        self.count = self.count.wrapping_add(1);
        sessions::run::<P>(SessionId::new([self.count; 32]), parties, params, ledger)
    }

    fn keygen(&mut self, ledger: &mut Ledger) {
        let (parties, t) = (self.parties.clone(), self.setup.t);
        let keys = self.session::<Keygen<C>>(&parties, |_| KeygenParams::new(t), ledger);
        self.keys = keys.into_iter().map(Arc::new).collect();
    }

    /// Auxiliary information; the first round includes what is made of the primes.
    fn aux_info(&mut self, ledger: &mut Ledger, search: bool) {
        let (engine, level, parties) = (self.engine, self.level, self.parties.clone());
        let run = self.count;
        let primes = if search { Vec::new() } else { core::mem::take(&mut self.primes) };
        let params = |party: PartyId| {
            let place = parties.position(party).expect("one of the parties");
            let found;
            let primes = match primes.get(place) {
                Some(primes) => primes,
                None => {
                    found = find(&engine, level, [run, place.try_into().expect("few parties")]);
                    &found
                }
            };
            let rng = &mut generator(run);
            let secrets = AuxSecrets::from_primes(level, primes, rng);
            AuxInfoParams::new(Arc::new(secrets.expect("good primes"))).with_engine(engine)
        };
        let aux = self.session::<AuxInfoGen>(&parties, params, ledger);
        self.aux = aux.into_iter().map(Arc::new).collect();
        if !search {
            self.primes = primes;
        }
    }

    /// Opens stored auxiliary information, as a signer does when it starts: all checks of the stored
    /// form, and the tables for the peers.
    fn open_aux_info(&self, ledger: &mut Ledger) {
        for (party, aux) in self.aux.iter().enumerate() {
            let bytes = aux.to_bytes();
            ledger.work(0, party, || {
                AuxInfo::from_bytes_with(&self.engine, self.level, &bytes).expect("just stored")
            });
        }
    }

    fn signer(&self, party: PartyId) -> PresignParams<C> {
        let place = self.place(party);
        PresignParams::new(Arc::clone(&self.keys[place]), Arc::clone(&self.aux[place]))
            .with_engine(self.engine)
    }

    fn presign(&mut self, ledger: &mut Ledger) {
        let signers = self.signers();
        let params: Vec<_> = signers.iter().map(|party| self.signer(party)).collect();
        let params = |party| params[signers.position(party).expect("a signer")].clone();
        let made = self.session::<Presign<C>>(&signers, params, ledger);
        self.stored = made.iter().map(|one| one.to_bytes().to_vec()).collect();
    }

    fn presign_many(&mut self, ledger: &mut Ledger) {
        let (signers, count) = (self.signers(), self.setup.k);
        let params: Vec<_> = signers
            .iter()
            .map(|party| {
                PresignManyParams::new(self.signer(party), count).at_most(MAX_PRESIGNATURES)
            })
            .collect();
        let params = |party| params[signers.position(party).expect("a signer")].clone();
        let made = self.session::<PresignMany<C>>(&signers, params, ledger);
        assert!(made.iter().all(|of_one| of_one.len() == usize::from(count)));
    }

    /// Every signer issues its share; then every signer reads those of all and puts them together.
    fn sign(&mut self, ledger: &mut Ledger) {
        let (mut infos, mut shares) = (Vec::new(), Vec::new());
        let path = DerivationPath::default();
        let itself = self.keys[0].public().derivation(&path).expect("the key itself");
        for (party, presignature) in core::mem::take(&mut self.ready).into_iter().enumerate() {
            infos.push(presignature.info().clone());
            let key = self.keys.iter().find(|key| key.id() == presignature.party_id());
            let key = key.expect("a signer");
            let share = ledger.work(0, party, || {
                let claim = presignature
                    .claim(key, &path, MessageDigest::sha256(MESSAGE))
                    .expect("a fresh presignature");
                let receipt = claim.record().store(&mut SpentInMemory::new()).expect("unspent");
                claim.release(receipt).expect("its own receipt").to_bytes()
            });
            ledger.sent(party, || share.len());
            shares.push((key.id(), share));
        }
        for (party, info) in infos.iter().enumerate() {
            ledger.work(1, party, || {
                let shares = shares.iter().map(|(from, share)| (*from, share));
                info.aggregate(&itself, MessageDigest::sha256(MESSAGE), shares)
                    .expect("honest signers")
            });
        }
    }

    fn sign_interactive(&mut self, ledger: &mut Ledger) {
        let signers = self.signers();
        let digest = RawDigest::of_message::<C>(MESSAGE);
        let params: Vec<_> =
            signers.iter().map(|party| SignParams::new(self.signer(party), digest)).collect();
        let params = |party| params[signers.position(party).expect("a signer")].clone();
        let signatures = self.session::<Sign<C>>(&signers, params, ledger);
        for signature in signatures {
            let key = self.keys[0].verifying_key();
            key.verify(MESSAGE, &signature).expect("a valid signature");
        }
    }

    fn share(&self, party: PartyId) -> Option<&SecretShare<Ecdsa<C>>> {
        self.keys.iter().find(|key| key.id() == party).map(|key| key.secret_share())
    }

    /// The first t parties deal, to all parties or to all but the first and one that joins.
    fn reshare(&mut self, joins: bool, ledger: &mut Ledger) {
        let first = u16::from(joins);
        let ids = (1..=self.setup.n).map(|number| PartyId::new(number.saturating_add(first)));
        let committee = Parties::new(ids.map(|id| id.expect("not zero"))).expect("enough parties");
        let committee = Committee::new(committee, self.setup.t).expect("a threshold that fits");
        let old = self.keys[0].public().shared();
        let plan = ResharePlan::<C>::new(old, self.signers(), committee).expect("good dealers");
        self.count = self.count.wrapping_add(1);
        let sid = SessionId::new([self.count; 32]);
        let params = |me| {
            let params = match self.share(me).filter(|_| plan.dealers().contains(me)) {
                Some(share) => ReshareParams::dealer(&plan, share),
                None => ReshareParams::member(&plan, me),
            };
            params.expect("a part of the plan")
        };
        sessions::run::<Reshare<C>>(sid, &plan.parties(), params, ledger);
    }

    /// The last party has lost its share.
    fn repair(&mut self, ledger: &mut Ledger) {
        let target = PartyId::new(self.setup.n).expect("not zero");
        let key = self.keys[0].public().shared();
        let plan = RepairPlan::<C>::new(key, self.signers(), target).expect("good helpers");
        self.count = self.count.wrapping_add(1);
        let sid = SessionId::new([self.count; 32]);
        let params = |me| match self.share(me).filter(|_| me != target) {
            Some(share) => RepairParams::helper(&plan, share).expect("a helper"),
            None => RepairParams::target(&plan),
        };
        sessions::run::<Repair<C>>(sid, &plan.parties(), params, ledger);
    }

    fn need_primes(&mut self) {
        // The fastest engine: nothing of this is measured.
        let (engine, level) = (Engine::detect(), self.level);
        let primes = |party: u8| match usize::from(party) {
            place @ 0..fixtures::PARTIES => fixtures::primes(level, place),
            _ => find(&engine, level, [0xff, party]),
        };
        if self.primes.is_empty() {
            let n = u8::try_from(self.setup.n).expect("few parties");
            self.primes = (0..n).map(primes).collect();
        }
    }

    fn need_shares(&mut self) {
        if self.keys.is_empty() {
            self.keygen(&mut Ledger::timing());
        }
    }

    fn need_keys(&mut self) {
        self.need_shares();
        if self.aux.is_empty() {
            self.need_primes();
            self.aux_info(&mut Ledger::timing(), false);
        }
    }

    fn need_presignatures(&mut self) {
        self.need_keys();
        if self.stored.is_empty() {
            self.presign(&mut Ledger::timing());
        }
        let open = |bytes: &Vec<u8>| Presignature::from_bytes(bytes).expect("good bytes");
        self.ready = self.stored.iter().map(open).collect();
    }
}

impl From<Level> for quorate_paillier::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::Bits112 => Self::Bits112,
            Level::Bits128 => Self::Bits128,
        }
    }
}

/// Searches for the primes of one party.
pub(crate) fn find(engine: &Engine, level: quorate_paillier::Level, seed: [u8; 2]) -> Primes {
    let bits = level.prime_bits();
    let seed = |number: u8| {
        let mut bytes = [number; 32];
        bytes[..2].copy_from_slice(&seed);
        bytes.into()
    };
    let blum = |number| {
        let mut search = BlumPrimeSearch::from_seed(bits, engine, seed(number)).expect("a length");
        loop {
            if let Some(prime) = search.step(64).expect("the engine works") {
                return prime;
            }
        }
    };
    let safe = |number| {
        let mut search = SafePrimeSearch::from_seed(bits, engine, seed(number)).expect("a length");
        loop {
            if let Some(prime) = search.step(64).expect("the engine works") {
                return prime;
            }
        }
    };
    Primes { p: blum(0), q: blum(1), safe_p: safe(2), safe_q: safe(3) }
}

impl<C: Curve> EcdsaFixture for State<C> {
    /// Only who has t others gets a share back.
    fn has(&self, step: EcdsaStep) -> bool {
        step != EcdsaStep::Repair || self.setup.t < self.setup.n
    }

    fn makes(&self, step: EcdsaStep) -> u16 {
        if step == EcdsaStep::PresignMany { self.setup.k } else { 1 }
    }

    fn prepare(&mut self, step: EcdsaStep) {
        match step {
            EcdsaStep::Keygen | EcdsaStep::AuxInfo => {}
            EcdsaStep::AuxInfoGivenPrimes => self.need_primes(),
            EcdsaStep::AuxInfoOpen
            | EcdsaStep::Presign
            | EcdsaStep::PresignMany
            | EcdsaStep::SignInteractive => {
                self.need_keys();
            }
            EcdsaStep::Sign => self.need_presignatures(),
            EcdsaStep::Refresh | EcdsaStep::Reshare | EcdsaStep::Repair => self.need_shares(),
        }
    }

    fn run(&mut self, step: EcdsaStep, ledger: &mut Ledger) {
        match step {
            EcdsaStep::Keygen => self.keygen(ledger),
            EcdsaStep::AuxInfo => self.aux_info(ledger, true),
            EcdsaStep::AuxInfoGivenPrimes => self.aux_info(ledger, false),
            EcdsaStep::AuxInfoOpen => self.open_aux_info(ledger),
            EcdsaStep::Presign => self.presign(ledger),
            EcdsaStep::PresignMany => self.presign_many(ledger),
            EcdsaStep::Sign => self.sign(ledger),
            EcdsaStep::SignInteractive => self.sign_interactive(ledger),
            EcdsaStep::Refresh => self.reshare(false, ledger),
            EcdsaStep::Reshare => self.reshare(true, ledger),
            EcdsaStep::Repair => self.repair(ledger),
        }
    }
}
