//! Sessions for protocols of several rounds: parties, messages, checks, blame, and recovery from
//! crashes.
//!
//! One type, [`Session`], runs every protocol that implements [`Protocol`]. It frames the messages of
//! each round, takes those of the others from an authenticated transport, waits until a round is
//! complete, checks that all parties saw the same broadcasts, lets the protocol verify and move on, and
//! names every culprit when something is wrong. It has no arithmetic of curves or big numbers; its
//! cryptography is one hash ([`Transcript`]) and one cipher ([`SealKey`]).
//!
//! A session is a pure function of its parameters, one 32-byte seed and the frames it received. It can
//! be [sealed](Session::seal) as the seed and the log of frames, received and sent, and [opened](Session::open) by
//! replaying them: the messages that come out are those that were sent before, byte for byte. A replay takes the
//! session's own messages from the log, so that no proof is made again; an [audit](Session::audit) makes everything again.
//!
//! Seal keys come from a file, an environment or a key service, and can be replaced: [`keyring`].
//!
//! The methods of a session and the order in which they are called are in the documentation of
//! [`Session`]. A protocol whose rounds are types of their own uses
//! [`rounds`].
//!
//! # Run a protocol
//!
//! One party's part of a run of any protocol. The transport authenticates its peers, and encrypts what is for one of them.
//!
//! ```
//! use std::error::Error;
//!
//! use quorate_session::rand_core::CryptoRng;
//! use quorate_session::{Ended, Outgoing, Parties, PartyId, Protocol, Session, SessionId, drive};
//!
//! /// A connection to each other party.
//! trait Transport {
//!     fn send(&self, message: &Outgoing);
//!     /// The next frame and its sender; `None` after a time-out.
//!     fn receive(&self) -> Option<(PartyId, Vec<u8>)>;
//! }
//!
//! fn take_part<P: Protocol>(
//!     me: PartyId,
//!     (id, parties): (SessionId, &Parties), // agreed by all; an id is never used twice
//!     params: P::Params,
//!     transport: &impl Transport,
//!     rng: &mut impl CryptoRng,
//! ) -> Result<P::Output, Box<dyn Error>> {
//!     let first = Session::<P>::start(id, me, parties, params, rng)?;
//!     match drive(first, |message| transport.send(message), || transport.receive())? {
//!         Ended::Done(output) => Ok(output),
//!         Ended::Unconfirmed(ended) => {
//!             // The result is good; somebody withheld that it has it too.
//!             eprintln!("not confirmed: {}", ended.abort);
//!             Ok(ended.output)
//!         }
//!     }
//! }
//! ```
//!
//! [`drive`] keeps nothing on disk. [`Session::seal`] and [`Session::open`] are for a party that has to survive a crash,
//! and `quorate-runner` does that for many runs at once.
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **A transport that doesn't authenticate.** [`Session::receive`] believes the sender that it is
//!    told. An attacker who can forge the sender can take part, and can have an honest party blamed.
//! 2. **A transport that doesn't encrypt.** Messages to [`To::Only`] one party are confidential, and
//!    leave this crate in clear.
//! 3. **A session id used twice.** Only the [`SessionId`] separates two runs of the same parties with
//!    the same parameters: a frame of one is valid in the other. A start job that is
//!    delivered twice must not start the run twice. The store refuses the first seal of the second start,
//!    because a greater slot, or the [tombstone](Session::tombstone), is there. [`Session::context_of`]
//!    finds it before the start.
//! 4. **Rollback.** A run restored from an *old* seal and fed *other* frames draws other randomness
//!    in the rounds after the difference. The messages that it had sent before, and the secrets of
//!    the rounds before, are the same. The protocol's own *Misuse* says how much two answers about one
//!    secret reveal. Persist the seal **before** sending the messages that follow from it, under its
//!    [`Slot`], compared and swapped: a greater slot replaces a smaller one and never the reverse. The
//!    same holds for a virtual machine that is copied while it runs. **A run that has ended is never
//!    opened again**: replace its seal with the tombstone in [`Progress::Done`], [`Unconfirmed`] or
//!    [`Stopped`], and keep that for ever. Store the result first, then the tombstone. A crash between
//!    the two repeats only the last step.
//! 5. **Lost frames.** Frames received after the last seal are gone after a crash; peers have to
//!    resend them. Resending is harmless: identical frames are ignored.
//! 6. **Silence.** A party that sends nothing stalls the run and cannot be blamed for it, because
//!    the network may be at fault. The caller has to limit the waiting.
//! 7. **The last message.** The broadcasts of a protocol's last round are not echoed, and one
//!    party may learn the result while another aborts. A protocol whose result all parties must hold
//!    ends with a round of confirmation. Even then a party can withhold the last confirmation.
//! 8. **Evidence without signatures.** An outsider has only the caller's word that a frame in an
//!    [`Evidence`] came from the party blamed, unless the transport signs frames.
//! 9. **Copies of messages.** Frames received, and [`Outgoing`] messages to one party, are wiped when
//!    they are dropped. Copies that the caller makes are the caller's to wipe.
//!
//! # Write a protocol
//!
//! Three parties each learn whether all of them hold the same document.
//!
//! ```
//! use getrandom::SysRng;
//! use quorate_session::rand_core::UnwrapErr;
//! use quorate_session::{
//!     Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Parties, Protocol, Round, Run,
//!     Session, SessionId, SealKey, To, drive,
//! };
//!
//! struct Compare;
//!
//! impl Protocol for Compare {
//!     const NAME: &'static str = "compare";
//!     const CODE: u8 = 255;
//!     const FAMILY: &'static str = "";
//!     const ROUNDS: u8 = 1;
//!     type Params = Vec<u8>;
//!     type State = Vec<u8>;
//!     type Output = bool;
//!
//!     fn bind(_: &Vec<u8>, _: &mut Binding) {}
//!
//!     fn limits(_: &Vec<u8>, _: usize, _: Round) -> Limits {
//!         Limits { broadcast: 64, direct: 0 }
//!     }
//!
//!     fn start(document: Vec<u8>, run: &Run) -> Result<(Vec<u8>, Outbox), ParamError> {
//!         let mut transcript = run.transcript("document");
//!         transcript.append("text", &document);
//!         let digest = transcript.finish().to_vec();
//!         Ok((digest.clone(), Outbox::broadcast(digest)))
//!     }
//!
//!     fn next(own: Vec<u8>, _: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
//!         Ok(Next::Done(inbox.each().all(|message| message.broadcast == own)))
//!     }
//! }
//!
//! let parties = Parties::numbered(3)?;
//! let sid = SessionId::new([1; 32]);
//! let document = || b"we agree".to_vec();
//! let mut steps = Vec::new();
//! for me in parties.iter() {
//!     steps.push(Session::<Compare>::start(sid, me, &parties, document(), &mut UnwrapErr(SysRng))?);
//! }
//!
//! // Party 1 stores its session before it sends anything, crashes, and comes back.
//! let key = SealKey::new([2; 32]);
//! let first = steps.remove(0);
//! let stored = first.session.seal(&key);
//! let again = Session::<Compare>::open(&stored, document(), &key)?;
//! assert_eq!(again.outgoing, first.outgoing);
//!
//! // The transport: here a list of what the others have sent.
//! let mut arriving = steps.iter().flat_map(|step| {
//!     let from = step.session.party_id();
//!     step.outgoing.iter().map(move |message| (from, message.bytes.clone()))
//! });
//! let ended = drive(again, |message| assert_eq!(message.to, To::Everyone), || arriving.next())?;
//! assert!(ended.into_output());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Frames
//!
//! | bytes   | content                                                                |
//! |---------|------------------------------------------------------------------------|
//! | 1       | version of the wire format, 1                                          |
//! | 1       | code of the protocol                                                   |
//! | 1       | round, counted from 1                                                  |
//! | 2       | sender, big-endian                                                     |
//! | 2       | recipient, big-endian; 0 for a broadcast                               |
//! | 32      | [context](Run::context): protocol, session, parties, parameters        |
//! | 0 or 32 | in round 1: four bytes for each item that the parties [agree on](Binding), and zeros; later: the digest of the broadcasts of the previous round, if it had any |
//! | rest    | body, at most as long as the protocol's [`Limits`] for the round allow |
//!
//! The sender in a frame is only compared with the one that the transport gives. So a frame is not
//! taken if it was relabelled or reflected, or is offered as evidence against another party.
//!
//! # Features
//!
//! The crate is `no_std` and needs `alloc`.
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `passphrase` | no | seal keys from passphrases, by Argon2id |
//! | `sim` | no | the seeded in-memory network: for tests, examples and benchmarks, not for production |
//! | `tracing` | no | spans around the steps of a run |
#![no_std]
extern crate alloc;

