//! Threshold ECDSA with the [primes for tests](crate::fixtures).

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use quorate_bignum::Engine;
use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSecrets, Claim, Committee, DerivationPath, Derived,
    EcdsaCurve, KeyInfo, KeyShare, Keygen, KeygenParams, PartialSignature, Presign, PresignMany,
    PresignManyParams, PresignParams, Presignature, RawDigest, Reshare, ReshareParams, ResharePlan,
    Reshared, Sign, SignParams, Signature, SigningGoal, SigningRun,
};
use quorate_paillier::Level;
use quorate_session::sim::{Network, Report};
use quorate_session::{Parties, PartyId, Protocol, SpentInMemory};

use crate::lockstep::{parties, sid};
use crate::{fixtures, rng};

/// The level of tests that need no other.
pub const FAST: Level = Level::Bits112;

/// Identifiers that are no positions.
pub const NUMBERS: [u16; 3] = [2, 7, 40];

/// The number of recorded runs.
pub const SESSION: u8 = 60;

/// The results of a run in which nobody fails.
pub fn all<O>(report: Report<O>) -> BTreeMap<PartyId, O> {
    assert_eq!(report.stats.diverged, 0);
    let result = |result: Result<O, _>| result.expect("nobody fails");
    report.results.into_iter().map(|(party, one)| (party, result(one))).collect()
}

fn shared<O>(report: Report<O>) -> Vec<Arc<O>> {
    all(report).into_values().map(Arc::new).collect()
}

/// The secrets of the party at this place, from the primes for tests.
#[must_use]
pub fn secrets(level: Level, place: usize) -> Arc<AuxSecrets> {
    secrets_seeded(level, place, u8::try_from(place).expect("few parties"))
}

/// The secrets of the party at this place, with a setup from another seed.
#[must_use]
pub fn secrets_seeded(level: Level, place: usize, seed: u8) -> Arc<AuxSecrets> {
    let primes = fixtures::primes(level, place);
    let made = AuxSecrets::from_primes(&Engine::detect(), level, &primes, &mut rng(seed));
    Arc::new(made.expect("proper primes"))
}

/// Parameters for the auxiliary information of the party at this place.
#[must_use]
pub fn aux_params(engine: Engine, level: Level, place: usize) -> AuxInfoParams {
    AuxInfoParams::new(engine, secrets(level, place))
}

/// The auxiliary information of all parties, ascending by party.
#[must_use]
pub fn run_aux(network: Network<'_>, level: Level, numbers: &[u16]) -> Vec<Arc<AuxInfo>> {
    let parties = parties(numbers);
    let place = |party| parties.position(party).expect("one of the parties");
    let params = |party| aux_params(Engine::detect(), level, place(party));
    shared(network.run::<AuxInfoGen>(sid(1), &parties, params).expect("parameters that fit"))
}

/// The auxiliary information of [`NUMBERS`], made once.
#[must_use]
pub fn aux(numbers: &[u16]) -> Vec<Arc<AuxInfo>> {
    static MADE: OnceLock<Vec<Arc<AuxInfo>>> = OnceLock::new();
    assert_eq!(numbers, NUMBERS);
    MADE.get_or_init(|| run_aux(Network::new(1), FAST, &NUMBERS)).clone()
}

/// The key shares of all parties, ascending by party.
#[must_use]
pub fn keys<C: EcdsaCurve>(numbers: &[u16], threshold: u16) -> Vec<Arc<KeyShare<C>>> {
    let params = |_| KeygenParams::new(threshold);
    let report = Network::new(1).run::<Keygen<C>>(sid(2), &parties(numbers), params);
    shared(report.expect("parameters that fit"))
}

/// The plan that a key goes from these dealers to these parties.
#[must_use]
pub fn plan<C: EcdsaCurve>(
    keys: &[Arc<KeyShare<C>>],
    dealers: &[u16],
    to: &[u16],
    threshold: u16,
) -> ResharePlan<C> {
    let committee = Committee::new(parties(to), threshold).expect("a threshold that fits");
    let made = ResharePlan::<C>::new(keys[0].info().shared(), parties(dealers), committee);
    made.expect("dealers that hold shares")
}

/// A party's part in a resharing.
#[must_use]
pub fn reshare_params<C: EcdsaCurve>(
    keys: &[Arc<KeyShare<C>>],
    plan: &ResharePlan<C>,
    me: PartyId,
) -> ReshareParams<C> {
    let deals = keys.iter().find(|key| key.party() == me && plan.dealers().contains(me));
    let params = match deals {
        Some(key) => ReshareParams::dealer(plan, key.share()),
        None => ReshareParams::member(plan, me),
    };
    params.expect("a part of the plan")
}

/// A run of a resharing.
pub fn reshare<C: EcdsaCurve>(
    keys: &[Arc<KeyShare<C>>],
    plan: &ResharePlan<C>,
    network: Network<'_>,
) -> Report<Reshared<C>> {
    let params = |me| reshare_params(keys, plan, me);
    network.run::<Reshare<C>>(sid(5), &plan.parties(), params).expect("parameters that fit")
}

/// All that a group needs to sign.
#[derive(Debug)]
pub struct Group<C: EcdsaCurve> {
    /// Key shares, ascending by party.
    pub keys: Vec<Arc<KeyShare<C>>>,
    /// Auxiliary information, ascending by party.
    pub aux: Vec<Arc<AuxInfo>>,
}

impl<C: EcdsaCurve> Group<C> {
    /// A group of the parties [`NUMBERS`].
    #[must_use]
    pub fn new(threshold: u16) -> Self {
        Self { keys: keys(&NUMBERS, threshold), aux: aux(&NUMBERS) }
    }

