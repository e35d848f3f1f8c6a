//! Every field of every message altered in every way, one at a time: the sender is named, for what
//! it did, and nobody else. What is found makes `docs/misbehaviour.md`.

use std::collections::BTreeMap;
use std::sync::Mutex;

use quorate_bignum::{Engine, Natural};
use quorate_cggmp::{
    AuxInfoGen, EcdsaCurve, Keygen, KeygenParams, P256, Presign, Secp256k1, Sign, SignParams,
};
use quorate_paillier::fixtures;
use quorate_session::{Check, Parties, PartyId, Protocol, Transcript};

use crate::mutations::*;
use crate::replay::*;
use crate::support::*;

const VICTIM: u16 = 2;
const CULPRIT: u16 = 7;
const MODULUS: usize = 256;

/// A message: round, whether it is a broadcast, its fields.
struct Message {
    round: u8,
    broadcast: bool,
    fields: Vec<Field>,
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
fn part<'f>(frames: &'f Frames, message: &Message, index: usize) -> (&'f [u8], usize) {
    let frame = &frames[&message.place()];
    let total: usize = message.fields.iter().map(|field| field.len).sum();
    let before: usize = message.fields[..index].iter().map(|field| field.len).sum();
    let start = frame.len() - total + before;
    assert!(frame.len() - total == HEADER || frame.len() - total == HEADER + ECHO);
    (&frame[start..start + message.fields[index].len], start)
}

/// Makes a message consistent with itself again after a change.
type Mend = fn(&mut Frames);

