//! Parties with keys, and runs among them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use quorate_bignum::Engine;
use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSecrets, Claim, EcdsaCurve, KeyShare, Keygen,
    KeygenParams, PartialSignature, Presign, PresignParams, Presignature, RawDigest, Sign,
    SignParams, Signature, SigningRun,
};
use quorate_paillier::{Level, fixtures};
use quorate_session::sim::{Network, Report};
use quorate_session::{Parties, PartyId, Protocol, SessionId, SpentInMemory};

pub const FAST: Level = Level::Bits112;

pub fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

pub fn seeded(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}

pub fn sid(number: u8) -> SessionId {
    SessionId::new([number; 32])
}

pub fn parties(numbers: &[u16]) -> Parties {
    Parties::new(numbers.iter().map(|number| id(*number))).unwrap()
}

/// The results of a run in which nobody fails.
pub fn all<O>(report: Report<O>) -> BTreeMap<PartyId, O> {
    assert_eq!(report.stats.diverged, 0);
    report.results.into_iter().map(|(party, result)| (party, result.unwrap())).collect()
}

/// The secrets of the party at this place, from the primes for tests.
pub fn secrets(level: Level, index: usize) -> Arc<AuxSecrets> {
    let engine = Engine::detect();
    let primes = fixtures::primes(level, index);
    let mut rng = seeded(index as u8);
    Arc::new(AuxSecrets::from_primes(&engine, level, &primes, &mut rng).unwrap())
}

pub fn aux_params(engine: Engine, level: Level, place: usize) -> AuxInfoParams {
    AuxInfoParams::new(engine, secrets(level, place))
}

pub fn run_aux(network: Network<'_>, level: Level, numbers: &[u16]) -> Vec<Arc<AuxInfo>> {
    let parties: &'static Parties = Box::leak(Box::new(parties(numbers)));
    let params = |party| aux_params(Engine::detect(), level, parties.position(party).unwrap());
    let report = network.run::<AuxInfoGen>(sid(1), parties, params).unwrap();
    all(report).into_values().map(Arc::new).collect()
}

/// Everybody's aux-info, made once.
pub fn aux(numbers: &[u16]) -> Vec<Arc<AuxInfo>> {
    static MADE: OnceLock<Vec<Arc<AuxInfo>>> = OnceLock::new();
    assert_eq!(numbers, NUMBERS);
    MADE.get_or_init(|| run_aux(Network::new(1), FAST, &NUMBERS)).clone()
}

/// Identifiers that are no positions.
pub const NUMBERS: [u16; 3] = [2, 7, 40];

pub fn keys<C: EcdsaCurve>(numbers: &[u16], threshold: u16) -> Vec<Arc<KeyShare<C>>> {
    let parties: &'static Parties = Box::leak(Box::new(parties(numbers)));
    let params = |_| KeygenParams::new(threshold);
    let report = Network::new(1).run::<Keygen<C>>(sid(2), parties, params).unwrap();
    all(report).into_values().map(Arc::new).collect()
}

/// All that a group needs to sign.
pub struct Group<C: EcdsaCurve> {
    pub keys: Vec<Arc<KeyShare<C>>>,
    pub aux: Vec<Arc<AuxInfo>>,
}

impl<C: EcdsaCurve> Group<C> {
    pub fn new(threshold: u16) -> Self {
        Self { keys: keys(&NUMBERS, threshold), aux: aux(&NUMBERS) }
    }

    /// A group of other parties.
    pub fn of(numbers: &[u16], threshold: u16) -> Self {
        Self { keys: keys(numbers, threshold), aux: run_aux(Network::new(1), FAST, numbers) }
    }

    pub fn key_of(&self, party: PartyId) -> &KeyShare<C> {
        self.keys.iter().find(|key| key.party() == party).unwrap()
    }

    pub fn params(&self, party: PartyId) -> PresignParams<C> {
        self.params_with(Engine::detect(), party)
    }

