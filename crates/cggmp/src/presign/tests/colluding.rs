//! Two signers who work together: D and F of a product that one sends to the other encrypt unrelated numbers, and the
//! other does not mind. Both can make their Πdec, and the sums are wrong.
#![allow(clippy::unwrap_in_result, reason = "a test that fails stops")]

use alloc::sync::Arc;
use alloc::vec::Vec;

use quorate_bignum::{Engine, SecretInteger};
use quorate_curve::Secp256k1;
use quorate_paillier::{Randomizer, level::ELL_PRIME};
use quorate_session::{
    Abort, Binding, Check, Fault, Inbox, Limits, Next, Outbox, ParamError, Parties, PartyId,
    Protocol, Round, Run, SessionId,
};

use super::{all, aux, run};
use crate::presign::products::Factor;
use crate::presign::round2::{Announced, AwaitingProducts, Contribution};
use crate::presign::round3::AwaitingSums;
use crate::presign::{At, ELOG, Presign, PresignParams, Presignature, Stage, Staged};
use crate::red_alert::{Alert, multiplied::Multiplied};
use crate::wire::POINT;
use crate::{AuxInfo, EcdsaCurve, Evidence, KeyShare, Keygen, KeygenParams, SigningRun};

#[derive(Clone, Copy)]
enum Role {
    Honest,
    /// F of what it sends to this party is another number than D's mask.
    Sender(PartyId),
    /// It takes what it is sent.
    Receiver,
}

/// Presigning in one of these roles.
struct Colluding<C>(core::marker::PhantomData<C>);

struct Params<C: EcdsaCurve>(PresignParams<C>, Role, Factor);

struct State<C: EcdsaCurve>(Stage<C>, Role, Factor);

impl<C: EcdsaCurve> Protocol for Colluding<C> {
    const NAME: &'static str = Presign::<C>::NAME;
    const CODE: u8 = Presign::<C>::CODE;
    const ROUNDS: u8 = Presign::<C>::ROUNDS;
    type Params = Params<C>;
    type State = State<C>;
    type Output = Presignature<C>;

    fn bind(params: &Params<C>, binding: &mut Binding) {
        Presign::bind(&params.0, binding);
    }

    fn limits(params: &Params<C>, parties: usize, round: Round) -> Limits {
        Presign::limits(&params.0, parties, round)
    }

    fn start(params: Params<C>, run: &Run) -> Result<(State<C>, Outbox), ParamError> {
        let (stage, outbox) = Stage::start(params.0, run, Self::CODE)?;
        Ok((State(stage, params.1, params.2), outbox))
    }

    fn next(state: State<C>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let State(stage, role, factor) = state;
        if let (Role::Honest, At::Alert(Alert::Multiplied(state))) = (role, &stage.at) {
            let accomplice = inbox.each().nth(1).unwrap();
            altered(state, run, accomplice.broadcast);
        }
        let (mut stage, mut outbox) = match (role, stage) {
            (Role::Receiver, Stage { at: At::AwaitingProducts(two), mut history }) => {
                let (three, outbox) = believe(two, run, inbox)?;
                history.received(run, inbox);
                (Stage { at: At::AwaitingSums(three), history }, outbox)
            }
            (_, stage) => match stage.next(run, inbox)? {
                Staged::Next(stage, outbox) => (stage, outbox),
                Staged::Work(stage) => return Ok(Next::Work(State(stage, role, factor))),
                Staged::Done(presignature, _) => return Ok(Next::Done(presignature)),
            },
        };
        if let (Role::Sender(to), At::AwaitingProducts(two)) = (role, &mut stage.at) {
            replace(two, (to, factor), run, &mut outbox);
        }
        stage.history.sent(&outbox);
        Ok(Next::Round(State(stage, role, factor), outbox))
    }
}

/// Round 3 without a look at any proof.
fn believe<C: EcdsaCurve>(
    two: AwaitingProducts<C>,
    run: &Run,
    inbox: Inbox<'_>,
) -> Result<(AwaitingSums<C>, Outbox), Abort> {
    let key = |party| two.env.key_of(party).unwrap();
    let digest = |factor, to| {
        let pair = &two.sent_to(to, factor).unwrap().pair;
        pair.digest(run.into(), factor, run.me(), to)
    };
    let own = run.others().map(|to| Factor::BOTH.map(|factor| digest(factor, to)));
    let (mut gammas, mut digests) =
        (vec![(run.me(), two.gamma)], vec![(run.me(), own.collect::<Vec<_>>())]);
    let mut received = Vec::new();
    for message in inbox.each() {
        let (from, bodies) = (message.from, [message.broadcast, message.direct]);
        let said = Announced::<C>::read(message.broadcast, run.others().count()).unwrap();
        let (between, keys) = ([from, run.me()], [key(from), key(run.me())]);
        let sent = Contribution::<C>::read(run.into(), run.parties(), between, keys, bodies);
        gammas.push((from, said.gamma));
        digests.push((from, said.digests));
        received.push((from, sent.unwrap().pairs));
    }
    gammas.sort_unstable_by_key(|(party, _)| *party);
    AwaitingSums::new(two, gammas, digests, received, run)
}

