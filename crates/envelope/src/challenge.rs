//! Challenges: how a recipient knows that a message is not an old one.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use quorate_session::Transcript;
use quorate_session::wire::Reader;
use rand_core::CryptoRng;

use crate::malformed::Malformed;
use crate::name::Name;

/// The version of a challenge's bytes.
const VERSION: u8 = 1;
const CHALLENGE: Malformed = Malformed("a challenge");

/// A challenge that was received: one envelope may [answer](crate::Envelope::answer) it, which consumes it.
#[derive(PartialEq, Eq, Debug)]
pub struct Challenge {
    /// The member that issued it, and to which the answer goes.
    pub issuer: Name,
    /// The member that may answer it.
    pub addressee: Name,
    /// The kind of message that may answer it.
    pub kind: u16,
    nonce: [u8; 32],
}

/// The bounds of a table of [`Challenges`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChallengeBounds {
    /// The time for which a challenge may be answered, in the unit of the caller's clock.
    pub lifetime: u64,
    /// The most open challenges. At least `each` for every member, or a member that floods takes the room of others.
    pub total: usize,
    /// The most open challenges of one member.
    pub each: usize,
}

/// The challenges of a node that nobody has answered yet.
///
/// They are in memory alone, and cannot be stored: after a restart, or a restore from a backup, none of them is open, and
/// an answer is refused as [`Stale::NotOpen`]. Issue a new challenge then. Times are the caller's, of a clock that does
/// not go back: while it does, challenges live longer, but each is still answered once.
#[derive(Debug)]
pub struct Challenges {
    bounds: ChallengeBounds,
    open: BTreeMap<[u8; 32], Open>,
    /// The number of challenges so far.
    issued: u64,
    /// The last bytes that were drawn.
    drawn: [u8; 32],
}

#[derive(Debug)]
struct Open {
    addressee: Name,
    kind: u16,
    until: u64,
}

/// A reason why no challenge is issued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IssueError {
    /// The table is full: wait until challenges are answered or expire.
    Full,
    /// The member has too many open challenges.
    TooManyOfOne,
    /// The generator of random numbers gives zeros only, or repeats itself.
    Randomness,
}

/// A reason why an envelope is not known to be fresh. Its messages are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stale {
    /// The envelope answers no challenge.
    NoAnswer,
    /// The challenge is not open: it was answered, has expired, or was issued before this process started.
    NotOpen,
    /// The challenge has expired.
    Expired,
    /// The challenge was issued to another member.
    OtherSender,
    /// The challenge was issued for another kind of message.
    OtherKind {
        /// The kind that it was issued for.
        expected: u16,
        /// The kind of the envelope.
        got: u16,
    },
}

impl Challenge {
    /// Reads a challenge that came in an envelope of `issuer`.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn from_bytes(issuer: &Name, bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let challenge = Self::read(issuer, &mut reader).ok_or(CHALLENGE)?;
        reader.finish().map_err(|_| CHALLENGE)?;
        Ok(challenge)
    }

    fn read(issuer: &Name, reader: &mut Reader<'_>) -> Option<Self> {
        if reader.u8().ok()? != VERSION {
            return None;
        }
        let (kind, nonce) = (reader.u16().ok()?, reader.array().ok()?);
        let addressee = Name::read(reader)?;
        Some(Self { issuer: issuer.clone(), addressee, kind, nonce })
    }

    pub(crate) const fn nonce(&self) -> [u8; 32] {
        self.nonce
    }
}

impl Challenges {
    /// A table without open challenges.
    #[must_use]
    pub const fn new(bounds: ChallengeBounds) -> Self {
        Self { bounds, open: BTreeMap::new(), issued: 0, drawn: [0; 32] }
    }

