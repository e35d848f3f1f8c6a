//! Parties that cheat: consistently, with commitments and echoes that fit the lie.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

use quorate_curve::{P256, Secp256k1};
use quorate_session::sim::{Network, Report};
use quorate_session::{
    Abort, Binding, Check, Fault, Inbox, Limits, Next, Outbox, ParamError, Parties, PartyId,
    Protocol, Round, Run, SessionId,
};
use quorate_sharing::{Commitment, Polynomial};

use super::messages::Reveal;
use super::rounds::State;
use super::{Keygen, KeygenParams};
use crate::wire::{POINT, SCALAR};
use crate::{EcdsaCurve, Evidence, KeyShare, KeygenRun};
use quorate_session::rounds::Logged;

const SID: SessionId = SessionId::new([5; 32]);

/// A cheat's change to its state and its messages, before it sends those of a round.
type Cheat<C> = Arc<dyn Fn(&Run, u8, &mut State<C>, &mut Outbox) + Send + Sync>;

/// Key generation with cheats, which to all others looks like [`Keygen`].
struct Cheating<C>(core::marker::PhantomData<C>);

impl<C: EcdsaCurve> Protocol for Cheating<C> {
    const NAME: &'static str = Keygen::<C>::NAME;
    const CODE: u8 = Keygen::<C>::CODE;
    const FAMILY: &'static str = Keygen::<C>::FAMILY;
    const ROUNDS: u8 = Keygen::<C>::ROUNDS;
    type Params = (KeygenParams<C>, Option<Cheat<C>>);
    type State = (Logged<State<C>>, Option<Cheat<C>>);
    type Output = KeyShare<C>;

    fn bind(params: &Self::Params, binding: &mut Binding) {
        Keygen::bind(&params.0, binding);
    }

    fn limits(params: &Self::Params, parties: usize, round: Round) -> Limits {
        Keygen::limits(&params.0, parties, round)
    }

    fn start(params: Self::Params, run: &Run) -> Result<(Self::State, Outbox), ParamError> {
        let (mut state, mut outbox) = Keygen::start(params.0, run)?;
        if let Some(cheat) = &params.1 {
            cheat(run, 1, state.state_mut(), &mut outbox);
        }
        Ok(((state, params.1), outbox))
    }

    fn next(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let (state, cheat) = state;
        Ok(match Keygen::next(state, run, inbox)? {
            Next::Done(output) => Next::Done(output),
            Next::Unconfirmed(output, abort) => Next::Unconfirmed(output, abort),
            Next::Work(state) => Next::Work((state, cheat)),
            Next::Round(mut state, mut outbox) => {
                if let Some(cheat) = &cheat {
                    cheat(run, run.round().get() + 1, state.state_mut(), &mut outbox);
                }
                Next::Round((state, cheat), outbox)
            }
        })
    }
}

const T: u16 = 3;
/// Identifiers that differ from the parties' positions.
const PARTIES: [u16; 4] = [2, 7, 40, 65535];
const CULPRIT: u16 = 7;

fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

fn run<C: EcdsaCurve>(cheats: &[(u16, Cheat<C>)]) -> Report<KeyShare<C>> {
    let parties = Parties::new(PARTIES.map(id)).unwrap();
    let params = |party: PartyId| {
        let cheat = cheats.iter().find(|(cheat, _)| *cheat == party.get());
        (KeygenParams::new(T), cheat.map(|(_, cheat)| Arc::clone(cheat)))
    };
    Network::new(1).run::<Cheating<C>>(SID, &parties, params).unwrap()
}

/// Every honest party blames exactly this one, for this, in this round.
fn all_blame<C: EcdsaCurve>(what: &str, round: u8, fault: Fault, cheat: Cheat<C>) {
    let report = run::<C>(&[(CULPRIT, cheat)]);
    for (party, result) in report.results {
        if party == id(CULPRIT) {
            continue;
        }
        let Err(Abort::Misbehaviour(blames)) = result else {
            panic!("{what}: {party} got {result:?}");
        };
        let found: Vec<_> = blames.iter().map(|one| (one.party, one.round, one.fault)).collect();
        assert_eq!(found, [(id(CULPRIT), Round(round), fault)], "{what}: {party}");
        let evidence = Evidence::from_blame(&blames[0]).unwrap();
        let public = KeygenRun::<C>::new(SID, Parties::new(PARTIES.map(id)).unwrap(), T);
        assert_eq!(evidence.verify(&public), Ok(fault), "{what}: {party}");
    }
}

