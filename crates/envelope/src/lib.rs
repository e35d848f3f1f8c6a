//! Signed and encrypted messages between named parties, over brokers that nobody has to trust.
//!
//! An envelope is a list of messages from one member of a [`Directory`] to another: encrypted to the recipient by HPKE (RFC
//! 9180), then signed by the sender with Ed25519 (RFC 8032). A queue, a file share or e-mail may carry it. The carrier can
//! lose, repeat, delay and count envelopes. It cannot read them, alter them, or make one up.
//!
//! `quorate-runner` asks for such a transport: put this crate between the runner's packets and whatever moves bytes. It has
//! no sockets, files, clocks or stored generators: bytes go in, bytes come out.
//!
//! # Example
//!
//! The transport of a runner over a broker, which here is a queue for each party.
//!
//! ```
//! use std::{cell::RefCell, collections::BTreeMap, rc::Rc};
//! use getrandom::SysRng;
//! use quorate_envelope::{Directory, Envelope, Identity, Member, Name, Opener, TrustedDirectory};
//! use quorate_runner::{IncomingPacket, Transport};
//! use quorate_session::{PartyId, rand_core::UnwrapErr};
//!
//! const PACKET: u16 = 1; // the application numbers its kinds of messages
//! type Broker = Rc<RefCell<BTreeMap<PartyId, Vec<Vec<u8>>>>>;
//! struct Sealed { me: Identity, directory: TrustedDirectory, queue: PartyId, broker: Broker }
//!
//! impl Transport for Sealed {
//!     type Error = Box<dyn std::error::Error>;
//!     fn send(&mut self, to: PartyId, packet: &[u8]) -> Result<(), Self::Error> {
//!         let envelope = Envelope::to_party(to, PACKET).message(packet);
//!         let envelope = envelope.seal(&self.me, &self.directory, &mut UnwrapErr(SysRng))?;
//!         Ok(self.broker.borrow_mut().entry(to).or_default().push(envelope))
//!     }
//!     fn receive(&mut self) -> Result<Option<IncomingPacket>, Self::Error> {
//!         while let Some(envelope) = self.broker.borrow_mut().get_mut(&self.queue).and_then(Vec::pop) {
//!             match Opener::new(&self.me, &self.directory).open(&envelope) {
//!                 Ok(opened) if opened.header.kind == PACKET => {
//!                     let Some(from) = opened.party else { continue }; // the sender is a gateway
//!                     let packet = opened.replayable().pop();
//!                     return Ok(packet.map(|packet| IncomingPacket { from, bytes: packet.to_vec() }));
//!                 }
//!                 other => println!("refused: {other:?}"), // the claimed sender and the check
//!             }
//!         }
//!         Ok(None)
//!     }
//! }
//!
//! let [one, two] = [1, 2].map(|number| PartyId::new(number).unwrap());
//! let identity = |name| Identity::generate(Name::new(name).unwrap(), &mut UnwrapErr(SysRng)).unwrap();
//! let (n1, n2) = (identity("n1"), identity("n2")); // each on its own machine
//! let member = |of: &Identity, party| Member::new(of.name().clone(), of.public().clone()).with_party(party);
//! let directory = Directory::first(Name::new("acme")?).member(member(&n1, one)).member(member(&n2, two)).finish()?;
//! let confirmed = directory.id(); // its text is what the operators of both nodes read to each other
//! let directory = TrustedDirectory::confirm(directory, confirmed)?.record(|_store_this| Ok::<_, String>(()))?;
//! let broker = Broker::default();
//! let mut n1 = Sealed { me: n1, directory: directory.clone(), queue: one, broker: Rc::clone(&broker) };
//! let mut n2 = Sealed { me: n2, directory, queue: two, broker };
//! n1.send(two, b"a packet")?; // as `Runner::turn` does with the transport that it is given
//! assert_eq!(n2.receive()?, Some(IncomingPacket { from: one, bytes: b"a packet".to_vec() }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Freshness
//!
//! Anybody who has seen an envelope can send it again, and it opens again. For the packets of sessions that does no harm, and
//! [`Opened::replayable`] gives them. An order, an approval or a status is another matter. For these the recipient
//! [issues a challenge](Challenges::issue) to one member for one kind of message. That member
//! [answers](Envelope::answer) with the message, and [`Opened::fresh`] accepts the answer once. Challenges can be issued
//! ahead of time, so that an order needs no round trip. They are in memory alone: after a restart or a restore none is open,
//! answers to earlier ones are refused, and the sender asks for another.
//!
//! # The directory
//!
//! A directory has a version, and a digest that operators compare. It says who the members are, by name: parties with
//! their [`PartyId`](quorate_session::PartyId), and others such as gateways. It refuses weak keys, and a key that stands in
//! two places. Envelopes are sealed and opened with a [`TrustedDirectory`] only. Trust begins by hand: operators
//! [confirm](TrustedDirectory::confirm) the id of the first version. A later version is
//! [signed by m of n administrators](TrustedDirectory::update), whom the first has named, or
//! [confirmed by hand](TrustedDirectory::update_by_hand) again. Both ways exist because each covers the failure of the
//! other: signatures reach a hundred nodes at once, and hands still work when administrators change or lose their keys. A
//! rotation signed by the member alone changes no directory: nodes that saw two rotations in two orders would differ.
//!
//! An older version is refused. So that a node cannot forget what it has trusted, a [`NewDirectory`] becomes usable only
//! when the caller has [recorded](NewDirectory::record) its id, and [`reopen`](TrustedDirectory::reopen) asks for that id.
//! Each envelope carries the id of its sender's directory: [`Opened::sender_directory`] shows whether the sender or this
//! node is behind, and whether two directories have the same version.
//!
//! **Rotation.** The member [announces](Rotation::announce) its next keys under its current ones, and the next version
//! [takes them in](Draft::rotate). Envelopes under both are accepted until a later version
//! [ends the rotation](Draft::end_rotation). **Revocation.** A version that [replaces](Draft::replace) the keys or
//! [removes](Draft::remove) the member refuses envelopes under the old key from then on, and names member and key.
//!
//! # Statements
//!
//! A member also signs [statements](Identity::sign_statement) for whoever reads them, such as a certificate of a key that its
//! node has made. Anybody who has the directory [verifies](PublicIdentity::verify_statement) one.
//!
//! # What it does not hide, and what it does not keep secret for ever
//!
//! **No forward secrecy.** Messages are sealed to a key that stays until it is rotated. A thief of it opens every envelope
//! under it that was recorded. A rotation ends that for later envelopes, once the old secret is destroyed. Where recorded
//! traffic must stay secret, run the transport over TLS. Neither X25519 nor Ed25519 withstands a quantum computer. A thief
//! of a recipient's keys cannot forge envelopes from other members to that recipient, since senders sign.
//!
//! The carrier sees names, key ids, kind, length and time of each envelope. A signature proves to third parties that its
//! sender has made the envelope for its recipient.
//!
//! Secret keys and decrypted messages are wiped when they are dropped. Signing, key agreement and decryption take constant
//! time in the secrets. The verification of signatures and all comparisons of ids and challenges take variable time, on
//! public values.
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **An id that nobody compared**: The first directory is as trustworthy as the way by which its id came.
//! 2. **A record that is restored** together with the directory: The node then trusts an old version, with keys that have
//!    been revoked. Keep the id where no backup restores it. Act if [`Opened::sender_directory`] is newer.
//! 3. **Orders taken from [`Opened::replayable`]**: The carrier of the envelope can have them executed twice.
//! 4. **A copied process**: A virtual machine that is copied while it runs has its open challenges twice. Each copy accepts
//!    an answer once.
//! 5. **An identity of two nodes**: Two copies of a sealed identity are one member.
//! 6. **Messages in the wrong order, or lost**: The carrier may reorder and lose; the layers above number and resend.
//! 7. **Administrators who agree**: As many of them as the threshold asks for can give a member's name to any key.
//! 8. **A copy that misses an update**: A [`TrustedDirectory`] that is cloned before an update still has the revoked key.
//! 9. **A lowered version**: An old envelope that is repeated shows the versions that its sender understood then. Take a
//!    version that must not be spoken any more out of the range.
//!
//! Formats are in `docs/spec/transport.md` of the repository. The crate is `no_std`, needs `alloc`, and has no features.
#![no_std]
extern crate alloc;

mod binding;
mod challenge;
mod directory;
mod header;
mod id;
mod identity;
mod keys;
mod list;
mod malformed;
mod name;
mod open;
mod open_error;
mod rotation;
mod seal;
mod statement;
mod suite;
mod trust;
mod versions;

pub use challenge::{Challenge, ChallengeBounds, Challenges, IssueError, Stale};
pub use directory::{Administrators, Directory, DirectoryError, Draft, Member};
pub use header::{Address, Header};
pub use id::DirectoryId;
pub use identity::{Identity, IdentityError};
pub use keys::{KeyId, PublicIdentity};
pub use list::{MAX_CONTENT, MAX_MESSAGES, Messages};
pub use malformed::Malformed;
pub use name::Name;
pub use open::{MAX_ENVELOPE, Opened, Opener, SenderDirectory};
pub use open_error::{Author, Check, EnvelopeError};
pub use rotation::Rotation;
pub use seal::{Envelope, Unsealable};
pub use trust::{NewDirectory, OtherKeys, TrustError, TrustRecord, TrustedDirectory};
pub use versions::{Spoken, Versions};
