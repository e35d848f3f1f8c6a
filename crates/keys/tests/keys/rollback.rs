//! A party that is restored from an old seal and receives other frames.

use std::collections::BTreeMap;

use quorate_curve::Curve;
use quorate_keys::session::frame::{HEADER, Header, PREFIX};
use quorate_keys::session::{
    Parties, PartyId, Progress, Protocol, Round, SealError, SealKey, Sealed, Session, frame,
};
use quorate_keys::{Repair, Reshare};

use crate::forge::{Forged, at, place};
use crate::group::{Of, id, parties, rng, sid};
use crate::play::{Said, play};
use crate::repair::{HELPERS, TARGET};
use crate::reshare::{Case, opening};

/// One honest party among corrupt ones. It is sealed after `before`, and opened for each history of later rounds.
struct Victim<P: Protocol> {
    sealed: Sealed,
    key: SealKey,
    /// The messages that it had sent when it was sealed.
    said: Vec<Vec<u8>>,
    all: Parties,
    me: PartyId,
    context: [u8; 32],
    protocol: core::marker::PhantomData<P>,
}

fn body(frame: &[u8]) -> Vec<u8> {
    frame[HEADER + PREFIX..].to_vec()
}

impl<P: Protocol> Victim<P> {
    fn new(me: u16, all: &Parties, params: P::Params) -> Self {
        let context = Session::<P>::context_of(sid(4), all, &params);
        let step = Session::<P>::start(sid(4), id(me), all, params, &mut rng(1)).unwrap();
        let key = SealKey::new([8; 32]);
        let said = vec![body(&step.outgoing[0].bytes)];
        let protocol = core::marker::PhantomData;
        Self {
            sealed: step.session.seal(&key),
            key,
            said,
            all: all.clone(),
            me: id(me),
            context,
            protocol,
        }
    }

    /// Opens the first seal and plays rounds with these messages of the others. Returns the victim's messages,
    /// round by round.
    fn play(
        &self,
        params: P::Params,
        mut others: impl FnMut(u16, u8, &Said) -> Vec<u8>,
    ) -> Vec<Vec<u8>> {
        let mut step = Session::<P>::open(&self.sealed, params, &self.key).unwrap();
        let mut said = Said { context: self.context, rounds: vec![] };
        let mut sent = vec![];
        for round in 1..=P::ROUNDS {
            let own = step.outgoing[0].bytes.clone();
            sent.push(body(&own));
            said.rounds.push(BTreeMap::from([(self.me.get(), body(&own))]));
            let prefix: [u8; PREFIX] = own[HEADER..HEADER + PREFIX].try_into().unwrap();
            let mut session = step.session;
            for from in self.all.iter().filter(|from| *from != self.me) {
                let body = others(from.get(), round, &said);
                said.rounds.last_mut().unwrap().insert(from.get(), body.clone());
                let (version, context) = (frame::VERSION, self.context);
                let header =
                    Header { version, code: P::CODE, round: Round(round), from, to: None, context };
                session.receive(from, &header.frame(Some(&prefix), &body)).unwrap();
            }
            match session.advance() {
                Ok(Progress::Round(next)) => step = next,
                _ => break,
            }
        }
        sent
    }
}

fn points<C: Curve>(deal: &[u8], t: usize) -> Vec<&[u8]> {
    deal[..t * size_of::<C::PointBytes>()].chunks(size_of::<C::PointBytes>()).collect()
}

/// A dealer that receives other opening keys deals another polynomial with the same constant, under another key.
fn a_dealer_deals_anew<C: Curve>() {
    let case = Case::<C>::new();
    let part = || case.key.part(&case.plan, id(1));
    let victim = Victim::<Reshare<Of<C>>>::new(1, &case.plan.parties(), part());
    let told = |first: u16| {
        victim.play(part(), move |from, round, _| match round {
            1 => opening::<C>(if from == 2 { first } else { from }),
            _ => vec![],
        })
    };
    let (one, again, other) = (told(2), told(2), told(20));
    assert_eq!(one, again);
    assert_eq!(one[0], victim.said[0]);
    let (one, other) = (&one[1], &other[1]);
    let (ours, theirs) = (points::<C>(one, 2), points::<C>(other, 2));
    // F(0) = λ·S in both. The coefficient, D, R and every sealed share differ.
    assert_eq!(ours[0], theirs[0]);
    assert_ne!(ours[1], theirs[1]);
    let point = size_of::<C::PointBytes>();
    for (ours, theirs) in one[2 * point..].chunks(point).zip(other[2 * point..].chunks(point)) {
        assert_ne!(ours, theirs);
    }
    // The share sealed to a party whose messages were the same also differs, and is under another pad.
    let scalar = size_of::<C::ScalarBytes>();
    let read = |deal: &[u8]| C::decode_scalar(&deal[deal.len() - scalar..]).unwrap();
    let difference = read(one) - read(other);
    assert!(difference != C::Scalar::default());
}