/// Changes the broadcast of a round, alike for all.
fn broadcast<C: EcdsaCurve>(
    round: u8,
    change: impl Fn(&mut Vec<u8>) + Send + Sync + 'static,
) -> Cheat<C> {
    Arc::new(move |_, now, _, outbox| {
        if now == round {
            change(outbox.broadcast.as_mut().unwrap());
        }
    })
}

/// Changes every share sent.
fn shares<C: EcdsaCurve>(change: impl Fn(&mut Vec<u8>) + Send + Sync + 'static) -> Cheat<C> {
    Arc::new(move |_, now, _, outbox| {
        if now == 2 {
            outbox.direct.iter_mut().for_each(|(_, share)| change(share));
        }
    })
}

/// Changes the committed values, and commits to the changed ones.
fn consistently<C: EcdsaCurve>(
    change: impl Fn(&mut Reveal<C>) + Send + Sync + 'static,
) -> Cheat<C> {
    Arc::new(move |run, now, at, outbox| {
        if let (1, State::Digests(round)) = (now, at) {
            change(&mut round.reveal);
            outbox.broadcast = Some(round.reveal.digest(run, run.party_id()).to_vec());
        }
    })
}

fn order<C: EcdsaCurve>() -> [u8; 32] {
    let bytes = C::ORDER.iter().rev().flat_map(|limb| limb.to_be_bytes());
    bytes.collect::<Vec<_>>().try_into().unwrap()
}

fn add_one<C: EcdsaCurve>(scalar: &mut [u8]) {
    let sum = C::decode_scalar(scalar).unwrap() + C::Scalar::from(1);
    scalar.copy_from_slice(&C::encode_scalar(&sum));
}

fn honest_ends_well<C: EcdsaCurve>() {
    let report = run::<C>(&[]);
    assert!(report.results.into_values().all(|result| result.is_ok()));
}

fn altered_commitments<C: EcdsaCurve>() {
    for byte in [0, 17, 31] {
        let cheat = broadcast::<C>(1, move |body| body[byte] ^= 1);
        all_blame("V", 2, Fault::InvalidDecommitment, cheat);
    }
    for length in [0, 31] {
        let cheat = broadcast::<C>(1, move |body| body.truncate(length));
        all_blame("V short", 1, Fault::WrongLength, cheat);
    }
}

fn altered_reveals<C: EcdsaCurve>() {
    use Fault::{IdentityCommitment, InvalidDecommitment, InvalidPoint, WrongLength};
    type Change = Box<dyn Fn(&mut Vec<u8>) + Send + Sync>;
    let point = |index: usize| 96 + index * POINT..96 + (index + 1) * POINT;
    let mut cases: Vec<(&str, Fault, Change)> = Vec::new();
    for byte in [0, 31, 32, 63, 64, 95] {
        cases.push(("string", InvalidDecommitment, Box::new(move |body| body[byte] ^= 0x80)));
    }
    cases.push((
        "rid and chain code",
        InvalidDecommitment,
        Box::new(|body| body[..64].rotate_left(32)),
    ));
    cases.push((
        "chain code and u",
        InvalidDecommitment,
        Box::new(|body| body[32..96].rotate_left(32)),
    ));
    for index in 0..=usize::from(T) {
        let range = point(index);
        let set = |range: core::ops::Range<usize>, to: [u8; POINT]| -> Change {
            Box::new(move |body| body[range.clone()].copy_from_slice(&to))
        };
        let generator = C::encode_point(&C::generator());
        let mut beyond = [0xff; POINT];
        beyond[0] = 2;
        let mut tag = generator;
        tag[0] = 4;
        cases.push(("generator", InvalidDecommitment, set(range.clone(), generator)));
        cases.push(("identity", IdentityCommitment, set(range.clone(), [0; POINT])));
        cases.push(("x beyond the field", InvalidPoint, set(range.clone(), beyond)));
        cases.push(("tag", InvalidPoint, set(range.clone(), tag)));
        let start = range.start;
        cases.push(("negated", InvalidDecommitment, Box::new(move |body| body[start] ^= 1)));
    }
    let (first, last) = (point(1).start, point(2).end);
    cases.push((
        "swapped",
        InvalidDecommitment,
        Box::new(move |b| b[first..last].rotate_left(POINT)),
    ));
    cases.push(("a point less", WrongLength, Box::new(|b| b.truncate(b.len() - POINT))));
    cases.push(("a byte less", WrongLength, Box::new(|b| b.truncate(b.len() - 1))));
    cases.push(("empty", WrongLength, Box::new(Vec::clear)));
    for (what, fault, change) in cases {
        all_blame(what, 2, fault, broadcast::<C>(2, change));
    }
}