mod binding;
mod blame;
mod body_digest;
pub mod container;
mod continuity;
mod drive;
mod ended;
mod error;
pub mod frame;
mod frame_bytes;
mod frame_fate;
mod inbox;
pub mod keyring;
mod log;
mod outbox;
mod outgoing;
mod parties;
mod party;
#[cfg(feature = "passphrase")]
pub mod passphrase;
pub mod pem;
mod per_party;
mod protocol;
mod record;
mod round_messages;
pub mod rounds;
mod run;
mod seal;
mod seal_key;
mod session;
#[cfg(feature = "sim")]
pub mod sim;
mod snapshot;
mod spend;
pub mod stock;
mod transcript;
pub mod wire;

pub use binding::{Binding, Bound};
pub use blame::{Abort, Blame, Check, Evidence, Fault};
pub use body_digest::BodyDigest;
pub use continuity::Continuity;
pub use drive::drive;
pub use ended::{Ended, Stopped, Unconfirmed};
pub use error::{ParamError, Rejected, Rejection, SealError};
pub use frame_bytes::FrameBytes;
pub use frame_fate::FrameFate;
pub use inbox::{Inbox, Message};
pub use outgoing::{Outgoing, To};
pub use parties::Parties;
pub use party::{PartyId, Round, SessionId};
pub use per_party::PerParty;
pub use protocol::{Judgement, Limits, MaybeSend, Next, Protocol};
pub use record::Record;
pub use round_messages::Outbox;
pub use run::Run;
pub use seal::{Sealed, Slot};
pub use seal_key::SealKey;
pub use session::{Progress, Session, Step};
pub use spend::{ClaimRecord, RecordError, SpendReceipt, SpentInMemory, SpentTable, TableEntry};
pub use transcript::Transcript;

pub use rand_core;
pub use zeroize;
