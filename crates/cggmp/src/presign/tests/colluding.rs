//! Two signers that work together: D and F of a product that one sends to the other encrypt unrelated numbers, and the
//! other accepts them. Both can make their Πdec, and the sums are wrong.
#![allow(clippy::unwrap_in_result, reason = "a test that fails stops")]

use alloc::sync::Arc;
use alloc::vec::Vec;

use quorate_bignum::SecretInteger;
use quorate_curve::Secp256k1;
use quorate_paillier::Randomizer;
use quorate_paillier::level::ELL;
use quorate_session::{
    Abort, Binding, Check, Fault, Inbox, Judgement, Limits, Next, Outbox, ParamError, Parties,
    PartyId, Protocol, Round, Run, SessionId,
};

use super::{LEVEL, all, aux, run};
use crate::presign::factor::{ByFactor, DIGEST, Factor};
use crate::presign::messages::ELOG_FOLDED;
use crate::presign::red_alert::rounds::State as RedAlert;
use crate::presign::red_alert::rounds::product_proofs::AwaitingProductProofs;
use crate::presign::rounds::products::AwaitingProducts;
use crate::presign::rounds::sums::AwaitingSums;
use crate::presign::rounds::{Presigning, start};
use crate::presign::view::WrongSum;
use crate::presign::{PresignMany, PresignManyParams, PresignParams, Presignature};
use crate::proofs::Look;
use crate::wire::POINT;
use crate::{
    AuxInfo, EcdsaCurve, Evidence, KeyShare, Keygen, KeygenParams, NotShown, SigningGoal,
    SigningRun,
};
use quorate_session::rounds::{Logged, RoundOutcome, Rounds};

#[derive(Clone, Copy)]
enum Role {
    Honest,
    /// F of its products for this party encrypts another number than D's mask.
    Sender(PartyId),
    /// The role accepts every product.
    Receiver,
}

/// Presigning in one of these roles.
struct Colluding<C>(core::marker::PhantomData<C>);

struct Params<C: EcdsaCurve>(PresignManyParams<C>, Role, WrongSum);

struct State<C: EcdsaCurve> {
    state: Presigning<C>,
    role: Role,
    wrong: WrongSum,
}

impl<C: EcdsaCurve> Protocol for Colluding<C> {
    const NAME: &'static str = PresignMany::<C>::NAME;
    const CODE: u8 = PresignMany::<C>::CODE;
    const FAMILY: &'static str = PresignMany::<C>::FAMILY;
    const ROUNDS: u8 = PresignMany::<C>::ROUNDS;
    type Params = Params<C>;
    type State = Logged<State<C>>;
    type Output = Vec<Presignature<C>>;

    fn bind(params: &Params<C>, binding: &mut Binding) {
        PresignMany::bind(&params.0, binding);
    }

    fn limits(params: &Params<C>, parties: usize, round: Round) -> Limits {
        PresignMany::limits(&params.0, parties, round)
    }

    fn start(params: Params<C>, run: &Run) -> Result<(Self::State, Outbox), ParamError> {
        let Params(PresignManyParams { presign, count, .. }, role, wrong) = params;
        let variant = |state| State { state, role, wrong };
        Ok(Logged::start(Self::CODE, start(presign, count, run)?, variant))
    }

    fn next(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        state.next(run, inbox)
    }
}

impl<C: EcdsaCurve> Rounds for State<C> {
    type Output = Vec<Presignature<C>>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, Self::Output>, Abort> {
        let Self { state, role, wrong } = self;
        let mut step = match (role, state) {
            (Role::Receiver, Presigning::Products(round)) => {
                RoundOutcome::round(believe(round, run, inbox)?, Presigning::Sums)
            }
            (_, state) => {
                if let (Role::Honest, Presigning::RedAlert(RedAlert::ProductProofs(round))) =
                    (role, &state)
                {
                    let accomplice = inbox.each().nth(1).unwrap();
                    altered(round, accomplice.broadcast);
                }
                state.next(run, inbox)?
            }
        };
        if let (Role::Sender(to), RoundOutcome::Round(Presigning::Products(round), outbox)) =
            (role, &mut step)
        {
            replace(round, (to, wrong), run, outbox);
        }
        Ok(step.map(|state| Self { state, role, wrong }))
    }