fn altered_shares<C: EcdsaCurve>() {
    all_blame("share + 1", 2, Fault::InvalidShare, shares::<C>(|share| add_one::<C>(share)));
    all_blame("share 0", 2, Fault::InvalidShare, shares::<C>(|share| share.fill(0)));
    let negate = |share: &mut Vec<u8>| {
        *share = C::encode_scalar(&-C::decode_scalar(share).unwrap()).to_vec();
    };
    all_blame("share negated", 2, Fault::InvalidShare, shares::<C>(negate));
    let beyond = |share: &mut Vec<u8>| share.copy_from_slice(&order::<C>());
    all_blame("share q", 2, Fault::InvalidScalar, shares::<C>(beyond));
    all_blame("share 2^256 - 1", 2, Fault::InvalidScalar, shares::<C>(|share| share.fill(0xff)));
    for length in [0, SCALAR - 1] {
        let cheat = shares::<C>(move |share| share.truncate(length));
        all_blame("share short", 2, Fault::WrongLength, cheat);
    }
    let rotate: Cheat<C> = Arc::new(|_, now, _, outbox| {
        if now == 2 {
            let mut bodies: Vec<_> = outbox.direct.iter().map(|(_, share)| share.clone()).collect();
            bodies.rotate_left(1);
            outbox.direct.iter_mut().zip(bodies).for_each(|((_, to), from)| *to = from);
        }
    });
    all_blame("shares of others", 2, Fault::InvalidShare, rotate);
}

fn consistent_lies<C: EcdsaCurve>() {
    let other = |point: &C::Point| *point + C::generator();
    all_blame(
        "another A",
        3,
        Fault::InvalidProof,
        consistently::<C>(move |reveal| {
            let a = other(&reveal.nonce.0);
            reveal.nonce = (a, C::encode_point(&a));
        }),
    );
    for index in 0..usize::from(T) {
        let change = move |reveal: &mut Reveal<C>| {
            let mut points = reveal.commitment.points().to_vec();
            points[index] = points[index] + C::generator();
            reveal.commitment = Commitment::from_points(points);
        };
        all_blame("another coefficient", 2, Fault::InvalidShare, consistently::<C>(change));
    }
    let shorter = |reveal: &mut Reveal<C>| {
        let points = reveal.commitment.points()[..usize::from(T) - 1].to_vec();
        reveal.commitment = Commitment::from_points(points);
    };
    all_blame("lower degree", 2, Fault::WrongLength, consistently::<C>(shorter));
    for index in 0..usize::from(T) {
        let change = move |reveal: &mut Reveal<C>| {
            let mut points = reveal.commitment.points().to_vec();
            points[index] = C::identity();
            reveal.commitment = Commitment::from_points(points);
        };
        all_blame("identity", 2, Fault::IdentityCommitment, consistently::<C>(change));
    }
}

fn altered_proofs_and_confirmations<C: EcdsaCurve>() {
    let proof = |change: fn(&mut Vec<u8>)| broadcast::<C>(3, change);
    let z = |change: fn(&mut [u8])| broadcast::<C>(3, move |body| change(&mut body[POINT..]));
    all_blame("z + 1", 3, Fault::InvalidProof, z(|z| add_one::<C>(z)));
    all_blame("z 0", 3, Fault::InvalidProof, z(|z| z.fill(0)));
    all_blame("z q", 3, Fault::InvalidScalar, z(|z| z.copy_from_slice(&order::<C>())));
    all_blame("A' negated", 3, Fault::InvalidProof, proof(|body| body[0] ^= 1));
    all_blame("A' tagged", 3, Fault::InvalidPoint, proof(|body| body[0] = 4));
    all_blame("A' the identity", 3, Fault::InvalidPoint, proof(|body| body[..POINT].fill(0)));
    all_blame("short", 3, Fault::WrongLength, proof(|body| body.truncate(POINT + 31)));
    all_blame("empty", 3, Fault::WrongLength, proof(Vec::clear));
    let confirm = |change: fn(&mut Vec<u8>)| broadcast::<C>(4, change);
    all_blame("digest short", 4, Fault::WrongLength, confirm(|digest| digest.truncate(31)));
    all_blame("digest", 4, Fault::InvalidConfirmation, confirm(|digest| digest[9] ^= 4));
}

