//! Every field of every message is altered in every way, one at a time. Only the sender is named, for its
//! fault. The findings are the tables of `docs/misbehaviour.md`.

mod keys;
mod lifecycle;
mod signing;

use std::collections::BTreeMap;
use std::sync::Mutex;

use quorate_bignum::{Natural, SecretNatural};
use quorate_cggmp::evidence::PublicRun;
use quorate_cggmp::{EcdsaCurve, Evidence};
use quorate_session::{Blame, Parties, PartyId, Protocol};
use quorate_testkit::fixtures;

use quorate_testkit::documented;
use quorate_testkit::encodings::Encoding;
use quorate_testkit::mutation::{Class, Field, Others, mutations};

use crate::support::*;

pub const VICTIM: u16 = 2;
pub const CULPRIT: u16 = 7;

/// A message: round, whether it is a broadcast, its fields.
pub struct Message {
    pub round: u8,
    pub broadcast: bool,
    pub fields: Vec<Field>,
}

impl Message {
    fn place(&self) -> Place {
        (id(CULPRIT), self.round, self.broadcast, id(VICTIM))
    }
}

/// One thing to try.
pub struct Case {
    pub round: u8,
    pub what: String,
    pub how: &'static str,
    pub frames: Frames,
}

/// A field of a recorded frame.
pub fn part<'f>(frames: &'f Frames, message: &Message, index: usize) -> (&'f [u8], usize) {
    let frame = &frames[&message.place()];
    let total: usize = message.fields.iter().map(|field| field.at.len()).sum();
    let before: usize = message.fields[..index].iter().map(|field| field.at.len()).sum();
    let start = frame.len() - total + before;
    assert_eq!(frame.len() - total, HEADER + ECHO);
    (&frame[start..start + message.fields[index].at.len()], start)
}

/// Makes a message consistent with itself again after a change.
pub type Mend = fn(&mut Frames);

pub fn cases<C: EcdsaCurve + Encoding>(
    messages: &[Message],
    (frames, other): (&Frames, &Frames),
    mend: Option<Mend>,
) -> Vec<Case> {
    let mut out = Vec::new();
    for message in messages {
        for (index, field) in message.fields.iter().enumerate() {
            let (now, start) = part(frames, message, index);
            let (theirs, _) = part(other, message, index);
            let others = Others { party: None, session: Some(theirs) };
            for change in mutations::<C>(field.class, now, others) {
                if change.bytes.len() != now.len() {
                    continue;
                }
                let mut frames = frames.clone();
                let frame = frames.get_mut(&message.place()).unwrap();
                frame[start..start + now.len()].copy_from_slice(&change.bytes);
                if let Some(mend) = mend {
                    mend(&mut frames);
                }
                let (round, what, how) = (message.round, field.name.into(), change.name);
                out.push(Case { round, what, how, frames });
            }
        }
        let whole = |what: &str, how: &'static str, change: &dyn Fn(&mut Vec<u8>)| {
            let mut frames = frames.clone();
            change(frames.get_mut(&message.place()).unwrap());
            Case { round: message.round, what: what.into(), how, frames }
        };
        let kind = if message.broadcast { "broadcast" } else { "direct message" };
        if mend.is_none() {
            out.push(whole(kind, "a byte less", &|frame| frame.truncate(frame.len() - 1)));
            let (_, start) = part(frames, message, 0);
            out.push(whole(kind, "empty", &|frame| frame.truncate(start)));
        }
    }
    out
}