    fn judge(self, _: &Run, _: Inbox<'_>) -> Judgement<Self::Output> {
        Judgement::default()
    }
}

/// Round 3 without a look at any proof.
fn believe<C: EcdsaCurve>(
    round: AwaitingProducts<C>,
    run: &Run,
    inbox: Inbox<'_>,
) -> Result<(AwaitingSums<C>, Outbox), Abort> {
    let read = inbox.verify(|from, message| {
        let view = &round.signer.view;
        let broadcast = view.read_round2(from, message.broadcast)?;
        let direct =
            view.read_products([from, run.party_id()], &broadcast, message.direct, Look::First);
        Ok((broadcast, direct.unwrap()))
    });
    round.add_up(read?, run)
}

/// Another F, to which the party then keeps: in δ or χ, and in its digest.
fn replace<C: EcdsaCurve>(
    round: &mut AwaitingProducts<C>,
    (to, WrongSum { index, factor }): (PartyId, WrongSum),
    run: &Run,
    outbox: &mut Outbox,
) {
    let key = round.signer.key();
    let rng = &mut run.rng("another F");
    let y = SecretInteger::random_half_range(rng, LEVEL.ell_prime());
    let rho_y = Randomizer::random(rng, key.encryption_key()).unwrap();
    let f = key.encrypt_many(&round.signer.engine, &[(&y, &rho_y)]).unwrap().remove(0);
    let products = &mut round.sent.get_mut(to).unwrap()[index];
    let sent = products.get_mut(factor);
    (sent.pair.f, sent.mask.y, sent.mask.rho_y) = (f, y, rho_y);
    let between = round.signer.view.between([run.party_id(), to], index);
    let digest = between.digest(ByFactor::new(|factor| &products.get(factor).pair));
    let count = round.signer.view.count();
    round.broadcast.digests.get_mut(to).unwrap()[index] = digest;
    let place = run.others().position(|peer| peer == to).unwrap();
    let start = count * POINT + ELOG_FOLDED + DIGEST * (count * place + index);
    outbox.broadcast.as_mut().unwrap()[start..start + 32].copy_from_slice(&digest);
    let (_, direct) = outbox.direct.iter_mut().find(|(peer, _)| *peer == to).unwrap();
    let f = products.get(factor).pair.f.to_bytes();
    let start = (4 * index + 1 + 2 * usize::from(factor == Factor::Share)) * f.len();
    direct[start..start + f.len()].copy_from_slice(&f);
}

fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

type C = Secp256k1;

type Outcome = Result<Vec<Presignature<C>>, Abort>;

struct Group {
    parties: Parties,
    keys: Vec<Arc<KeyShare<C>>>,
    aux: Vec<Arc<AuxInfo>>,
}

impl Group {
    fn new() -> Self {
        let parties = Parties::numbered(3).unwrap();
        let keys = all(run::<Keygen<C>>(2, &parties, |_| KeygenParams::new(3)));
        Self { aux: aux(&parties), keys, parties }
    }

    /// Party 1 sends party 2 a product that neither could prove, for one presignature of several.
    fn run(&self, count: u16, wrong: WrongSum) -> Vec<Outcome> {
        let params = |party: PartyId| {
            let place = self.parties.position(party).unwrap();
            let (key, aux) = (Arc::clone(&self.keys[place]), Arc::clone(&self.aux[place]));
            let role = match party.get() {
                1 => Role::Sender(id(2)),
                2 => Role::Receiver,
                _ => Role::Honest,
            };
            let params = PresignParams::new(key, aux);
            Params(PresignManyParams::new(params, count), role, wrong)
        };
        run::<Colluding<C>>(4, &self.parties, params)
    }

