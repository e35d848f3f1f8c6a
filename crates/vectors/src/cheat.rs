//! A party that cheats, and the evidence of it.

use quorate::session::{Evidence, Protocol};
use quorate::{Abort, Blame, Fault, PartyId};
use quorate_curve::Curve;

use crate::json::{Json, object};
use crate::lies::{Cheat, Lie};
use crate::record::{Detail, route, sha256};
use crate::run::{Course, End, Frames, Place, Script, Trace};

/// The most bytes of evidence, as it is stored, for a file to have it in full.
const STORED: usize = 3072;

/// A third party's verdict on a blame: the fault that the evidence shows, and the evidence as it is stored.
pub(crate) type Verdict = (Option<Fault>, Option<Vec<u8>>);

/// A run in which a party may cheat, beside an honest one with the same seeds.
pub(crate) struct Stage<'s, P: Protocol> {
    /// The frames of the honest run.
    pub(crate) base: &'s Frames,
    /// The run.
    pub(crate) script: &'s dyn Fn() -> Script<P>,
    /// The details of honest parties' frames, and of the culprit's.
    pub(crate) details: [Detail<'s>; 2],
    /// The verdict of a third party.
    pub(crate) verdict: &'s dyn Fn(&Blame) -> Verdict,
}

impl<P: Protocol> Stage<'_, P> {
    /// The run with these lies.
    fn play<C: Curve>(&self, culprit: PartyId, lies: &[Lie<'_>]) -> Trace<P::Output> {
        let alter = |course: &Course, place: Place, me: PartyId, frame: &mut Vec<u8>| {
            let lie = lies.iter().find(|lie| lie.is_about(place, me, culprit))?;
            lie.edit.apply::<C>(course, frame, course.head(place.0))
        };
        (self.script)().play(Some(culprit), &alter)
    }

    /// A run in which every honest party that can know it names the culprit and nobody else.
    pub(crate) fn blamed<C: Curve>(&self, culprit: PartyId, cheat: &Cheat<'_>) -> Json {
        let trace = self.play::<C>(culprit, &cheat.lies);
        let mut evidence = Vec::new();
        for (party, end) in &trace.ends {
            let blame = match end.abort.as_ref().expect("a reason") {
                Abort::Misbehaviour(blames) if blames.len() == 1 => &blames[0],
                Abort::Unattributed { check, .. } if Some(*check) == cheat.bystanders => continue,
                other => panic!("{}: {other}", cheat.what),
            };
            let found = (blame.party, blame.fault, blame.round.get());
            assert_eq!(found, (culprit, cheat.fault, cheat.found), "{}", cheat.what);
            evidence.push(shown(&trace.course, *party, blame, (self.verdict)(blame)));
        }
        assert!(!evidence.is_empty(), "{}", cheat.what);
        self.json(&trace, (cheat.what, culprit)).and(object! { "evidence": evidence })
    }

    /// A run in which a lie ends all others' runs without a blame. Their evidence, if they have some, convicts the culprit when
    /// two of them compare it.
    pub(crate) fn unblamed<C: Curve>(
        &self,
        culprit: PartyId,
        (what, lie): (&str, Lie<'_>),
    ) -> Json {
        let trace = self.play::<C>(culprit, &[lie]);
        let (mut evidence, mut held) = (Vec::new(), Vec::new());
        for (party, end) in &trace.ends {
            let abort = end.abort.as_ref().expect("a reason");
            assert!(end.output.is_none() && abort.culprits().count() == 0, "{what}: {abort}");
            let Abort::Unattributed { evidence: Some(one), .. } = abort else { continue };
            evidence.push(object! { "by": party.get(), "frames": frames_of(&trace.course, one) });
            held.push(one);
        }
        let convicted = held.windows(2).flat_map(|pair| pair[0].equivocators(pair[1]));
        let convicted: Vec<_> = convicted.map(|(party, _)| party).collect();
        assert!(convicted.iter().all(|party| *party == culprit), "{what}");
        assert_eq!(convicted.is_empty(), held.is_empty(), "{what}");
        let equivocators = Json::list(convicted.iter().map(|party| party.get()));
        self.json(&trace, (what, culprit))
            .and(object! { "evidence": evidence, "equivocators": equivocators })
    }

    /// The run without evidence.
    fn json(&self, trace: &Trace<P::Output>, (what, culprit): (&str, PartyId)) -> Json {
        let ceremony = &trace.course.terms.ceremony;
        object! {
            "ceremony": format!("{ceremony}: {what}"),
            "kind": "cheat",
            "beside": ceremony.clone(),
            "culprits": Json::list([culprit.get()]),
            "frames": self.frames(&trace.course, culprit),
            "results": Json::list(trace.ends.iter().map(|(party, one)| end(*party, one))),
        }
    }

    /// The frames that are not those of the honest run: all of a place if there are several, and the places without any.
    fn frames(&self, course: &Course, culprit: PartyId) -> Json {
        let [honest, corrupt] = self.details;
        let mut list = Vec::new();
        for (place, frames) in &course.frames {
            let detail = if place.1 == culprit { corrupt } else { honest };
            let json = |head: Json, frame| head.and(detail.of(*place, frame));
            let asides: Vec<_> = course.asides(place).collect();
            if frames.len() + asides.len() > 1 || self.base.get(place) != Some(frames) {
                list.extend(frames.iter().map(|frame| json(at(place), frame)));
            }
            list.extend(asides.into_iter().map(|(party, frame)| {
                json(at(place).and(object! { "only_to": party.get() }), frame)
            }));
        }
        let last = course.rounds().last().copied();
        let is_absent = |place: &&Place| {
            Some(place.0) <= last && place.2 != Some(culprit) && !course.frames.contains_key(*place)
        };
        let absent = self.base.keys().filter(is_absent);
        list.extend(absent.map(|place| at(place).and(object! { "absent": true })));
        Json::List(list)
    }
}

/// The place of a frame.
fn at(place: &Place) -> Json {
    object! { "round": place.0 }.and(route(*place))
}

impl Course {
    /// The frames that single parties received at a place.
    fn asides(&self, place: &Place) -> impl Iterator<Item = (PartyId, &Vec<u8>)> {
        let all = self.asides.iter().filter(move |((other, _), _)| other == place);
        all.map(|((_, party), frame)| (*party, frame))
    }
}

/// The end of a run without a result, or without one that is confirmed.
fn end<O>(party: PartyId, end: &End<O>) -> Json {
    let head = object! { "party": party.get() }.and(match end.output {
        Some(_) => object! { "end": "unconfirmed", "result": object! {} },
        None => object! { "end": "stopped" },
    });
    head.and(match end.abort.as_ref().expect("a reason") {
        Abort::Misbehaviour(blames) => {
            object! { "reason": "Misbehaviour", "blames": Json::list(blames.iter().map(blame)) }
        }
        Abort::Unattributed { round, check, .. } => {
            object! { "reason": "Unattributed", "round": round.get(), "check": format!("{check:?}") }
        }
        Abort::Missing { round, parties, rejected } => {
            assert!(rejected.is_empty(), "nothing is rejected");
            let parties = Json::list(parties.iter().map(|party| party.get()));
            object! { "reason": "Missing", "round": round.get(), "parties": parties }
        }
        other => panic!("{other}"),
    })
}

/// A blame without its evidence.
fn blame(blame: &Blame) -> Json {
    object! {
        "party": blame.party.get(),
        "round": blame.round.get(),
        "fault": format!("{:?}", blame.fault),
    }
}

/// The evidence of a blame: which frames of the run it has, and what it shows.
fn shown(course: &Course, by: PartyId, blame: &Blame, (fault, form): Verdict) -> Json {
    let evidence = blame.evidence.as_ref().expect("evidence");
    assert!(evidence.context == course.context, "of this run");
    // Two frames of one place are enough in every protocol: `docs/spec/session.md`.
    let twice = evidence.proves_equivocation(blame.party);
    assert_eq!(twice, blame.fault == Fault::Equivocation, "two messages");
    let verdict = fault.or(twice.then_some(Fault::Equivocation));
    assert!(verdict.is_none_or(|fault| fault == blame.fault), "the third party agrees");
    let json = object! {
        "by": by.get(),
        "against": blame.party.get(),
        "fault": format!("{:?}", blame.fault),
        "round": blame.round.get(),
        "frames": frames_of(course, evidence),
        "verdict": verdict.map(|fault| format!("{fault:?}")),
    };
    json.and(match form {
        Some(form) if form.len() <= STORED => object! { "stored": Json::hex(form) },
        Some(form) => object! { "stored_length": form.len(), "stored_sha256": sha256(&form) },
        None => object! {},
    })
}

/// The frames of evidence: round, sender, recipient, and the number of the frame at this place.
fn frames_of(course: &Course, evidence: &Evidence) -> Json {
    Json::list(evidence.frames.iter().map(|(from, frame)| {
        let mut places = course.frames.iter().filter(|(place, _)| place.1 == *from);
        let found = places.find_map(|(place, frames)| {
            let mut all = frames.iter().chain(course.asides(place).map(|(_, frame)| frame));
            Some((place, all.position(|one| one[..] == frame[..])?))
        });
        let ((round, from, to), copy) = found.expect("of this run");
        let to = to.map_or(0, PartyId::get);
        Json::List(vec![(*round).into(), from.get().into(), to.into(), copy.into()])
    }))
}