    /// A group of other parties.
    #[must_use]
    pub fn of(numbers: &[u16], threshold: u16) -> Self {
        Self { keys: keys(numbers, threshold), aux: run_aux(Network::new(1), FAST, numbers) }
    }

    /// This group after a resharing without incident, with the auxiliary information that it has.
    #[must_use]
    pub fn reshared(&self, dealers: &[u16], to: &[u16], threshold: u16) -> Self {
        let plan = plan(&self.keys, dealers, to, threshold);
        let report = reshare(&self.keys, &plan, Network::new(4));
        let keys = all(report).into_values().filter_map(|one| one.share).map(Arc::new);
        Self { keys: keys.collect(), aux: self.aux.clone() }
    }

    fn place(&self, party: PartyId) -> usize {
        let found = self.keys.iter().position(|key| key.party() == party);
        found.expect("one of the parties")
    }

    /// A party's share.
    #[must_use]
    pub fn key_of(&self, party: PartyId) -> &KeyShare<C> {
        &self.keys[self.place(party)]
    }

    /// The key as its own descendant, of no tweak.
    #[must_use]
    pub fn itself(&self) -> Derived<C> {
        itself(self.keys[0].info())
    }

    /// A party's parameters for presigning.
    #[must_use]
    pub fn params(&self, party: PartyId) -> PresignParams<C> {
        self.params_with(Engine::detect(), party)
    }

    /// A party's parameters for presigning with an engine of the caller's choice.
    #[must_use]
    pub fn params_with(&self, engine: Engine, party: PartyId) -> PresignParams<C> {
        let aux = self.aux.iter().find(|aux| aux.party() == party).expect("one of the parties");
        PresignParams::new(engine, Arc::clone(&self.keys[self.place(party)]), Arc::clone(aux))
    }

    /// All that is public of the run of number [`SESSION`].
    #[must_use]
    pub fn public(&self, signers: &Parties, goal: SigningGoal) -> SigningRun<C> {
        SigningRun {
            sid: sid(SESSION),
            signers: signers.clone(),
            key: self.keys[0].info().clone(),
            aux: self.aux[0].public().clone(),
            goal,
        }
    }

    /// Runs a protocol among some of the parties.
    pub fn run<P: Protocol>(
        &self,
        network: Network<'_>,
        signers: &[u16],
        session: u8,
        params: impl FnMut(PartyId) -> P::Params,
    ) -> Report<P::Output> {
        network.run::<P>(sid(session), &parties(signers), params).expect("parameters that fit")
    }

    /// The presignatures of all signers.
    #[must_use]
    pub fn presign(&self, session: u8, signers: &[u16]) -> Vec<Presignature<C>> {
        let params = |party| self.params(party);
        let report = self.run::<Presign<C>>(Network::new(9), signers, session, params);
        all(report).into_values().collect()
    }

    /// A party's parameters for presigning so many at once.
    #[must_use]
    pub fn params_many(&self, party: PartyId, count: u16) -> PresignManyParams<C> {
        PresignManyParams::new(self.params(party), count)
    }

    /// The presignatures of all signers, made so many at once.
    #[must_use]
    pub fn presign_many(
        &self,
        session: u8,
        signers: &[u16],
        count: u16,
    ) -> Vec<Vec<Presignature<C>>> {
        let params = |party| self.params_many(party, count);
        let report = self.run::<PresignMany<C>>(Network::new(9), signers, session, params);
        all(report).into_values().collect()
    }

    /// The signatures of all signers, by signing in one run.
    #[must_use]
    pub fn sign(&self, session: u8, signers: &[u16], message: &[u8]) -> Vec<Signature<C>> {
        let params = |party| SignParams::new(self.params(party), digest::<C>(message));
        let report = self.run::<Sign<C>>(Network::new(9), signers, session, params);
        all(report).into_values().collect()
    }
}

/// The digest of a message.
#[must_use]
pub fn digest<C: EcdsaCurve>(message: &[u8]) -> RawDigest {
    RawDigest::of_message::<C>(message)
}

/// The path of a key to itself.
#[must_use]
pub fn no_path() -> DerivationPath {
    DerivationPath::default()
}

/// A key as its own descendant, of no tweak.
#[must_use]
pub fn itself<C: EcdsaCurve>(key: &KeyInfo<C>) -> Derived<C> {
    key.derivation(&no_path()).expect("no step fails")
}

/// Spends a presignature in a table of its own.
pub fn release<C: EcdsaCurve>(claim: Claim<C>) -> PartialSignature<C> {
    let receipt = claim.record().store(&mut SpentInMemory::new()).expect("unspent");
    claim.release(receipt).expect("its own receipt")
}

/// A share as it is sent, with its sender.
pub type Sent = (PartyId, Vec<u8>);

/// All shares of a signature.
#[must_use]
pub fn partials<C: EcdsaCurve>(
    group: &Group<C>,
    presignatures: Vec<Presignature<C>>,
    message: &[u8],
) -> Vec<Sent> {
    partials_at(group, presignatures, &no_path(), message)
}

/// All shares of a signature under the key at a path.
#[must_use]
pub fn partials_at<C: EcdsaCurve>(
    group: &Group<C>,
    presignatures: Vec<Presignature<C>>,
    path: &DerivationPath,
    message: &[u8],
) -> Vec<Sent> {
    let release = |one: Presignature<C>| {
        let key = group.key_of(one.party());
        let claim = one.claim(key, path, message);
        let share = release(claim.expect("the share of its signer"));
        (share.party(), share.to_bytes())
    };
    presignatures.into_iter().map(release).collect()
}
