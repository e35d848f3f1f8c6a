//! Nodes that lie: what they send is altered before it is sealed, and so comes under their own signatures.

use core::fmt;
use core::str::FromStr;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use custody_cli::Alter;
use custody_core::{Answer, AnswerMessage, PACKET_KIND};
use quorate::ecdsa::{PresignMany, Secp256k1};
use quorate::session::Protocol as _;
use quorate::session::frame::{HEADER, Header};
use quorate_envelope::Name;

/// The way in which a node lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lie {
    /// Shares of signatures are wrong.
    Shares,
    /// In presigning, messages to one party, with their proofs, are wrong.
    Proofs,
    /// In presigning, each broadcast is sent with another one in its place; node 1 gets the other one alone.
    Equivocation,
    /// Nothing is sent in presigning, and no order to sign is answered.
    Silence,
    /// Every third message is random bytes.
    Junk,
    /// An earlier message to the same recipient comes with each.
    Replays,
    /// The node lists what it has spent.
    StaleClaims,
}

impl Lie {
    /// The list of them.
    pub const ALL: [Self; 7] = [
        Self::Shares,
        Self::Proofs,
        Self::Equivocation,
        Self::Silence,
        Self::Junk,
        Self::Replays,
        Self::StaleClaims,
    ];

    /// The function that alters the messages of a node so.
    #[must_use]
    pub fn alter(self) -> Alter {
        let state = Mutex::new(State::default());
        Arc::new(move |to, kind, message| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            altered(self, &mut state, (to, kind), message)
        })
    }
}

impl fmt::Display for Lie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl FromStr for Lie {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|lie| lie.to_string() == text);
        found.ok_or_else(|| format!("there is no lie {text}"))
    }
}

/// The messages that are kept for replays.
const KEPT: usize = 256;

#[derive(Default)]
struct State {
    count: u64,
    earlier: BTreeMap<(Name, u16), VecDeque<Vec<u8>>>,
    stock: BTreeMap<[u8; 32], Answer>,
}

fn altered(
    lie: Lie,
    state: &mut MutexGuard<'_, State>,
    (to, kind): (&Name, u16),
    message: Vec<u8>,
) -> Vec<Vec<u8>> {
    state.count = state.count.wrapping_add(1);
    match lie {
        Lie::Shares => vec![answer(message, |answer| match answer {
            Answer::Share { bytes } => Answer::Share { bytes: flipped(bytes) },
            other => other,
        })],
        Lie::Proofs => match frame(kind, &message) {
            Some(header) if header.to.is_some() => vec![flipped(message)],
            _ => vec![message],
        },
        Lie::Equivocation => match frame(kind, &message) {
            Some(header) if header.to.is_none() => {
                let other = flipped(message.clone());
                if to.as_str() == "n1" { vec![other] } else { vec![message, other] }
            }
            _ => vec![message],
        },
        Lie::Silence => {
            let is_share = matches!(decoded(&message), Some(Answer::Share { .. }));
            if frame(kind, &message).is_some() || is_share { vec![] } else { vec![message] }
        }
        Lie::Junk if state.count.checked_rem(3) == Some(0) => {
            let seed = state.count.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
            vec![message.iter().zip(seed.iter().cycle()).map(|(one, other)| one ^ other).collect()]
        }
        Lie::Junk => vec![message],
        Lie::Replays => {
            let earlier = state.earlier.entry((to.clone(), kind)).or_default();
            let old = earlier.front().cloned();
            earlier.push_back(message.clone());
            if earlier.len() > KEPT {
                earlier.pop_front();
            }
            [message].into_iter().chain(old).collect()
        }
        Lie::StaleClaims => vec![answer(message, |answer| match answer {
            Answer::Stock(stock) if !stock.material.is_empty() => {
                let (key, now) = (*stock.key.as_bytes(), Answer::Stock(stock));
                state.stock.entry(key).or_insert(now).clone()
            }
            other => other,
        })],
    }
}

/// The bytes with another last bit.
fn flipped(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.iter_mut().next_back().into_iter().for_each(|byte| *byte ^= 1);
    bytes
}

/// The header of a frame of presigning that has a body.
fn frame(kind: u16, packet: &[u8]) -> Option<Header> {
    let (_, frame) = packet.split_first().filter(|(of, _)| kind == PACKET_KIND && **of == 0)?;
    let is_presigning = |header: &Header| header.code == PresignMany::<Secp256k1>::CODE;
    Header::parse(frame).filter(is_presigning).filter(|_| frame.len() > HEADER)
}

fn decoded(message: &[u8]) -> Option<Answer> {
    AnswerMessage::from_bytes(message).ok().map(|message| message.answer)
}

/// The message with another answer, if it is one.
fn answer(message: Vec<u8>, change: impl FnOnce(Answer) -> Answer) -> Vec<u8> {
    let Ok(AnswerMessage { number, answer }) = AnswerMessage::from_bytes(&message) else {
        return message;
    };
    let version = message.first().copied().unwrap_or_default();
    let changed = AnswerMessage { number, answer: change(answer) };
    changed.to_bytes_in(version).unwrap_or(message)
}
