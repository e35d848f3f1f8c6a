//! What nodes and gateways say to each other, as bytes.
//!
//! A message is `version (1) ‖ kind (1) ‖ fields`; fields of no fixed length have their length (4) before them. Whoever sent
//! it is the bus's word and stands in no message. Reading is strict: nothing is skipped, nothing is left over, and nothing
//! is longer than its bound.

mod fields;
mod history;
pub mod holding;
mod stated;

use quorate::runner::Job;
use quorate::session::wire::{ReadError, Reader};
use quorate::{Parties, PartyId, SessionId};

use self::fields::{array_list, long, parties, put_long, put_parties, put_text, text};
pub use self::history::{Challenge, Mark, Witness};
use self::history::{put_mark, put_witness, read_mark, read_witness};
pub use self::holding::{Holding, Stands};
pub use self::stated::Stated;
use crate::bus::{Ack, Delivery, Peer};
use crate::orders::{Kind, Order};
use crate::records::Answer;
use crate::request::{KeyId, SignedRequest};

/// The version of the messages. Whoever reads another one refuses it by name.
pub const VERSION: u8 = 1;
/// The longest message, in bytes.
pub const LONGEST: usize = 16 << 20;
/// The longest text.
const LONGEST_TEXT: usize = 4096;
/// The longest answer to an order, and the longest order.
const LONGEST_BODY: usize = 4 << 20;
/// The longest list of nonces.
const LONGEST_NONCES: usize = 4 << 20;
/// The longest share of a signature.
const LONGEST_SHARE: usize = 1024;

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// A packet of a runner, from node to node.
    Packet(Vec<u8>),
    /// A job for the runners, from a gateway.
    Order(Order),
    /// The answer to a job, from a node.
    Answer(SessionId, Answer),
    /// An order to sign, from a gateway.
    Sign(Box<SignOrder>),
    /// The answer to an order to sign, by the order's name.
    Share([u8; 32], Shared),
    /// Make so many more pairs of nonces for a key: the number is the order's own, and counts once.
    Replenish(Replenish),
    /// Commitments to pairs of nonces that a node has made for a key: the answer to [`Message::Replenish`] of this number.
    Nonces(Nonces),
    /// How a node is configured, for the operators of the others.
    Greeting(String),
    /// A sign of life of a node.
    Beat(Beat),
    /// What a node knows of another node's history, to that node: the answer to its sign of life.
    Witness(Witness),
    /// Something that an operator should know.
    Notice(String),
    /// A job is under way at a node, to the gateway that has ordered it.
    Begun(SessionId),
    /// The question what a node holds of keys, from a gateway or another node.
    Tell,
    /// What a node holds of keys, to whoever has asked.
    Holds(Vec<Holding>),
    /// A node's statements of its keys, to a gateway that has asked what it holds.
    Stated(Stated),
}

/// An order to sign one request with what was made before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignOrder {
    /// The request.
    pub request: SignedRequest,
    /// What is spent on it.
    pub material: Material,
}

/// What is spent on a signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Material {
    /// The name of a presignature.
    Presignature([u8; 32]),
    /// The commitments D ‖ E of each signer, in ascending order of signers.
    Commitments(Vec<(PartyId, [u8; 64])>),
}

/// The most signers of an order.
pub const MOST_SIGNERS: usize = 64;

/// The answer to an order to sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shared {
    /// The share of the signature.
    Share(Vec<u8>),
    /// There is none and there will be none for this order: the reason.
    Never(String),
    /// The node does not hold what was to be spent, or has spent it on something else: there will be none for this order.
    Gone(String),
    /// Not yet: the order may be given again.
    NotYet(String),
}

/// An order for nonces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replenish {
    /// The key.
    pub key: KeyId,
    /// The number of the order among those of this gateway for this key and node, below 2^40: the same one is answered the
    /// same.
    pub number: u64,
    /// The number of pairs.
    pub count: u16,
    /// What was made for this gateway's orders below this number is used up.
    pub done: u64,
    /// The epoch of the shares that they are to be of; a node that has none of it takes its latest.
    pub epoch: u32,
}

/// Nonces that were made for an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nonces {
    /// The key.
    pub key: KeyId,
    /// The number of the order.
    pub number: u64,
    /// The list in its sent form, or nothing if they are lost.
    pub published: Vec<u8>,
}

/// A sign of life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beat {
    /// The end of the node's history.
    pub mark: Mark,
    /// What those who witness that history are to answer.
    pub challenge: Challenge,
    /// The reason why it refuses to sign, if it does.
    pub refuses: Option<String>,
    /// The number of open runs.
    pub runs: u32,
    /// The [digest](holding::digest) of what the node holds of keys.
    pub holds: [u8; 32],
}