/// Another F, which it stands by from now on: in δ or χ, and in its digest.
fn replace<C: EcdsaCurve>(
    two: &mut AwaitingProducts<C>,
    (to, factor): (PartyId, Factor),
    run: &Run,
    outbox: &mut Outbox,
) {
    let key = two.env.aux.secrets().key();
    let rng = &mut run.rng("another F");
    let y = SecretInteger::random_half_range(rng, ELL_PRIME);
    let rho_y = Randomizer::random(rng, key.encryption_key()).unwrap();
    let f = key.encrypt_many(&two.env.engine, &[(&y, &rho_y)]).unwrap().remove(0);
    let sent = two.sent.iter_mut().find(|sent| sent.to == to && sent.factor == factor).unwrap();
    (sent.pair.f, sent.mask.y, sent.mask.rho_y) = (f, y, rho_y);
    let place = run.others().position(|peer| peer == to).unwrap();
    let second = usize::from(factor == Factor::Share);
    let digest = sent.pair.digest(run.into(), factor, run.me(), to);
    let start = POINT + ELOG + 64 * place + 32 * second;
    outbox.broadcast.as_mut().unwrap()[start..start + 32].copy_from_slice(&digest);
    let (_, direct) = outbox.direct.iter_mut().find(|(peer, _)| *peer == to).unwrap();
    let f = sent.pair.f.to_bytes();
    let start = (1 + 2 * second) * f.len();
    direct[start..start + f.len()].copy_from_slice(&f);
}

fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

type C = Secp256k1;

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

    /// Party 1 sends party 2 a product of this factor that neither could prove.
    fn run(&self, factor: Factor) -> Vec<Result<Presignature<C>, Abort>> {
        let params = |party: PartyId| {
            let place = self.parties.position(party).unwrap();
            let (key, aux) = (Arc::clone(&self.keys[place]), Arc::clone(&self.aux[place]));
            let role = match party.get() {
                1 => Role::Sender(id(2)),
                2 => Role::Receiver,
                _ => Role::Honest,
            };
            Params(PresignParams::new(Engine::detect(), key, aux), role, factor)
        };
        run::<Colluding<C>>(4, &self.parties, params)
    }

    /// What the honest party finds, all of it shown to an outsider too.
    fn found(&self, result: Result<Presignature<C>, Abort>) -> Vec<(PartyId, u8, Fault)> {
        let Err(Abort::Misbehaviour(blames)) = result else { panic!("{result:?}") };
        let public = SigningRun {
            sid: SessionId::new([4; 32]),
            signers: self.parties.clone(),
            key: self.keys[0].info().clone(),
            aux: self.aux[0].public().clone(),
            digest: None,
        };
        for blame in &blames {
            let evidence = Evidence::of(blame).unwrap();
            assert_eq!(evidence.verify(&Engine::detect(), &public), Ok(blame.fault));
        }
        blames.iter().map(|blame| (blame.party, blame.round.get(), blame.fault)).collect()
    }
}

/// Whoever sent the product is named, in the second round of the alert: all Πdec were right.
#[test]
fn unrelated_numbers_in_a_product() {
    let group = Group::new();
    for factor in Factor::BOTH {
        let [sender, receiver, honest] = <[_; 3]>::try_from(group.run(factor)).unwrap();
        assert_eq!(group.found(honest), [(id(1), 5, Fault::InvalidProof)]);
        // Its accomplice could have named it too; it has itself nobody to name.
        assert_eq!(group.found(receiver), [(id(1), 5, Fault::InvalidProof)]);
        let mismatch = Abort::unattributed(Round(5), Check::ResultMismatch);
        assert_eq!(sender.err(), Some(mismatch));
    }
}

/// The parts of a Πaff-g*, by where they end in the first or the last repetition.
fn parts() -> [(&'static str, usize); 5] {
    let one = 97 + 225 + 256 + 256;
    let (first, last) = (16, 16 + 127 * one);
    [
        ("e of Πaff-g*", first),
        ("z of Πaff-g*", first + 97),
        ("z' of Πaff-g*", first + 97 + 225),
        ("w of Πaff-g*", last + 97 + 225 + 256),
        ("λ of Πaff-g*", last + one),
    ]
}

/// A Πaff-g* of which any part is altered is refused.
fn altered<C: EcdsaCurve>(state: &Multiplied<C>, run: &Run, message: &[u8]) {
    let first = || state.verify(run, (1, 0), message);
    assert_eq!(first(), Ok(()));
    for (_, end) in parts() {
        let mut message = message.to_vec();
        message[end - 1] ^= 1;
        let verdict = state.verify(run, (1, 0), &message);
        assert_eq!(verdict, Err(Fault::InvalidProof.into()), "{end}");
    }
    for message in [&message[..message.len() - 1], &[]] {
        assert_eq!(state.verify(run, (1, 0), message), Err(Fault::Malformed.into()));
    }
}

/// What is found makes `docs/misbehaviour.md`.
#[test]
fn altered_proofs_are_documented() {
    let rows = parts().map(|(name, _)| format!("| 5 | {name} | last bit | `InvalidProof` |\n"));
    let table = rows.concat() + "| 5 | broadcast | a byte less, empty | `Malformed` |\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/misbehaviour.md");
    assert!(std::fs::read_to_string(path).unwrap().contains(&table), "{table}");
}