fn cases<C: EcdsaCurve>(
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
type Found = BTreeMap<(u8, usize, String), Vec<(Outcome, &'static str)>>;

/// Plays all cases on all cores.
pub fn outcomes<P: Protocol>(cases: Vec<Case>, params: impl Fn() -> P::Params + Sync) -> Found {
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
                    let outcome = play::<P>(id(VICTIM), &all, sid(SESSION), params(), &case.frames);
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

fn duo() -> Parties {
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

fn no_change(_: &str, _: &Outcome) -> Option<&'static str> {
    None
}

fn culprits_modulus() -> Class {
    let [p, q] = fixtures::paillier_primes(FAST, 1).map(|prime| prime.declassify());
    Class::Unit(p.mul(&q), p)
}

fn ciphertext(place: usize) -> Class {
    let [p, q] = fixtures::paillier_primes(FAST, place).map(|prime| prime.declassify());
    let n = p.mul(&q);
    Class::Unit(n.mul(&n), n)
}

fn victims_modulus() -> Class {
    let [p, q] = fixtures::paillier_primes(FAST, 0).map(|prime| prime.declassify());
    Class::Unit(p.mul(&q), p)
}

fn victims_setup() -> Class {
    let [p, q] = fixtures::pedersen_primes(FAST, 0).map(|prime| prime.declassify());
    Class::Unit(p.mul(&q), p)
}

fn scalar(name: &str, of: &str) -> Field {
    field(format!("{name}{of}"), 32, Class::Scalar)
}

fn point(name: &str) -> Field {
    field(name, 33, Class::Point)
}

fn integer(name: &str, of: &str, bits: usize) -> Field {
    field(format!("{name}{of}"), 1 + (bits >> 3), Class::Integer)
}

fn enc_elg(of: &str) -> Vec<Field> {
    vec![
        scalar("e", of),
        field(format!("S{of}"), MODULUS, victims_setup()),
        integer("z1", of, 768),
        field(format!("z2{of}"), MODULUS, culprits_modulus()),
        scalar("w", of),
        integer("z3", of, 2048 + 768),
    ]
}

fn aff_g(of: &str) -> Vec<Field> {
    vec![
        scalar("e", of),
        field(format!("S{of}"), MODULUS, victims_setup()),
        field(format!("T{of}"), MODULUS, victims_setup()),
        integer("z1", of, 768),
        integer("z2", of, 1792),
        field(format!("w{of}"), MODULUS, victims_modulus()),
        field(format!("w_y{of}"), MODULUS, culprits_modulus()),
        integer("z3", of, 2048 + 768),
        integer("z4", of, 2048 + 768),
    ]
}

fn elog(of: &str) -> Vec<Field> {
    vec![scalar("e", of), scalar("z", of), scalar("u", of)]
}

fn round_one() -> Vec<Message> {
    let broadcast = [
        field("K", 512, ciphertext(1)),
        field("G", 512, ciphertext(1)),
        point("Y"),
        point("A1"),
        point("A2"),
        point("B1"),
        point("B2"),
    ];
    let direct = [enc_elg(" of Πenc-elg for K"), enc_elg(" of Πenc-elg for G")].concat();
    vec![
        Message { round: 1, broadcast: true, fields: broadcast.into() },
        Message { round: 1, broadcast: false, fields: direct },
    ]
}

fn products() -> Vec<Field> {
    vec![
        field("D", 512, ciphertext(0)),
        field("F", 512, ciphertext(1)),
        field("D̂", 512, ciphertext(0)),
        field("F̂", 512, ciphertext(1)),
    ]
}

fn round_two() -> Vec<Message> {
    let digest = |name: &str| field(format!("digest of {name}"), 32, Class::Bytes);
    let broadcast =
        [vec![point("Γ_j")], elog(" of Πelog for Γ_j"), vec![digest("D, F"), digest("D̂, F̂")]];
    let direct = [products(), aff_g(" of Πaff-g for D"), aff_g(" of Πaff-g for D̂")];
    vec![
        Message { round: 2, broadcast: true, fields: broadcast.concat() },
        Message { round: 2, broadcast: false, fields: direct.concat() },
    ]
}

fn round_three() -> Vec<Message> {
    let fields = [vec![scalar("δ_j", ""), point("S_j"), point("Δ_j")], elog(" of Πelog for Δ_j")];
    vec![Message { round: 3, broadcast: true, fields: fields.concat() }]
}

fn recorded<P: Protocol>(session: u8, params: impl Fn(PartyId) -> P::Params) -> Frames {
    let (frames, results) = record::<P>(&duo(), sid(session), params, |_, _, _| {});
    assert!(results.values().all(Result::is_ok));
    frames
}

/// The digests of round 2 for the products that are sent now.
fn mend_products(frames: &mut Frames) {
    let direct = &frames[&(id(CULPRIT), 2, false, id(VICTIM))];
    let body = &direct[HEADER + ECHO..];
    let digests: Vec<u8> = ["gamma", "share"]
        .into_iter()
        .zip(body.chunks(1024))
        .flat_map(|(factor, pair)| {
            let mut transcript = Transcript::new("quorate-cggmp presign product");
            transcript.append("context", &context(direct));
            transcript.append("factor", factor.as_bytes());
            transcript.append_u64("from", CULPRIT.into());
            transcript.append_u64("to", VICTIM.into());
            transcript.append("D", &pair[..512]);
            transcript.append("F", &pair[512..]);
            transcript.finish32()
        })
        .collect();
    let broadcast = frames.get_mut(&(id(CULPRIT), 2, true, id(VICTIM))).unwrap();
    let start = broadcast.len() - 64;
    broadcast[start..].copy_from_slice(&digests);
}

/// Where δ or S alone is wrong, the sums are, and a red alert finds who it was.
fn alerted(what: &str, outcome: &Outcome) -> Option<&'static str> {
    let sums = what == "δ_j" || what == "S_j";
    (sums && *outcome == Outcome::Waiting(4)).then_some("red alert")
}

fn keygen_messages() -> Vec<Message> {
    let bytes = |name: &str| field(name, 32, Class::Bytes);
    let message = |round, broadcast, fields| Message { round, broadcast, fields };
    let reveal = ["rid", "chain code", "u"].map(bytes).into_iter();
    let reveal = reveal.chain(["A", "F_0", "F_1"].map(point)).collect();
    vec![
        message(1, true, vec![bytes("V")]),
        message(2, true, reveal),
        message(2, false, vec![scalar("share", "")]),
        message(3, true, vec![scalar("z of Πsch", "")]),
        message(4, true, vec![bytes("confirmation")]),
    ]
}

fn confirmed(what: &str, outcome: &Outcome) -> Option<&'static str> {
    let mismatch = Outcome::Unattributed(Check::ConfirmMismatch);
    (what == "confirmation" && *outcome == mismatch)
        .then_some("nobody: one of the two lies, or was lied to")
}

#[test]
fn key_generation() {
    let params = |_| KeygenParams::<Secp256k1>::new(2);
    let [frames, other] = [SESSION, 61].map(|session| recorded::<Keygen<_>>(session, params));
    let mut cases = cases::<Secp256k1>(&keygen_messages(), (&frames, &other), None);
    for case in cases.iter_mut().filter(|case| case.what == "V") {
        mend_echo(&mut case.frames);
        case.round = 2;
    }
    let found = outcomes::<Keygen<Secp256k1>>(cases, || KeygenParams::new(2));
    document("Key generation", found, confirmed);
}

#[test]
fn presigning() {
    let group = Group::<Secp256k1>::new(2);
    let [frames, other] =
        [SESSION, 61].map(|session| recorded::<Presign<_>>(session, |party| group.params(party)));
    let messages: Vec<_> =
        round_one().into_iter().chain(round_two()).chain(round_three()).collect();
    let cases = cases::<Secp256k1>(&messages, (&frames, &other), None);
    let found = outcomes::<Presign<Secp256k1>>(cases, || group.params(id(VICTIM)));
    document("Presigning", found, alerted);
}

/// The products again, with digests that fit.
#[test]
fn presigning_consistently() {
    let group = Group::<Secp256k1>::new(2);
    let [frames, other] =
        [SESSION, 61].map(|session| recorded::<Presign<_>>(session, |party| group.params(party)));
    let mut message = round_two().remove(1);
    let rest = message.fields.split_off(4);
    message.fields.push(field("rest", rest.iter().map(|field| field.len).sum(), Class::Bytes));
    let mut cases = cases::<Secp256k1>(&[message], (&frames, &other), Some(mend_products));
    cases.retain(|case| case.what != "rest");
    let found = outcomes::<Presign<Secp256k1>>(cases, || group.params(id(VICTIM)));
    document("Presigning, with digests to match", found, no_change);
}

/// Points and scalars of the other curve.
#[test]
fn presigning_p256() {
    let group = Group::<P256>::new(2);
    let [frames, other] =
        [SESSION, 61].map(|session| recorded::<Presign<_>>(session, |party| group.params(party)));
    let messages: Vec<_> =
        round_one().into_iter().chain(round_two()).chain(round_three()).collect();
    let mut cases = cases::<P256>(&messages, (&frames, &other), None);
    let short = |case: &Case| case.what.len() <= 4 && !["K", "G", "D", "F"].contains(&&*case.what);
    cases.retain(short);
    let found = outcomes::<Presign<P256>>(cases, || group.params(id(VICTIM)));
    for ((round, _, what), outcomes) in found {
        for (outcome, how) in outcomes {
            let named = matches!(&outcome, Outcome::Blamed(_, list) if list[0].0 == id(CULPRIT));
            assert!(named || alerted(&what, &outcome).is_some(), "{round} {what} {how}");
        }
    }
}

#[test]
fn signing() {
    let group = Group::<Secp256k1>::new(2);
    let params = |party| SignParams::new(group.params(party), digest::<Secp256k1>(b"message"));
    let [frames, other] = [SESSION, 61].map(|session| recorded::<Sign<_>>(session, params));
    let broadcast = Message { round: 4, broadcast: true, fields: vec![scalar("σ_j", "")] };
    let cases = cases::<Secp256k1>(&[broadcast], (&frames, &other), None);
    let found = outcomes::<Sign<Secp256k1>>(cases, || params(id(VICTIM)));
    document("Signing", found, no_change);
}

/// The fields of a reveal. Of the 128 responses of Πprm two.
fn reveal() -> Message {
    let [p, q] = fixtures::pedersen_primes(FAST, 1).map(|prime| prime.declassify());
    let n = p.mul(&q);
    let number = |name: &str| field(name, MODULUS, Class::Number);
    let base = |name: &str| field(name, MODULUS, Class::Unit(n.clone(), p.clone()));
    let mut fields = vec![field("rid", 32, Class::Bytes), field("u", 32, Class::Bytes)];
    fields.extend([number("N"), number("N̂"), base("s"), base("t")]);
    fields.push(field("e of Πprm", 16, Class::Bytes));
    fields.extend(some("z", " of Πprm", &Class::Exponent(n.clone())));
    Message { round: 2, broadcast: true, fields }
}

/// The first and the last of 128 numbers, and what is between them.
fn some(name: &str, of: &str, class: &Class) -> Vec<Field> {
    let one = |at: &str| field(format!("{name}[{at}]{of}"), MODULUS, class.clone());
    vec![one("0"), field("", MODULUS * 126, Class::Bytes), one("127")]
}

fn third_round() -> Vec<Message> {
    let unit = culprits_modulus();
    let mut fields =
        vec![field("w of Πmod", MODULUS, unit.clone()), field("flags of Πmod", 32, Class::Bytes)];
    fields.extend(some("x", " of Πmod", &unit));
    fields.extend(some("z", " of Πmod", &unit));
    let of = " of Πfac";
    let direct = vec![
        field(format!("e{of}"), 32, Class::Bytes),
        field(format!("P{of}"), MODULUS, victims_setup()),
        field(format!("Q{of}"), MODULUS, victims_setup()),
        integer("z1", of, 1024 + 768),
        integer("z2", of, 1024 + 768),
        integer("w1", of, 2048 + 768),
        integer("w2", of, 2048 + 768),
        integer("v", of, 4096 + 768),
    ];
    vec![
        Message { round: 3, broadcast: true, fields },
        Message { round: 3, broadcast: false, fields: direct },
    ]
}

/// A commitment to the reveal that is sent now.
fn mend_reveal(frames: &mut Frames) {
    let revealed = &frames[&(id(CULPRIT), 2, true, id(VICTIM))];
    let mut transcript = Transcript::new("quorate-cggmp aux-info commitment");
    transcript.append("context", &context(revealed));
    transcript.append_u64("party", CULPRIT.into());
    transcript.append("reveal", &revealed[HEADER + ECHO..]);
    let digest = transcript.finish32();
    for to in duo().iter().filter(|to| *to != id(CULPRIT)) {
        let frame = frames.get_mut(&(id(CULPRIT), 1, true, to)).unwrap();
        frame[HEADER..].copy_from_slice(&digest);
    }
    mend_echo(frames);
}

/// The echo of round 1 that goes with the commitments that are sent now.
fn mend_echo(frames: &mut Frames) {
    let revealed = &frames[&(id(CULPRIT), 2, true, id(VICTIM))];
    let context = context(revealed);
    let bodies = [VICTIM, CULPRIT].map(|from| {
        let to = if from == VICTIM { CULPRIT } else { VICTIM };
        frames[&(id(from), 1, true, id(to))][HEADER..].to_vec()
    });
    let bodies: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
    let echo = echo(1, &bodies, &context);
    for (place, frame) in frames.iter_mut() {
        if place.0 == id(CULPRIT) && place.1 == 2 {
            frame[HEADER..HEADER + ECHO].copy_from_slice(&echo);
        }
    }
}

fn aux_of(party: PartyId) -> quorate_cggmp::AuxInfoParams {
    // Tables would take longer than they save.
    let place = usize::from(party == id(CULPRIT));
    aux_params(Engine::detect(), FAST, place).with_table_bytes(0)
}

/// Another run, of the culprit with other primes: all of its numbers are others.
fn aux_frames() -> [Frames; 2] {
    let one = recorded::<AuxInfoGen>(SESSION, aux_of);
    let other = recorded::<AuxInfoGen>(61, |party| {
        let place = if party == id(CULPRIT) { 2 } else { 0 };
        aux_params(Engine::detect(), FAST, place).with_table_bytes(0)
    });
    [one, other]
}

#[test]
fn aux_info() {
    let [frames, other] = aux_frames();
    let mut messages =
        vec![Message { round: 1, broadcast: true, fields: vec![field("V", 32, Class::Bytes)] }];
    messages.extend(third_round());
    messages.push(Message {
        round: 4,
        broadcast: true,
        fields: vec![field("confirmation", 32, Class::Bytes)],
    });
    let mut cases = cases::<Secp256k1>(&messages, (&frames, &other), None);
    cases.retain(|case| !case.what.is_empty());
    for case in cases.iter_mut().filter(|case| case.what == "V") {
        mend_echo(&mut case.frames);
        case.round = 2;
    }
    let found = outcomes::<AuxInfoGen>(cases, || aux_of(id(VICTIM)));
    document("Auxiliary information", found, confirmed);
}

#[test]
fn aux_info_consistently() {
    let [frames, other] = aux_frames();
    let mut cases = cases::<Secp256k1>(&[reveal()], (&frames, &other), Some(mend_reveal));
    // What is its own choice: random strings, and a modulus that is proved in the next round.
    let chosen = |case: &Case| {
        ["rid", "u"].contains(&&*case.what)
            || (&*case.what, case.how) == ("N", "of another session")
    };
    cases.retain(|case| !case.what.is_empty() && !chosen(case));
    let found = outcomes::<AuxInfoGen>(cases, || aux_of(id(VICTIM)));
    document("Auxiliary information, with a commitment to match", found, no_change);
}

/// Moduli of a wrong form, committed to.
#[test]
fn moduli() {
    let [frames, _] = aux_frames();
    let message = reveal();
    let victim = secrets(FAST, 0);
    let own = [
        victim.encryption_key().modulus().value().clone(),
        victim.pedersen().modulus().value().clone(),
    ];
    let small = |value: u64| Natural::from(value);
    let mut cases = Vec::new();
    for index in [2, 3] {
        let (now, start) = part(&frames, &message, index);
        let now = Natural::from_be_bytes(now);
        let half = now.shr(1);
        let square = half.shr(1023).mul(&small(1));
        let values: Vec<(&'static str, Natural)> = vec![
            ("one", small(1)),
            ("even", now.add(&small(1))),
            ("a bit short", half.add(&small(if half.is_odd() { 0 } else { 1 }))),
            ("the victim's N", own[0].clone()),
            ("the victim's N̂", own[1].clone()),
            ("tiny", square),
        ];
        for (how, value) in values {
            let mut frames = frames.clone();
            let frame = frames.get_mut(&message.place()).unwrap();
            frame[start..start + MODULUS].copy_from_slice(&value.to_be_bytes(MODULUS).unwrap());
            mend_reveal(&mut frames);
            cases.push(Case { round: 2, what: message.fields[index].name.clone(), how, frames });
        }
        // The other modulus of the culprit itself.
        let mut frames = frames.clone();
        let theirs = part(&frames, &message, 5 - index).0.to_vec();
        let frame = frames.get_mut(&message.place()).unwrap();
        frame[start..start + MODULUS].copy_from_slice(&theirs);
        mend_reveal(&mut frames);
        let what = message.fields[index].name.clone();
        cases.push(Case { round: 2, what, how: "its other modulus", frames });
    }
    let found = outcomes::<AuxInfoGen>(cases, || aux_of(id(VICTIM)));
    document("Moduli, with a commitment to match", found, no_change);
}
