//! Threshold ECDSA with the [primes for tests](crate::fixtures).

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSecrets, Claim, Committee, DerivationPath, Derived,
    EcdsaCurve, KeyShare, Keygen, KeygenParams, MessageDigest, Presign, PresignMany,
    PresignManyParams, PresignParams, Presignature, PublicKeyPackage, RawDigest, Reshare,
    ReshareParams, ResharePlan, Reshared, Sign, SignParams, Signature, SignatureShare, SigningGoal,
    SigningRun,
};
use quorate_paillier::Level;
use quorate_session::sim::{Network, Report};
use quorate_session::{Parties, PartyId, Protocol, SpentInMemory};

use crate::lockstep::{parties, sid};
use crate::{fixtures, rng};

/// The level of tests of a protocol's logic: short moduli, and the same protocol around them.
pub const FAST: Level = Level::Toy;

/// The level of tests that pin bytes or sizes of a secure level.
pub const REAL: Level = Level::Bits112;

/// Identifiers that differ from the parties' positions.
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
    let made = AuxSecrets::from_primes(level, &primes, &mut rng(seed));
    Arc::new(made.expect("proper primes"))
}

/// Parameters for the auxiliary information of the party at this place.
#[must_use]
pub fn aux_params(level: Level, place: usize) -> AuxInfoParams {
    AuxInfoParams::new(secrets(level, place))
}

/// The auxiliary information of all parties, ascending by party.
#[must_use]
pub fn run_aux(network: Network<'_>, level: Level, numbers: &[u16]) -> Vec<Arc<AuxInfo>> {
    let parties = parties(numbers);
    let place = |party| parties.position(party).expect("one of the parties");
    let params = |party| aux_params(level, place(party));
    shared(network.run::<AuxInfoGen>(sid(1), &parties, params).expect("parameters that fit"))
}

/// The auxiliary information of [`NUMBERS`] at [`FAST`], made once.
#[must_use]
pub fn aux(numbers: &[u16]) -> Vec<Arc<AuxInfo>> {
    aux_at(FAST, numbers)
}

/// The auxiliary information of [`NUMBERS`] at a level, made once for each level.
#[must_use]
pub fn aux_at(level: Level, numbers: &[u16]) -> Vec<Arc<AuxInfo>> {
    static MADE: [OnceLock<Vec<Arc<AuxInfo>>>; 3] = [const { OnceLock::new() }; 3];
    assert_eq!(numbers, NUMBERS);
    let place = Level::ALL.iter().position(|one| *one == level).unwrap_or(Level::ALL.len());
    MADE[place].get_or_init(|| run_aux(Network::new(1), level, &NUMBERS)).clone()
}

/// The key shares of all parties, ascending by party.
#[must_use]
pub fn keys<C: EcdsaCurve>(numbers: &[u16], threshold: u16) -> Vec<Arc<KeyShare<C>>> {
    let params = |_| KeygenParams::new(threshold);
    let report = Network::new(1).run::<Keygen<C>>(sid(2), &parties(numbers), params);
    shared(report.expect("parameters that fit"))
}

/// The plan that moves a key from these dealers to these parties.
#[must_use]
pub fn plan<C: EcdsaCurve>(
    keys: &[Arc<KeyShare<C>>],
    dealers: &[u16],
    to: &[u16],
    threshold: u16,
) -> ResharePlan<C> {
    let committee = Committee::new(parties(to), threshold).expect("a threshold that fits");
    let made = ResharePlan::<C>::new(keys[0].public().shared(), parties(dealers), committee);
    made.expect("dealers that hold shares")
}

/// A party's part in a resharing.
#[must_use]
pub fn reshare_params<C: EcdsaCurve>(
    keys: &[Arc<KeyShare<C>>],
    plan: &ResharePlan<C>,
    me: PartyId,
) -> ReshareParams<C> {
    let deals = keys.iter().find(|key| key.id() == me && plan.dealers().contains(me));
    let params = match deals {
        Some(key) => ReshareParams::dealer(plan, key.secret_share()),
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

/// The keys and auxiliary information with which a group signs.
#[derive(Debug)]
pub struct Group<C: EcdsaCurve> {
    /// Key shares, ascending by party.
    pub keys: Vec<Arc<KeyShare<C>>>,
    /// Auxiliary information, ascending by party.
    pub aux: Vec<Arc<AuxInfo>>,
}

impl<C: EcdsaCurve> Group<C> {
    /// A group of the parties [`NUMBERS`] at [`FAST`].
    #[must_use]
    pub fn new(threshold: u16) -> Self {
        Self::at(FAST, threshold)
    }

    /// A group of the parties [`NUMBERS`] at a level.
    #[must_use]
    pub fn at(level: Level, threshold: u16) -> Self {
        Self { keys: keys(&NUMBERS, threshold), aux: aux_at(level, &NUMBERS) }
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
        let found = self.keys.iter().position(|key| key.id() == party);
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
        itself(self.keys[0].public())
    }

    /// A party's parameters for presigning.
    #[must_use]
    pub fn params(&self, party: PartyId) -> PresignParams<C> {
        let aux = self.aux.iter().find(|aux| aux.id() == party).expect("one of the parties");
        PresignParams::new(Arc::clone(&self.keys[self.place(party)]), Arc::clone(aux))
    }

    /// The public values of the run of number [`SESSION`].
    #[must_use]
    pub fn public(&self, signers: &Parties, goal: SigningGoal) -> SigningRun<C> {
        SigningRun {
            sid: sid(SESSION),
            signers: signers.clone(),
            key: self.keys[0].public().clone(),
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

    /// A party's parameters for presigning `count` at once.
    #[must_use]
    pub fn params_many(&self, party: PartyId, count: u16) -> PresignManyParams<C> {
        PresignManyParams::new(self.params(party), count)
    }

    /// The presignatures of all signers, made `count` at once.
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
pub fn itself<C: EcdsaCurve>(key: &PublicKeyPackage<C>) -> Derived<C> {
    key.derivation(&no_path()).expect("no step fails")
}

/// Spends a presignature in a table of its own.
pub fn release<C: EcdsaCurve>(claim: Claim<C>) -> SignatureShare<C> {
    let receipt = claim.record().store(&mut SpentInMemory::new()).expect("unspent");
    claim.release(receipt).expect("its own receipt")
}

/// A share as it is sent, with its sender.
pub type Sent = (PartyId, Vec<u8>);

/// The shares of a signature.
#[must_use]
pub fn signature_shares<C: EcdsaCurve>(
    group: &Group<C>,
    presignatures: Vec<Presignature<C>>,
    message: &[u8],
) -> Vec<Sent> {
    signature_shares_at(group, presignatures, &no_path(), message)
}

/// The shares of a signature under the key at a path.
#[must_use]
pub fn signature_shares_at<C: EcdsaCurve>(
    group: &Group<C>,
    presignatures: Vec<Presignature<C>>,
    path: &DerivationPath,
    message: &[u8],
) -> Vec<Sent> {
    let release = |one: Presignature<C>| {
        let key = group.key_of(one.party_id());
        let claim = one.claim(key, path, MessageDigest::sha256(message));
        let share = release(claim.expect("the share of its signer"));
        (share.id(), share.to_bytes())
    };
    presignatures.into_iter().map(release).collect()
}