impl SignOrder {
    /// The name of the order: a digest of all of it.
    #[must_use]
    pub fn id(&self) -> [u8; 32] {
        let mut transcript = quorate::session::Transcript::new("custody order to sign");
        transcript.append("order", &self.fields());
        transcript.finish32()
    }

    fn fields(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_long(&mut out, &self.request.to_bytes());
        match &self.material {
            Material::Presignature(name) => {
                out.push(1);
                out.extend_from_slice(name);
            }
            Material::Commitments(list) => {
                out.push(2);
                out.extend_from_slice(&u16::try_from(list.len()).unwrap_or(0).to_be_bytes());
                for (party, commitments) in list {
                    out.extend_from_slice(&party.get().to_be_bytes());
                    out.extend_from_slice(commitments);
                }
            }
        }
        out
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let request =
            SignedRequest::from_bytes(long(reader, crate::request::LONGEST_MESSAGE + 512)?);
        let request = request.ok_or(Unreadable)?;
        let material = match reader.u8()? {
            1 => Material::Presignature(reader.array()?),
            2 => {
                let list = array_list(reader, MOST_SIGNERS)?;
                if !list.is_sorted_by(|(one, _), (next, _)| one < next) {
                    return Err(Unreadable);
                }
                Material::Commitments(list)
            }
            _ => return Err(Unreadable),
        };
        Ok(Self { request, material })
    }

    /// The order in bytes, for a table.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        Message::Sign(Box::new(self.clone())).to_bytes()
    }
}

/// Reads the messages of a delivery, and gives them with their sender and the delivery's acknowledgement. One that has
/// something else in it is refused as a whole.
pub fn read_delivery(delivery: Delivery, came: &mut Vec<(Peer, Message)>) -> Option<Ack> {
    let Delivery { from, messages, ack, .. } = delivery;
    let read: Result<Vec<_>, _> = messages.iter().map(|bytes| Message::from_bytes(bytes)).collect();
    match read {
        Ok(messages) => {
            came.extend(messages.into_iter().map(|message| (from, message)));
            Some(ack)
        }
        Err(why) => {
            ack.refuse(why.to_string());
            None
        }
    }
}

/// Bytes that are no message of this version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unreadable;

impl core::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("not a message of this version")
    }
}

impl core::error::Error for Unreadable {}

impl From<ReadError> for Unreadable {
    fn from(_: ReadError) -> Self {
        Self
    }
}

