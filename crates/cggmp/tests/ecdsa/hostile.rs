//! Every field of every message altered in every way, one at a time: the sender is named, for what
//! it did, and nobody else. What is found makes `docs/misbehaviour.md`.

mod keys;
mod signing;

use std::collections::BTreeMap;
use std::sync::Mutex;

use quorate_bignum::Engine;
use quorate_cggmp::evidence::PublicRun;
use quorate_cggmp::{EcdsaCurve, Evidence};
use quorate_paillier::fixtures;
use quorate_session::{Blame, Parties, PartyId, Protocol};

use crate::mutations::*;
use crate::replay::*;
use crate::support::*;

pub const VICTIM: u16 = 2;
pub const CULPRIT: u16 = 7;
pub const MODULUS: usize = 256;

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
    let total: usize = message.fields.iter().map(|field| field.len).sum();
    let before: usize = message.fields[..index].iter().map(|field| field.len).sum();
    let start = frame.len() - total + before;
    assert_eq!(frame.len() - total, HEADER + ECHO);
    (&frame[start..start + message.fields[index].len], start)
}

/// Makes a message consistent with itself again after a change.
pub type Mend = fn(&mut Frames);

pub fn cases<C: EcdsaCurve>(
    messages: &[Message],
    (frames, other): (&Frames, &Frames),
    mend: Option<Mend>,
) -> Vec<Case> {
    let mut out = Vec::new();
    for message in messages {
        for (index, field) in message.fields.iter().enumerate() {
            let (now, start) = part(frames, message, index);
            let (theirs, _) = part(other, message, index);
            for (how, bytes) in changes::<C>(&field.class, now, theirs) {
                let mut frames = frames.clone();
                let frame = frames.get_mut(&message.place()).unwrap();
                frame[start..start + field.len].copy_from_slice(&bytes);
                if let Some(mend) = mend {
                    mend(&mut frames);
                }
                out.push(Case { round: message.round, what: field.name.clone(), how, frames });
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
    let all = duo();
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
                        // Some of all; it takes a second verification.
                        let some = ["zero", "identity", "plus one", "first bit", "a byte less"];
                        if let Some(run) = public
                            && some.contains(&case.how)
                        {
                            let evidence = Evidence::from_blame(blame).unwrap();
                            let shown = evidence.verify(&Engine::detect(), run);
                            assert_eq!(shown, Ok(blame.fault), "{} {}", case.what, case.how);
                        }
                    };
                    let run = (&all, sid(SESSION));
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
    parties(&[VICTIM, CULPRIT])
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
    known(title, &table);
}

/// Holds a table to the documentation. To write it anew, set `QUORATE_BLESS` to a folder.
pub fn known(title: &str, table: &str) {
    if let Ok(folder) = std::env::var("QUORATE_BLESS") {
        std::fs::write(format!("{folder}/{title}.md"), table).unwrap();
        return;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/misbehaviour.md");
    let known = std::fs::read_to_string(path).unwrap();
    assert!(known.contains(table), "docs/misbehaviour.md is out of date:\n{table}");
}

pub fn no_change(_: &str, _: &Outcome) -> Option<&'static str> {
    None
}

pub fn culprits_modulus() -> Class {
    let [p, q] = fixtures::paillier_primes(FAST, 1).map(|prime| prime.declassify());
    Class::Unit(p.mul(&q), p)
}

pub fn ciphertext(place: usize) -> Class {
    let [p, q] = fixtures::paillier_primes(FAST, place).map(|prime| prime.declassify());
    let n = p.mul(&q);
    Class::Unit(n.mul(&n), n)
}

pub fn victims_modulus() -> Class {
    let [p, q] = fixtures::paillier_primes(FAST, 0).map(|prime| prime.declassify());
    Class::Unit(p.mul(&q), p)
}

pub fn victims_setup() -> Class {
    let [p, q] = fixtures::pedersen_primes(FAST, 0).map(|prime| prime.declassify());
    Class::Unit(p.mul(&q), p)
}

pub fn scalar(name: &str, of: &str) -> Field {
    field(format!("{name}{of}"), 32, Class::Scalar)
}

pub fn point(name: &str) -> Field {
    field(name, 33, Class::Point)
}

pub fn integer(name: &str, of: &str, bits: usize) -> Field {
    field(format!("{name}{of}"), 1 + (bits >> 3), Class::Integer)
}

pub fn recorded<P: Protocol>(session: u8, params: impl Fn(PartyId) -> P::Params) -> Frames {
    let (frames, results) = record::<P>(&duo(), sid(session), params, |_, _, _| {});
    assert!(results.values().all(Result::is_ok));
    frames
}