/// By round, place in the message and field, the outcome of each change.
pub type Found = BTreeMap<(u8, usize, String), Vec<(Outcome, &'static str)>>;

/// Plays all cases on all cores.
pub fn outcomes<P: Protocol>(
    cases: Vec<Case>,
    params: impl Fn() -> P::Params + Sync,
    public: Option<&(impl PublicRun + Sync)>,
) -> Found {
    let judge = |what: &str, blame: &Blame| {
        if let Some(run) = public {
            let evidence = Evidence::from_blame(blame).unwrap();
            assert_eq!(evidence.verify(run), Ok(blame.fault), "{what}");
        }
    };
    outcomes_among::<P>(&duo(), cases, params, judge)
}

/// Plays all cases among these parties on all cores. `shown` checks the blame in some of them.
pub fn outcomes_among<P: Protocol>(
    all: &Parties,
    cases: Vec<Case>,
    params: impl Fn() -> P::Params + Sync,
    shown: impl Fn(&str, &Blame) + Sync,
) -> Found {
    let mut order = BTreeMap::new();
    for case in &cases {
        let next = order.len();
        order.entry((case.round, case.what.clone())).or_insert(next);
    }
    let found = Mutex::new(Vec::new());
    let left = Mutex::new(cases.into_iter().enumerate());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().unwrap().get() {
            scope.spawn(|| {
                loop {
                    let Some((index, case)) = left.lock().unwrap().next() else { break };
                    let judge = |blame: &Blame| {
                        // Only some of all, since it takes a second verification.
                        let some = ["zero", "identity", "plus one", "first bit", "a byte less"];
                        if some.contains(&case.how) {
                            shown(&format!("{} {}", case.what, case.how), blame);
                        }
                    };
                    let run = (all, sid(SESSION));
                    let outcome = judged::<P>(id(VICTIM), run, params(), &case.frames, judge);
                    found.lock().unwrap().push((index, case.round, case.what, case.how, outcome));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|one| one.0);
    let mut out: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (_, round, what, how, outcome) in found {
        let place = order[&(round, what.clone())];
        out.entry((round, place, what)).or_default().push((outcome, how));
    }
    out
}

pub fn duo() -> Parties {
    parties([VICTIM, CULPRIT])
}

/// The table of a protocol, checked against the one in the documentation.
pub fn document(
    title: &str,
    found: Found,
    excused: impl Fn(&str, &Outcome) -> Option<&'static str>,
) {
    let mut table =
        format!("## {title}\n\n| round | field | changed to | found |\n|---|---|---|---|\n");
    for ((round, _, what), outcomes) in found {
        let mut by: Vec<(String, Vec<&str>)> = Vec::new();
        for (outcome, how) in outcomes {
            let verdict = match &outcome {
                Outcome::Blamed(at, blamed) => {
                    assert_eq!(*at, round, "{title}: {what} {how}");
                    assert_eq!(blamed.len(), 1, "{title}: {what} {how}");
                    assert_eq!(blamed[0].0, id(CULPRIT), "{title}: {what} {how}");
                    format!("`{:?}`", blamed[0].1)
                }
                other => match excused(&what, other) {
                    Some(why) => why.into(),
                    None => panic!("{title}, round {round}: {what} changed to {how}: {other:?}"),
                },
            };
            match by.iter_mut().find(|(known, _)| *known == verdict) {
                Some((_, hows)) => hows.push(how),
                None => by.push((verdict, vec![how])),
            }
        }
        for (verdict, hows) in by {
            table += &format!("| {round} | {what} | {} | {verdict} |\n", hows.join(", "));
        }
    }
    documented(title, &table);
}

pub fn no_change(_: &str, _: &Outcome) -> Option<&'static str> {
    None
}

/// A field of a message. Its place follows from those before it.
pub fn field(name: impl Into<String>, len: usize, class: Class) -> Field {
    Field { name: name.into().leak(), class, at: 0..len }
}

/// A number of a message, in big-endian bytes.
pub fn bytes(number: &Natural) -> &'static [u8] {
    number.to_be_bytes(number.bits().div_ceil(8) as usize).unwrap().leak()
}

pub fn unit(modulus: &Natural, factor: &Natural) -> Class {
    Class::Unit { modulus: bytes(modulus), factor: bytes(factor) }
}

/// Below the product of two primes.
fn below([p, q]: [SecretNatural; 2]) -> Class {
    let [p, q] = [p, q].map(|prime| prime.declassify());
    unit(&p.mul(&q), &p)
}

pub fn culprits_modulus() -> Class {
    below(fixtures::paillier_primes(FAST, 1))
}

pub fn ciphertext(place: usize) -> Class {
    let [p, q] = fixtures::paillier_primes(FAST, place).map(|prime| prime.declassify());
    let n = p.mul(&q);
    unit(&n.mul(&n), &n)
}

pub fn victims_modulus() -> Class {
    below(fixtures::paillier_primes(FAST, 0))
}

pub fn victims_setup() -> Class {
    below(fixtures::pedersen_primes(FAST, 0))
}

pub fn scalar(name: &str, of: &str) -> Field {
    field(format!("{name}{of}"), 32, Class::Scalar)
}

pub fn point(name: &str) -> Field {
    field(name, 33, Class::Point)
}

/// The response to a witness of this many bits.
pub fn integer(name: &str, of: &str, bits: u32) -> Field {
    field(format!("{name}{of}"), response(bits), Class::Integer)
}

pub fn recorded<P: Protocol>(session: u8, params: impl Fn(PartyId) -> P::Params) -> Frames {
    recorded_among::<P>(&duo(), session, params)
}

pub fn recorded_among<P: Protocol>(
    all: &Parties,
    session: u8,
    params: impl Fn(PartyId) -> P::Params,
) -> Frames {
    let (frames, results) = record::<P>(all, sid(session), params, |_, _, _| {});
    assert!(results.values().all(Result::is_ok));
    frames
}
