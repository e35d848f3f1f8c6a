//! An honest run as JSON.

use std::collections::BTreeMap;

use quorate::PartyId;
use quorate::session::frame::HEADER;
use quorate::session::{BodyDigest, Transcript};
use sha2::{Digest, Sha256};

use crate::json::{Json, object};
use crate::run::{Course, Frames, Place, Started, Trace};

/// How much of a message a file has.
#[derive(Clone, Copy)]
pub(crate) enum Detail<'f> {
    /// The whole message.
    Full,
    /// The length and the SHA-256.
    Hashes,
    /// Length, SHA-256, and the differences from the message at the same place in another run, which a file has in full.
    /// Differences in more bytes than this are left out.
    Beside(&'f Frames, usize),
}

/// The part of a party's result that a file has.
pub(crate) struct Outcome {
    /// The public part, which all parties share.
    pub(crate) public: Option<Vec<u8>>,
    /// The rest, as members.
    pub(crate) own: Json,
}

/// A result without a public part.
pub(crate) fn own(own: Json) -> Outcome {
    Outcome { public: None, own }
}

/// SHA-256 of bytes.
pub(crate) fn sha256(bytes: &[u8]) -> Json {
    Json::hex(Sha256::digest(bytes))
}

impl Detail<'_> {
    /// A message at its place.
    pub(crate) fn of(self, place: Place, bytes: &[u8]) -> Json {
        let brief = object! { "length": bytes.len(), "sha256": sha256(bytes) };
        match self {
            Self::Full => object! { "bytes": bytes },
            Self::Hashes => brief,
            Self::Beside(frames, most) => match frames.get(&place) {
                Some(other) if differing(&other[0], bytes) <= most => {
                    brief.and(object! { "splices": splices(&other[0], bytes) })
                }
                None if bytes.len() <= most => object! { "bytes": bytes },
                _ => brief,
            },
        }
    }
}

/// The number of bytes in which a string differs from another one.
fn differing(from: &[u8], to: &[u8]) -> usize {
    let both = from.iter().zip(to);
    both.filter(|(one, other)| one != other).count() + to.len().saturating_sub(from.len())
}

/// The bytes to remove and to insert, from the front on, so that one string becomes another. All places are those of the
/// first string.
fn splices(from: &[u8], to: &[u8]) -> Json {
    let both = from.len().min(to.len());
    // Differences with fewer than eight equal bytes between them are one.
    let goes_on = |at: &usize| (*at..both.min(at + 8)).any(|at| from[at] != to[at]);
    let mut list = Vec::new();
    let mut splice = |at: usize, remove: usize, insert: &[u8]| {
        list.push(object! { "at": at, "remove": remove, "insert": insert });
    };
    let mut at = 0;
    while let Some(start) = (at..both).find(|at| from[*at] != to[*at]) {
        at = start + (start..both).take_while(goes_on).count();
        splice(start, at - start, &to[start..at]);
    }
    if from.len() != to.len() {
        splice(both, from.len() - both, &to[both..]);
    }
    Json::List(list)
}

/// Sender and recipient of a frame; 0 for everybody.
pub(crate) fn route((_, from, to): Place) -> Json {
    object! { "from": from.get(), "to": to.map_or(0, PartyId::get) }
}

impl<O> Trace<O> {
    /// The run as a ceremony. `result` is what a file has of a party's result.
    pub(crate) fn json(&self, detail: Detail<'_>, result: impl Fn(&O) -> Outcome) -> Json {
        let Course { terms, protocol: (name, code), context, players, .. } = &self.course;
        let (mut public, mut results) = (None, Vec::new());
        for (party, end) in &self.ends {
            let one = result(end.output.as_ref().expect("an honest run"));
            assert!(*public.get_or_insert_with(|| one.public.clone()) == one.public, "one for all");
            results.push(object! {
                "party": party.get(),
                "end": "done",
                "result": one.own,
                "tombstone": Json::hex(&end.tombstone),
            });
        }
        let first = &self.course.frames.values().next().expect("a frame")[0];
        object! {
            "ceremony": terms.ceremony.clone(),
            "kind": "session",
            "protocol": *name,
            "code": *code,
            "session_id": Json::hex(terms.sid.as_bytes()),
            "parties": Json::list(terms.parties.iter().map(PartyId::get)),
            "bound": terms.json(),
            "common": terms.common.clone(),
            "context": Json::hex(context),
            "prefix": Json::hex(&first[HEADER..self.course.head(1)]),
            "players": Json::list(players.iter().map(player)),
            "rounds": self.course.rounds_json(detail),
            "public_result": public.flatten().map(Json::hex),
            "results": results,
        }
    }
}

fn player((party, started): (&PartyId, &Started)) -> Json {
    object! {
        "party": party.get(),
        "fresh": Json::hex(started.fresh),
        "seed": Json::hex(started.seed),
    }
    .and(started.inputs.clone())
}

impl Course {
    fn rounds_json(&self, detail: Detail<'_>) -> Json {
        let mut received: BTreeMap<_, _> =
            self.players.keys().map(|party| (*party, [0; 32])).collect();
        let mut round = |number: u8| {
            let frames =
                self.of(number).map(|(place, frame)| route(*place).and(detail.of(*place, frame)));
            let frames = Json::list(frames);
            let digests = received.iter_mut().map(|(party, digest)| {
                *digest = self.received(digest, number, *party);
                object! { "party": party.get(), "digest": Json::hex(digest) }
            });
            object! {
                "round": number,
                "frames": frames,
                "received": Json::list(digests),
                "echo": self.echo(number),
            }
        };
        Json::list(self.rounds().into_iter().map(&mut round))
    }

    /// The frames of a round, by ascending sender, a broadcast first.
    fn of(&self, round: u8) -> impl Iterator<Item = (&Place, &[u8])> {
        let all = self.frames.iter().map(|(place, frames)| (place, frames[0].as_slice()));
        all.filter(move |(place, _)| place.0 == round)
    }

    /// The digest of the frames that a party received in a round, from that of the round before.
    fn received(&self, before: &[u8; 32], round: u8, me: PartyId) -> [u8; 32] {
        let to_me = |(_, from, to): Place| from != me && to.is_none_or(|to| to == me);
        let frames = self.of(round).filter(|(place, _)| to_me(**place));
        let (headers, bodies): (Vec<_>, Vec<_>) =
            frames.map(|(_, frame)| frame.split_at(self.head(round))).unzip();
        let mut transcript = Transcript::new("received");
        transcript.append("before", before);
        transcript.append_list("headers", headers);
        transcript.append_list("bodies", bodies.into_iter().map(BodyDigest::of));
        transcript.finish32()
    }

    /// The echo of a round, if frames of the next one carry it.
    fn echo(&self, round: u8) -> Option<Json> {
        let (_, frame) = self.of(round + 1).next()?;
        let echo = &frame[HEADER..self.head(round + 1)];
        (!echo.is_empty()).then(|| Json::hex(echo))
    }
}