/// The end of a deal from corrupt dealer 3 to the new committee, with wrong shares for 2.
fn wrong<'a, C: Curve>(
    case: &Case<C>,
    said: &Said,
    coefficient: u64,
    error: &'a dyn Fn(u16) -> C::Scalar,
) -> Forged<'a, C> {
    let mut forged = case.forged(3, said, error);
    forged.coefficients[1] = C::Scalar::from(coefficient);
    forged
}

/// A party that complains twice, about two deals, does not reveal its opening key.
fn two_complaints_do_not_solve<C: Curve>() {
    let case = Case::<C>::new();
    let part = || case.key.part(&case.plan, id(2));
    let victim = Victim::<Reshare<Of<C>>>::new(2, &case.plan.parties(), part());
    let none = crate::reshare::zero::<C>;
    let error = |to| C::Scalar::from(u64::from(to == 2));
    let told = |coefficient: u64| {
        let sent = victim.play(part(), |from, round, said| match (from, round) {
            (1, 1) | (4, 2) => vec![],
            (_, 1) => opening::<C>(from),
            (_, 3) => vec![0; 33],
            (1, _) => case.forged(1, said, &none).body(),
            (_, _) => wrong(&case, said, coefficient, &error).body(),
        });
        sent[2].clone()
    };
    let (one, other) = (told(5), told(6));
    let scalar = size_of::<C::ScalarBytes>();
    let read = |body: &[u8], back: usize| {
        let start = body.len() - back * scalar;
        C::decode_scalar(&body[start..start + scalar]).unwrap()
    };
    assert_eq!((one[0], other[0]), (1, 1));
    let e = read(&one, 2) - read(&other, 2);
    let z = read(&one, 1) - read(&other, 1);
    assert!(e != C::Scalar::default());
    // With one nonce this would be y.
    let solved = C::mul_base(&(z * C::invert(&e)));
    assert_ne!(C::encode_point(&solved).as_ref(), &victim.said[0][..]);
}

/// A helper that receives other masks gives another sum, under another pad. The difference of its messages is not
/// the difference of the masks.
fn a_helper_seals_anew<C: Curve>() {
    let key = crate::repair::key::<C>();
    let all = parties(&[1, 2, 4, 5]);
    let part = || key.repair_part(&HELPERS, TARGET, id(4));
    let victim = Victim::<Repair<Of<C>>>::new(4, &all, part());
    let none = crate::reshare::zero::<C>;
    let r = place::<C>(TARGET);
    let mask = |a: u64| vec![-(r * C::Scalar::from(a)), C::Scalar::from(a) - r, C::Scalar::from(1)];
    let told = |first: u64| {
        let sent = victim.play(part(), |from, round, said| match (from, round) {
            (_, 1) => opening::<C>(from),
            (TARGET, _) => vec![],
            (_, 2) => {
                let to = HELPERS.into_iter().filter(|to| *to != from);
                let key = |to: u16| if to == 4 { said.by(1, 4).to_vec() } else { opening::<C>(to) };
                let coefficients = mask(if from == 1 { first } else { 3 });
                Forged::<C> {
                    context: said.context,
                    dealer: from,
                    coefficients,
                    d: C::Scalar::from(u64::from(from) * 31),
                    to: to.map(|to| (to, key(to))).collect(),
                    error: &none,
                }
                .body()
            }
            _ => vec![],
        });
        (sent[1].clone(), C::decode_scalar(&sent[2][1..]).unwrap())
    };
    let ((deal, one), (same, other)) = (told(7), told(9));
    assert_eq!(deal, same);
    let masks = at::<C>(&mask(7), 4) - at::<C>(&mask(9), 4);
    assert!(one - other != masks);
}

/// After the end there is nothing to open.
fn what_has_ended_stays_so<C: Curve>() {
    let case = Case::<C>::new();
    let all = case.plan.parties();
    let ended =
        play::<Reshare<Of<C>>>(&all, &[], |me| case.key.part(&case.plan, me), |_, _, _, _| None);
    assert!(ended.results.values().all(Result::is_ok));
    let part = || case.key.part(&case.plan, id(2));
    let step = Session::<Reshare<Of<C>>>::start(sid(1), id(2), &all, part(), &mut rng(1)).unwrap();
    let tombstone = step.session.tombstone();
    let opened = Session::<Reshare<Of<C>>>::open(&tombstone, part(), &SealKey::new([1; 32]));
    assert_eq!(opened.map(drop), Err(SealError::Ended));
    // A seal opens with its own parameters only.
    let sealed = step.session.seal(&SealKey::new([1; 32]));
    let other = case.key.plan(&[1, 3], &[2, 3, 4], 3);
    let opened = Session::<Reshare<Of<C>>>::open(
        &sealed,
        case.key.part(&other, id(2)),
        &SealKey::new([1; 32]),
    );
    assert_eq!(opened.map(drop), Err(SealError::OtherParams));
}

every_curve! { a_dealer_deals_anew two_complaints_do_not_solve a_helper_seals_anew what_has_ended_stays_so }