    /// Issues a challenge: bytes to send to `addressee` in an envelope. One envelope of this kind from it may answer.
    ///
    /// The nonce is a hash of what is drawn from the generator and of `now`. So an answer of before a restore answers no
    /// challenge of after it, even if the generator was restored as well.
    ///
    /// # Errors
    /// An [`IssueError`].
    pub fn issue(
        &mut self,
        addressee: &Name,
        kind: u16,
        now: u64,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Vec<u8>, IssueError> {
        self.open.retain(|_, open| now < open.until);
        if self.open.len() >= self.bounds.total {
            return Err(IssueError::Full);
        }
        let of_one = self.open.values().filter(|open| open.addressee == *addressee).count();
        if of_one >= self.bounds.each {
            return Err(IssueError::TooManyOfOne);
        }
        let nonce = self.nonce((addressee, kind, now), rng).ok_or(IssueError::Randomness)?;
        let until = now.saturating_add(self.bounds.lifetime);
        self.open.insert(nonce, Open { addressee: addressee.clone(), kind, until });
        let mut bytes = Vec::new();
        bytes.push(VERSION);
        bytes.extend_from_slice(&kind.to_be_bytes());
        bytes.extend_from_slice(&nonce);
        addressee.write(&mut bytes);
        Ok(bytes)
    }

    /// A nonce of the generator's bytes, the time and the number of the challenge: a generator that is restored, and gives the
    /// same bytes again, gives another nonce. `None` for zeros, or for the same bytes twice in a row.
    fn nonce(
        &mut self,
        (addressee, kind, now): (&Name, u16, u64),
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Option<[u8; 32]> {
        let mut drawn = [0; 32];
        rng.fill_bytes(&mut drawn);
        if drawn == [0; 32] || drawn == self.drawn {
            return None;
        }
        self.drawn = drawn;
        self.issued = self.issued.checked_add(1)?;
        let mut transcript = Transcript::new("envelope challenge");
        transcript.append("drawn", &drawn);
        transcript.append_u64("now", now);
        transcript.append_u64("number", self.issued);
        transcript.append_u64("kind", kind.into());
        transcript.append("addressee", addressee.as_str().as_bytes());
        Some(transcript.finish32())
    }

    /// Consumes the challenge that an envelope answers. Another member's envelope consumes nothing.
    pub(crate) fn answered(&mut self, answer: &Answer<'_>) -> Result<(), Stale> {
        let nonce = answer.nonce.ok_or(Stale::NoAnswer)?;
        let open = self.open.get(&nonce).ok_or(Stale::NotOpen)?;
        if open.addressee != *answer.sender {
            return Err(Stale::OtherSender);
        }
        if open.kind != answer.kind {
            return Err(Stale::OtherKind { expected: open.kind, got: answer.kind });
        }
        let expired = open.until <= answer.now;
        self.open.remove(&nonce);
        if expired { Err(Stale::Expired) } else { Ok(()) }
    }
}

/// An answer in an envelope that was opened.
pub(crate) struct Answer<'a> {
    pub(crate) nonce: Option<[u8; 32]>,
    pub(crate) sender: &'a Name,
    pub(crate) kind: u16,
    pub(crate) now: u64,
}

impl fmt::Display for IssueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("too many challenges are open: wait until some expire"),
            Self::TooManyOfOne => f.write_str("too many challenges of this member are open"),
            Self::Randomness => f.write_str(
                "the generator of random numbers gives zeros only, or repeats itself: take another",
            ),
        }
    }
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAnswer => f.write_str("the envelope answers no challenge: send its sender one"),
            Self::NotOpen => f.write_str(
                "the challenge was answered, has expired, or was issued before this process started: send another",
            ),
            Self::Expired => f.write_str("the challenge has expired: send another"),
            Self::OtherSender => f.write_str("the challenge was issued to another member"),
            Self::OtherKind { expected, got } => {
                write!(f, "the challenge was issued for kind {expected}, the envelope is of kind {got}")
            }
        }
    }
}

impl core::error::Error for IssueError {}
impl core::error::Error for Stale {}
