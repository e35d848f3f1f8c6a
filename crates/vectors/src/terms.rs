//! The terms of a run. The digest of them is written down from `docs/spec/session.md`, and compared with the library's.

use quorate::keys::{Committee, PackageId};
use quorate::session::Transcript;
use quorate::{Parties, PartyId, SessionId};

use crate::json::{Json, object};
use crate::seeds::Seeds;

/// An item that a protocol binds.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// A string of bytes.
    Bytes(&'static str, Vec<u8>),
    /// A string of bytes that is text.
    Text(&'static str, String),
    /// A number.
    Number(&'static str, u64),
    /// A list of strings of bytes.
    List(&'static str, Vec<Vec<u8>>),
}

impl Item {
    fn append(&self, transcript: &mut Transcript) {
        match self {
            Self::Bytes(label, bytes) => transcript.append(label, bytes),
            Self::Text(label, text) => transcript.append(label, text.as_bytes()),
            Self::Number(label, number) => transcript.append_u64(label, *number),
            Self::List(label, items) => transcript.append_list(label, items),
        }
    }

    fn json(&self) -> Json {
        match self {
            Self::Bytes(label, bytes) => object! { "label": *label, "bytes": Json::hex(bytes) },
            Self::Text(label, text) => object! { "label": *label, "text": text.clone() },
            Self::Number(label, number) => object! { "label": *label, "number": *number },
            Self::List(label, items) => {
                object! { "label": *label, "list": Json::list(items.iter().map(Json::hex)) }
            }
        }
    }
}

/// The numbers of parties as a list of strings of two bytes.
pub(crate) fn numbers(parties: &Parties) -> Vec<Vec<u8>> {
    parties.iter().map(|party| party.get().to_be_bytes().to_vec()).collect()
}

/// The items of a package id.
pub(crate) fn package(family: &str, id: PackageId) -> Vec<Item> {
    vec![
        Item::Text("family", family.to_owned()),
        Item::Bytes("key", id.key_id().to_vec()),
        Item::Number("epoch", id.epoch().into()),
        Item::Bytes("package", id.digest().to_vec()),
    ]
}

/// A committee: threshold, number of parties, parties.
pub(crate) fn committee(of: &Committee) -> Vec<u8> {
    let (parties, threshold) = (of.parties(), of.threshold());
    let head = [threshold, parties.count()].map(u16::to_be_bytes).concat();
    [head, numbers(parties).concat()].concat()
}

/// The terms on which the parties of a run agree.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    /// The name of the ceremony in its file.
    pub(crate) ceremony: String,
    /// The session id.
    pub(crate) sid: SessionId,
    /// The parties of the run.
    pub(crate) parties: Parties,
    /// The items that the protocol binds.
    pub(crate) bound: Vec<Item>,
    /// Inputs that all parties have, as members.
    pub(crate) common: Json,
}

impl Terms {
    /// The terms of a ceremony between these parties, whose protocol binds these items.
    pub(crate) fn new(
        ceremony: &str,
        seeds: &Seeds<'_>,
        parties: Parties,
        bound: Vec<Item>,
    ) -> Self {
        let (ceremony, sid) = (ceremony.to_owned(), seeds.session_id(ceremony));
        Self { ceremony, sid, parties, bound, common: object! {} }
    }

    /// These terms with inputs that all parties have.
    pub(crate) fn with(self, common: Json) -> Self {
        Self { common, ..self }
    }

    /// The context of the run.
    pub(crate) fn context(&self, protocol: &str, code: u8) -> [u8; 32] {
        let mut transcript = Transcript::new("session");
        transcript.append("protocol", protocol.as_bytes());
        transcript.append_u64("code", code.into());
        transcript.append_u64("version", 1);
        transcript.append("session id", self.sid.as_bytes());
        transcript.append_list("parties", numbers(&self.parties));
        self.bound.iter().for_each(|item| item.append(&mut transcript));
        transcript.finish32()
    }

    /// The items that the protocol binds after session id and parties.
    pub(crate) fn json(&self) -> Json {
        Json::list(self.bound.iter().map(Item::json))
    }
}

/// The seed of a party's session.
pub(crate) fn seed(
    context: &[u8; 32],
    party: PartyId,
    fresh: &[u8; 32],
    hedge: Option<&[u8]>,
) -> [u8; 32] {
    let mut transcript = Transcript::new("seed");
    transcript.append("context", context);
    transcript.append_u64("party", party.get().into());
    transcript.append("fresh", fresh);
    transcript.append_list("hedge", hedge);
    transcript.finish32()
}