impl Message {
    /// The message in bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![VERSION, self.kind()];
        match self {
            Self::Packet(bytes) => put_long(&mut out, bytes),
            Self::Order(order) => put_order(&mut out, order),
            Self::Answer(sid, answer) => {
                out.extend_from_slice(sid.as_bytes());
                out.push(u8::from(answer.is_err()));
                match answer {
                    Ok(result) => put_long(&mut out, result),
                    Err(why) => put_text(&mut out, why, LONGEST_TEXT),
                }
            }
            Self::Sign(order) => out.extend_from_slice(&order.fields()),
            Self::Share(order, share) => {
                out.extend_from_slice(order);
                put_share(&mut out, share);
            }
            Self::Replenish(Replenish { key, number, count, done, epoch }) => {
                out.extend_from_slice(&key.0);
                out.extend_from_slice(&number.to_be_bytes());
                out.extend_from_slice(&count.to_be_bytes());
                out.extend_from_slice(&done.to_be_bytes());
                out.extend_from_slice(&epoch.to_be_bytes());
            }
            Self::Nonces(Nonces { key, number, published }) => {
                out.extend_from_slice(&key.0);
                out.extend_from_slice(&number.to_be_bytes());
                put_long(&mut out, published);
            }
            Self::Greeting(said) | Self::Notice(said) => put_text(&mut out, said, LONGEST_TEXT),
            Self::Beat(Beat { mark, challenge, refuses, runs, holds }) => {
                put_mark(&mut out, mark);
                out.extend_from_slice(challenge);
                out.extend_from_slice(&runs.to_be_bytes());
                out.extend_from_slice(holds);
                out.push(u8::from(refuses.is_some()));
                put_text(&mut out, refuses.as_deref().unwrap_or_default(), LONGEST_TEXT);
            }
            Self::Witness(witness) => put_witness(&mut out, witness),
            Self::Begun(sid) => out.extend_from_slice(sid.as_bytes()),
            Self::Tell => {}
            Self::Holds(list) => holding::put_list(&mut out, list),
            Self::Stated(stated) => stated::put(&mut out, stated),
        }
        out
    }

    /// Reads a message.
    ///
    /// # Errors
    /// [`Unreadable`], whatever is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Unreadable> {
        if bytes.len() > LONGEST {
            return Err(Unreadable);
        }
        let mut reader = Reader::new(bytes);
        if reader.u8()? != VERSION {
            return Err(Unreadable);
        }
        let message = Self::read(reader.u8()?, &mut reader)?;
        if reader.remaining() > 0 { Err(Unreadable) } else { Ok(message) }
    }

    const fn kind(&self) -> u8 {
        match self {
            Self::Packet(_) => 1,
            Self::Order(_) => 2,
            Self::Answer(..) => 3,
            Self::Sign(_) => 4,
            Self::Share(..) => 5,
            Self::Replenish(_) => 6,
            Self::Nonces(_) => 7,
            Self::Greeting(_) => 8,
            Self::Beat(_) => 9,
            Self::Witness(_) => 10,
            Self::Notice(_) => 11,
            Self::Begun(_) => 12,
            Self::Tell => 13,
            Self::Holds(_) => 14,
            Self::Stated(_) => 15,
        }
    }

    fn read(kind: u8, reader: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Ok(match kind {
            1 => Self::Packet(long(reader, LONGEST)?.to_vec()),
            2 => Self::Order(read_order(reader)?),
            3 => {
                let sid = SessionId::new(reader.array()?);
                let answer = match reader.u8()? {
                    0 => Ok(long(reader, LONGEST_BODY)?.to_vec()),
                    1 => Err(text(reader, LONGEST_TEXT)?),
                    _ => return Err(Unreadable),
                };
                Self::Answer(sid, answer)
            }
            4 => Self::Sign(Box::new(SignOrder::read(reader)?)),
            5 => Self::Share(reader.array()?, read_share(reader)?),
            6 => {
                let (key, number) = (KeyId(reader.array()?), reader.u64()?);
                let (count, done, epoch) = (reader.u16()?, reader.u64()?, reader.u32()?);
                Self::Replenish(Replenish { key, number, count, done, epoch })
            }
            7 => {
                let (key, number) = (KeyId(reader.array()?), reader.u64()?);
                let published = long(reader, LONGEST_NONCES)?.to_vec();
                Self::Nonces(Nonces { key, number, published })
            }
            8 => Self::Greeting(text(reader, LONGEST_TEXT)?),
            9 => {
                let (mark, challenge) = (read_mark(reader)?, reader.array()?);
                let (runs, holds) = (reader.u32()?, reader.array()?);
                let refuses = match (reader.u8()?, text(reader, LONGEST_TEXT)?) {
                    (0, none) if none.is_empty() => None,
                    (1, why) => Some(why),
                    _ => return Err(Unreadable),
                };
                Self::Beat(Beat { mark, challenge, refuses, runs, holds })
            }
            10 => Self::Witness(read_witness(reader)?),
            11 => Self::Notice(text(reader, LONGEST_TEXT)?),
            12 => Self::Begun(SessionId::new(reader.array()?)),
            13 => Self::Tell,
            14 => Self::Holds(holding::read_list(reader)?),
            15 => Self::Stated(stated::read(reader)?),
            _ => return Err(Unreadable),
        })
    }
}

fn put_order(out: &mut Vec<u8>, order: &Order) {
    let Order { kind, job } = order;
    out.push(kind.code());
    out.extend_from_slice(job.sid.as_bytes());
    out.extend_from_slice(&job.deadline.to_be_bytes());
    put_parties(out, &job.parties);
    put_long(out, &job.body);
}

fn read_order(reader: &mut Reader<'_>) -> Result<Order, Unreadable> {
    let kind = Kind::from_code(reader.u8()?).ok_or(Unreadable)?;
    let (sid, deadline) = (SessionId::new(reader.array()?), reader.u64()?);
    let parties: Parties = parties(reader)?;
    let body = long(reader, LONGEST_BODY)?.to_vec();
    Ok(Order { kind, job: Job { sid, parties, body, deadline } })
}

fn put_share(out: &mut Vec<u8>, share: &Shared) {
    match share {
        Shared::Share(bytes) => {
            out.push(0);
            put_long(out, bytes);
        }
        Shared::Never(why) | Shared::Gone(why) | Shared::NotYet(why) => {
            out.push(match share {
                Shared::Never(_) => 1,
                Shared::Gone(_) => 2,
                _ => 3,
            });
            put_text(out, why, LONGEST_TEXT);
        }
    }
}

fn read_share(reader: &mut Reader<'_>) -> Result<Shared, Unreadable> {
    Ok(match reader.u8()? {
        0 => Shared::Share(long(reader, LONGEST_SHARE)?.to_vec()),
        1 => Shared::Never(text(reader, LONGEST_TEXT)?),
        2 => Shared::Gone(text(reader, LONGEST_TEXT)?),
        3 => Shared::NotYet(text(reader, LONGEST_TEXT)?),
        _ => return Err(Unreadable),
    })
}