    pub fn params_with(&self, engine: Engine, party: PartyId) -> PresignParams<C> {
        let place = self.keys.iter().position(|key| key.party() == party).unwrap();
        PresignParams::new(engine, Arc::clone(&self.keys[place]), Arc::clone(&self.aux[place]))
    }

    /// What is public of the run of number [`SESSION`](crate::replay::SESSION).
    pub fn public(&self, signers: &Parties, digest: Option<RawDigest>) -> SigningRun<C> {
        SigningRun {
            sid: sid(crate::replay::SESSION),
            signers: signers.clone(),
            key: self.keys[0].info().clone(),
            aux: self.aux[0].public().clone(),
            digest,
        }
    }

    pub fn run<'a, P: Protocol>(
        &self,
        network: Network<'a>,
        signers: &[u16],
        session: u8,
        params: impl FnMut(PartyId) -> P::Params,
    ) -> Report<P::Output> {
        let signers: &'static Parties = Box::leak(Box::new(parties(signers)));
        network.run::<P>(sid(session), signers, params).unwrap()
    }

    pub fn presign(&self, session: u8, signers: &[u16]) -> Vec<Presignature<C>> {
        let params = |party| self.params(party);
        let report = self.run::<Presign<C>>(Network::new(9), signers, session, params);
        all(report).into_values().collect()
    }

    pub fn sign(&self, session: u8, signers: &[u16], message: &[u8]) -> Vec<Signature<C>> {
        let params = |party| SignParams::new(self.params(party), digest::<C>(message));
        let report = self.run::<Sign<C>>(Network::new(9), signers, session, params);
        all(report).into_values().collect()
    }
}

pub fn digest<C: EcdsaCurve>(message: &[u8]) -> RawDigest {
    RawDigest::of_message::<C>(message)
}

/// Spends a presignature in a table of its own.
pub fn release<C: EcdsaCurve>(claim: Claim<C>) -> PartialSignature<C> {
    let receipt = claim.record().store(&mut SpentInMemory::new()).unwrap();
    claim.release(receipt).unwrap()
}

/// σ_i
pub fn sigma<C: EcdsaCurve>(share: &PartialSignature<C>) -> C::Scalar {
    let bytes = share.to_bytes();
    C::decode_scalar(&bytes[bytes.len() - 64..bytes.len() - 32]).unwrap()
}

/// A share as it is sent, with its sender.
pub type Sent = (PartyId, Vec<u8>);

/// Everybody's share of a signature.
pub fn partials<C: EcdsaCurve>(
    group: &Group<C>,
    presignatures: Vec<Presignature<C>>,
    message: &[u8],
) -> Vec<Sent> {
    let release = |one: Presignature<C>| {
        let key = group.key_of(one.party());
        let share = release(one.claim(key, message).unwrap());
        (share.party(), share.to_bytes())
    };
    presignatures.into_iter().map(release).collect()
}

/// Another implementation's opinion of a signature of a message.
pub trait Verifier: EcdsaCurve {
    fn verify(key: &[u8], message: &[u8], signature: &Signature<Self>);
}

macro_rules! verifier {
    ($curve:ty, $name:ident) => {
        impl Verifier for $curve {
            fn verify(key: &[u8], message: &[u8], signature: &Signature<Self>) {
                use ::$name::ecdsa::signature::Verifier as _;
                let key = ::$name::ecdsa::VerifyingKey::from_sec1_bytes(key).unwrap();
                let bytes = signature.to_compact();
                let theirs = ::$name::ecdsa::Signature::from_slice(&bytes).unwrap();
                key.verify(message, &theirs).unwrap();
                let recovery = signature.recovery_id().unwrap().get();
                let recovery = ::$name::ecdsa::RecoveryId::from_byte(recovery).unwrap();
                let recovered =
                    ::$name::ecdsa::VerifyingKey::recover_from_msg(message, &theirs, recovery);
                assert_eq!(recovered.unwrap(), key);
            }
        }
    };
}

verifier!(quorate_cggmp::Secp256k1, k256);
verifier!(quorate_cggmp::P256, p256);
