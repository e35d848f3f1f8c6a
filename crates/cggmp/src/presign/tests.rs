//! Signers with impossible knowledge: their γ, or their k, are chosen so that the sum is zero.

mod colluding;
mod sizes;

use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::{Mutex, PoisonError};

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use quorate_curve::{P256, Secp256k1};
use quorate_paillier::Level;
use quorate_session::sim::Network;
use quorate_session::{
    Abort, Binding, Check, Inbox, Limits, Next, Outbox, ParamError, Parties, PartyId, Protocol,
    Round, Run, SessionId,
};
use quorate_testkit::fixtures;

use super::rounds::openings::AwaitingOpenings;
use super::rounds::{Presigning, State};
use super::secrets::Hidden;
use super::signer::Signer;
use super::{Presign, PresignParams, Presignature};
use crate::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSecrets, EcdsaCurve, KeyShare, Keygen, KeygenParams,
};
use quorate_session::rounds::Logged;

/// Short moduli: what is tested here is the protocol around them.
const LEVEL: Level = Level::Toy;

/// The secrets that add up to zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Zero {
    Neither,
    Gamma,
    K,
}

/// The secrets that the signers before have drawn; the last one takes the negative of their sum.
type Sum<C> = Arc<Mutex<Vec<<C as quorate_curve::Curve>::Scalar>>>;

/// Presigning with another value for one secret of the last signer.
struct Rigged<C>(core::marker::PhantomData<C>);

struct Params<C: EcdsaCurve>(PresignParams<C>, Zero, Sum<C>);

impl<C: EcdsaCurve> Protocol for Rigged<C> {
    const NAME: &'static str = Presign::<C>::NAME;
    const CODE: u8 = Presign::<C>::CODE;
    const FAMILY: &'static str = Presign::<C>::FAMILY;
    const ROUNDS: u8 = Presign::<C>::ROUNDS;
    type Params = Params<C>;
    type State = Logged<State<C, Presignature<C>>>;
    type Output = Presignature<C>;

    fn bind(params: &Params<C>, binding: &mut Binding) {
        Presign::bind(&params.0, binding);
    }

    fn limits(params: &Params<C>, parties: usize, round: Round) -> Limits {
        Presign::limits(&params.0, parties, round)
    }

    fn start(params: Params<C>, run: &Run) -> Result<(Self::State, Outbox), ParamError> {
        let Params(params, zero, drawn) = params;
        let mut signer = Signer::new(params, 1, run)?;
        let nonces = &mut signer.secrets.each[0];
        let secret = match zero {
            Zero::K => &mut nonces.k,
            Zero::Neither | Zero::Gamma => &mut nonces.gamma,
        };
        let mut drawn = drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if zero != Zero::Neither && drawn.len() + 1 == run.parties().len() {
            let sum = drawn.iter().fold(C::Scalar::default(), |sum, one| sum + *one);
            *secret = Hidden::new(-sum);
        }
        drawn.push(*secret.scalar.expose());
        let variant = |round| State::Presigning(Presigning::Openings(round));
        Ok(Logged::start(Self::CODE, AwaitingOpenings::new(signer, run)?, variant))
    }

    fn next(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        Ok(match Presign::next(state, run, inbox)? {
            Next::Round(state, outbox) => Next::Round(state, outbox),
            Next::Work(state) => Next::Work(state),
            Next::Done(presignature) => Next::Done(presignature),
            Next::Unconfirmed(presignature, abort) => Next::Unconfirmed(presignature, abort),
        })
    }
}

const PARTIES: u16 = 3;

fn run<P: Protocol>(
    session: u8,
    parties: &Parties,
    params: impl FnMut(PartyId) -> P::Params,
) -> Vec<Result<P::Output, Abort>> {
    let network = Network::new(session.into());
    let report = network.run::<P>(SessionId::new([session; 32]), parties, params).unwrap();
    report.results.into_values().collect()
}

fn all<T>(results: Vec<Result<T, Abort>>) -> Vec<Arc<T>> {
    results.into_iter().map(|result| Arc::new(result.unwrap())).collect()
}

fn aux(parties: &Parties) -> Vec<Arc<AuxInfo>> {
    let params = |party: PartyId| {
        let place = parties.position(party).unwrap();
        let rng = &mut ChaCha20Rng::from_seed([7; 32]);
        let secrets = AuxSecrets::from_primes(LEVEL, &fixtures::primes(LEVEL, place), rng);
        AuxInfoParams::new(Arc::new(secrets.unwrap()))
    };
    all(run::<AuxInfoGen>(1, parties, params))
}

/// Asserts that all parties end in round `ends` with nobody to blame, or have a presignature.
fn zero<C: EcdsaCurve>(zero: Zero, parties: &Parties, aux: &[Arc<AuxInfo>], ends: Option<u8>) {
    let keys: Vec<Arc<KeyShare<C>>> =
        all(run::<Keygen<C>>(2, parties, |_| KeygenParams::new(PARTIES)));
    let drawn = Sum::<C>::default();
    let params = |party| {
        let place = parties.position(party).unwrap();
        let (key, aux) = (Arc::clone(&keys[place]), Arc::clone(&aux[place]));
        Params(PresignParams::new(key, aux), zero, Arc::clone(&drawn))
    };
    for result in run::<Rigged<C>>(3, parties, params) {
        match (ends, result) {
            (None, result) => assert!(result.is_ok()),
            (Some(ends), Err(Abort::Unattributed { round, check, .. })) => {
                assert_eq!((round.get(), check), (ends, Check::ResultMismatch), "{zero:?}");
            }
            (_, other) => panic!("{zero:?}: {other:?}"),
        }
    }
}

/// Γ = O is found before anything is divided by its coordinate, δ = 0 before it is inverted.
#[test]
fn sums_of_zero() {
    let parties = Parties::numbered(PARTIES).unwrap();
    let aux = aux(&parties);
    zero::<Secp256k1>(Zero::Neither, &parties, &aux, None);
    zero::<Secp256k1>(Zero::Gamma, &parties, &aux, Some(2));
    zero::<Secp256k1>(Zero::K, &parties, &aux, Some(3));
    zero::<P256>(Zero::Gamma, &parties, &aux, Some(2));
}