/// Two that cheat in one round, in different ways, are both named by all.
fn two_culprits<C: EcdsaCurve>() {
    let share = || shares::<C>(|share| add_one::<C>(share));
    let scalar = || shares::<C>(|share| share.fill(0xff));
    let reveal = || broadcast::<C>(2, |body| body[5] ^= 1);
    for (first, second, faults) in [
        (share(), share(), [Fault::InvalidShare; 2]),
        (share(), scalar(), [Fault::InvalidShare, Fault::InvalidScalar]),
        (reveal(), share(), [Fault::InvalidDecommitment, Fault::InvalidShare]),
    ] {
        let report = run::<C>(&[(7, first), (40, second)]);
        for party in [2, 65535].map(id) {
            let Some(Err(Abort::Misbehaviour(blames))) = report.results.get(&party) else {
                panic!("{party} should blame");
            };
            let found: Vec<_> = blames.iter().map(|one| (one.party, one.fault)).collect();
            assert_eq!(found, [(id(7), faults[0]), (id(40), faults[1])]);
        }
    }
}

/// A share that is wrong for one party only is found by that party.
fn one_wrong_share<C: EcdsaCurve>() {
    let cheat: Cheat<C> = Arc::new(|_, now, _, outbox| {
        if now == 2 {
            add_one::<C>(&mut outbox.direct[1].1);
        }
    });
    let report = run::<C>(&[(CULPRIT, cheat)]);
    for (party, result) in report.results {
        match result {
            Err(abort @ Abort::Misbehaviour(_)) => {
                assert_eq!(party, id(40));
                assert!(abort.culprits().eq([id(CULPRIT)]));
            }
            Err(Abort::Missing { parties, .. }) => assert_eq!(parties, [id(40)]),
            other => panic!("{party}: {other:?}"),
        }
    }
}

/// The parties together can make the key zero, and then no party gets one.
fn zero_key<C: EcdsaCurve>() {
    let with = |coefficients: [C::Scalar; 3]| -> Cheat<C> {
        Arc::new(move |run, now, at, outbox| {
            if let (1, State::Digests(round)) = (now, at) {
                round.polynomial = Polynomial::from_coefficients(coefficients.to_vec());
                round.reveal.commitment = round.polynomial.commit();
                outbox.broadcast = Some(round.reveal.digest(run, run.party_id()).to_vec());
            }
        })
    };
    let [one, two] = [1, 2].map(C::Scalar::from);
    let cheats =
        [(2, with([one, one, two])), (7, with([one, two, one])), (40, with([one, one, one]))];
    let failed = Abort::unattributed(Round(2), Check::ResultMismatch);
    // The key is zero, or one party's share is.
    let at_two = -(C::Scalar::from(3) + C::Scalar::from(8) + C::Scalar::from(16));
    for last in [[-C::Scalar::from(3), one, one], [at_two - two - C::Scalar::from(4), one, one]] {
        let cheats: Vec<_> = cheats.iter().cloned().chain([(65535, with(last))]).collect();
        for result in run::<C>(&cheats).results.into_values() {
            assert_eq!(result.unwrap_err(), failed);
        }
    }
}

/// V is bound to the party, to every field, and to the run.
fn commitments_are_bound<C: EcdsaCurve>() {
    let seen = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&seen);
    let look: Cheat<C> = Arc::new(move |run, now, at, _| {
        if let (1, State::Digests(round)) = (now, at) {
            let digest = round.reveal.digest(run, run.party_id());
            assert!(run.others().all(|other| round.reveal.digest(run, other) != digest));
            let mut moved = round.reveal.clone();
            core::mem::swap(&mut moved.rid, &mut moved.chain_code);
            assert!(moved.digest(run, run.party_id()) != digest);
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    run::<C>(&[(2, look)]);
    assert_eq!(seen.load(Ordering::Relaxed), 1);
}

macro_rules! on_both_curves {
    ($($test:ident)*) => {
        mod secp256k1 {
            $(#[test] fn $test() { super::$test::<super::Secp256k1>(); })*
        }
        mod p256 {
            $(#[test] fn $test() { super::$test::<super::P256>(); })*
        }
    };
}

on_both_curves! {
    honest_ends_well
    altered_commitments
    altered_reveals
    altered_shares
    consistent_lies
    altered_proofs_and_confirmations
    two_culprits
    one_wrong_share
    zero_key
    commitments_are_bound
}