    /// The findings of an honest party, each of which also convinces an outsider.
    fn found(&self, count: u16, result: Outcome) -> Vec<(PartyId, u8, Fault)> {
        let Err(Abort::Misbehaviour(blames)) = result else { panic!("{result:?}") };
        let public = SigningRun {
            sid: SessionId::new([4; 32]),
            signers: self.parties.clone(),
            key: self.keys[0].public().clone(),
            aux: self.aux[0].public().clone(),
            goal: SigningGoal::Presignatures(count),
        };
        for blame in &blames {
            let evidence = Evidence::from_blame(blame).unwrap();
            assert_eq!(evidence.verify(&public), Ok(blame.fault));
            // It shows nothing against the others, whose broadcasts are in it.
            for other in self.parties.iter().filter(|party| *party != blame.party) {
                let evidence = Evidence::new(other, evidence.frames().clone()).unwrap();
                let verdict = evidence.verify(&public);
                assert_eq!(verdict, Err(NotShown::InOrder), "{other}");
            }
        }
        blames.iter().map(|blame| (blame.party, blame.round.get(), blame.fault)).collect()
    }
}

#[test]
fn unrelated_numbers_in_a_product_of_gamma() {
    sender_is_named(1, WrongSum { index: 0, factor: Factor::Gamma });
}

#[test]
fn unrelated_numbers_in_a_product_of_the_second_share() {
    sender_is_named(2, WrongSum { index: 1, factor: Factor::Share });
}

/// The sender of the product is named, in the second round of the alert: all Πdec were right.
fn sender_is_named(count: u16, wrong: WrongSum) {
    let group = Group::new();
    let made = group.run(count, wrong);
    let [sender, receiver, honest] = <[_; 3]>::try_from(made).unwrap();
    assert_eq!(group.found(count, honest), [(id(1), 5, Fault::InvalidProof)]);
    // Its accomplice could have named it too; the sender itself cannot name anybody.
    assert_eq!(group.found(count, receiver), [(id(1), 5, Fault::InvalidProof)]);
    let mismatch = Abort::unattributed(Round(5), Check::ResultMismatch);
    assert_eq!(sender.err(), Some(mismatch));
}

/// Bytes of z, z' and both w and λ in a repetition of a Πaff-g*.
const Z: usize = LEVEL.response_bytes(ELL);
const Z_PRIME: usize = LEVEL.response_bytes(LEVEL.ell_prime());
const UNIT: usize = LEVEL.modulus_bytes();
const REPETITION: usize = Z + Z_PRIME + 2 * UNIT;

/// The parts of a Πaff-g*, by where they end in the first or the last repetition.
fn parts() -> [(&'static str, usize); 5] {
    let one = REPETITION;
    let (first, last) = (16, 16 + 127 * one);
    [
        ("e of Πaff-g*", first),
        ("z of Πaff-g*", first + Z),
        ("z' of Πaff-g*", first + Z + Z_PRIME),
        ("w of Πaff-g*", last + Z + Z_PRIME + UNIT),
        ("λ of Πaff-g*", last + one),
    ]
}

/// A Πaff-g* of which any part is altered is refused.
fn altered<C: EcdsaCurve>(round: &AwaitingProductProofs<C>, message: &[u8]) {
    let between = [2, 1].map(id);
    let first = || round.verify(between, message);
    assert_eq!(first(), Ok(()));
    for (_, end) in parts() {
        let mut message = message.to_vec();
        message[end - 1] ^= 1;
        let verdict = round.verify(between, &message);
        assert_eq!(verdict, Err(Fault::InvalidProof.into()), "{end}");
    }
    // The proofs of both products change places, and the repetitions of the first.
    let (half, one) = (message.len() >> 1, REPETITION);
    for (place, by) in [(0..message.len(), half), (16..half, one)] {
        let mut message = message.to_vec();
        message[place].rotate_left(by);
        assert_eq!(round.verify(between, &message), Err(Fault::InvalidProof.into()), "{by}");
    }
    for message in [&message[..message.len() - 1], &[]] {
        assert_eq!(round.verify(between, message), Err(Fault::Malformed.into()));
    }
}

/// The findings make `docs/misbehaviour.md`.
#[test]
fn altered_proofs_are_documented() {
    let rows = parts().map(|(name, _)| format!("| 5 | {name} | last bit | `InvalidProof` |\n"));
    let table = rows.concat() + "| 5 | broadcast | a byte less, empty | `Malformed` |\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/misbehaviour.md");
    assert!(std::fs::read_to_string(path).unwrap().contains(&table), "{table}");
}
