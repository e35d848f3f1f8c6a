//! The sealing of messages.

use alloc::vec::Vec;
use core::fmt;

use chacha20::ChaCha20Rng;
use quorate_session::{PartyId, Transcript};
use rand_core::{CryptoRng, SeedableRng as _};
use zeroize::{Zeroize as _, Zeroizing};

use crate::binding;
use crate::challenge::Challenge;
use crate::directory::Member;
use crate::header::{Address, Header};
use crate::identity::Identity;
use crate::list;
use crate::name::Name;
use crate::suite::{self, Bound, ENCAPSULATED, TAG};
use crate::trust::{OtherKeys, TrustedDirectory};
use crate::versions::Spoken;

/// An envelope in the making: messages of one kind for one member.
#[must_use = "an envelope is bytes after `seal`"]
pub struct Envelope<'a> {
    recipient: Recipient<'a>,
    kind: u16,
    spoken: Spoken,
    messages: Vec<&'a [u8]>,
}

#[derive(Debug)]
enum Recipient<'a> {
    Name(&'a Name),
    Party(PartyId),
    Issuer(Challenge),
}

/// The recipient, the kind and the number of messages.
impl fmt::Debug for Envelope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { recipient, kind, messages, .. } = self;
        write!(f, "Envelope({recipient:?}, kind {kind}, {} messages)", messages.len())
    }
}

/// A reason why messages are not sealed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unsealable {
    /// The sender's keys are not in the directory.
    OtherKeys(OtherKeys),
    /// No member has the recipient's name.
    UnknownMember(Name),
    /// No member is this party.
    UnknownParty(PartyId),
    /// The challenge is for another member to answer.
    OtherAddressee(Name),
    /// The version is not one that the sender understands.
    Version(u8),
    /// There are no messages, too many, or too long ones.
    Size {
        /// The number of messages.
        messages: usize,
    },
    /// The cipher refuses. It does not for keys of a directory.
    Cipher,
}

impl<'a> Envelope<'a> {
    /// An envelope for a member. The application numbers its kinds of messages.
    pub const fn to(recipient: &'a Name, kind: u16) -> Self {
        Self::of(Recipient::Name(recipient), kind)
    }

    /// An envelope for the member that is this party.
    pub const fn to_party(recipient: PartyId, kind: u16) -> Self {
        Self::of(Recipient::Party(recipient), kind)
    }

    /// An envelope that answers a challenge, for the member that issued it and of the kind that it asks for.
    pub const fn answer(challenge: Challenge) -> Self {
        let kind = challenge.kind;
        Self::of(Recipient::Issuer(challenge), kind)
    }

    const fn of(recipient: Recipient<'a>, kind: u16) -> Self {
        Self { recipient, kind, spoken: Spoken::FIRST, messages: Vec::new() }
    }

    /// Sets the version of the messages. It is 1 unless set.
    pub const fn speaking(mut self, spoken: Spoken) -> Self {
        self.spoken = spoken;
        self
    }

    /// Adds a message.
    pub fn message(mut self, message: &'a [u8]) -> Self {
        self.messages.push(message);
        self
    }

    /// Adds messages.
    pub fn messages(mut self, messages: impl IntoIterator<Item = &'a [u8]>) -> Self {
        self.messages.extend(messages);
        self
    }

    /// Seals the messages to the recipient's current key, and signs.
    ///
    /// The ephemeral key is drawn from the generator, the sender's secret and all that is sealed. So a generator that
    /// repeats itself, as in a virtual machine that was copied, gives no two ciphertexts under one key.
    ///
    /// # Errors
    /// [`Unsealable`].
    pub fn seal(
        self,
        sender: &Identity,
        directory: &TrustedDirectory,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Vec<u8>, Unsealable> {
        sender.check_belongs_to(directory).map_err(Unsealable::OtherKeys)?;
        let recipient = self.recipient(sender, directory)?;
        if !self.spoken.understood.contains(self.spoken.version) {
            return Err(Unsealable::Version(self.spoken.version));
        }
        let size = Unsealable::Size { messages: self.messages.len() };
        let length = list::length(&self.messages).ok_or(size)?;
        let address = |name: &Name, key| Address { name: name.clone(), key };
        let header = Header {
            spoken: self.spoken,
            kind: self.kind,
            directory: directory.id(),
            sender: address(sender.name(), sender.id()),
            recipient: address(&recipient.name, recipient.current.id()),
            answers: match &self.recipient {
                Recipient::Issuer(challenge) => Some(challenge.nonce()),
                _ => None,
            },
        };
        let header = header.to_bytes();
        // Room for all of it at once: a buffer that grew would leave messages behind.
        let whole = header.len() + ENCAPSULATED + TAG + 64 + length;
        let mut bytes = Vec::with_capacity(whole);
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(&[0; ENCAPSULATED]);
        list::write(&self.messages, &mut bytes);
        encrypt(sender, directory, recipient, &header, &mut bytes, rng)?;
        let signature = sender.sign(binding::signed(directory.directory().deployment(), &bytes));
        bytes.extend_from_slice(&signature);
        Ok(bytes)
    }

    fn recipient<'d>(
        &self,
        sender: &Identity,
        directory: &'d TrustedDirectory,
    ) -> Result<&'d Member, Unsealable> {
        let directory = directory.directory();
        let name = match &self.recipient {
            Recipient::Party(party) => {
                return directory.member_of(*party).ok_or(Unsealable::UnknownParty(*party));
            }
            Recipient::Issuer(challenge) if challenge.addressee != *sender.name() => {
                return Err(Unsealable::OtherAddressee(challenge.addressee.clone()));
            }
            Recipient::Issuer(challenge) => &challenge.issuer,
            Recipient::Name(name) => name,
        };
        directory.member(name).ok_or_else(|| Unsealable::UnknownMember(name.clone()))
    }
}

/// Encrypts the list behind header and encapsulated key, where it stands. Nothing of it is left if that fails.
fn encrypt(
    sender: &Identity,
    directory: &TrustedDirectory,
    recipient: &Member,
    header: &[u8],
    bytes: &mut Vec<u8>,
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<(), Unsealable> {
    let info = binding::info(directory.directory().deployment());
    let mut ephemeral = ephemeral(sender, bytes, rng);
    let rest = bytes.get_mut(header.len()..).unwrap_or_default();
    let Some((encapsulated, list)) = rest.split_first_chunk_mut::<ENCAPSULATED>() else {
        return Err(Unsealable::Cipher);
    };
    let bound = Bound { info: &info, header };
    match suite::seal(recipient.current.sealing(), bound, list, &mut ephemeral) {
        Some(detached) => {
            *encapsulated = detached.encapsulated;
            bytes.extend_from_slice(&detached.tag);
            Ok(())
        }
        None => {
            bytes.zeroize();
            Err(Unsealable::Cipher)
        }
    }
}

/// A generator for one ephemeral key.
fn ephemeral(
    sender: &Identity,
    plaintext: &[u8],
    rng: &mut (impl CryptoRng + ?Sized),
) -> ChaCha20Rng {
    let mut drawn = Zeroizing::new([0; 32]);
    rng.fill_bytes(drawn.as_mut_slice());
    let mut transcript = Transcript::new("envelope ephemeral key");
    transcript.append("drawn", drawn.as_slice());
    transcript.append("plaintext", plaintext);
    ChaCha20Rng::from_seed(*sender.secret(transcript))
}

impl fmt::Display for Unsealable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherKeys(why) => why.fmt(f),
            Self::UnknownMember(name) => write!(f, "{name} is not a member of the directory"),
            Self::UnknownParty(party) => write!(f, "no member of the directory is party {party}"),
            Self::OtherAddressee(name) => write!(f, "the challenge is for {name} to answer"),
            Self::Version(version) => {
                write!(f, "version {version} is not one that the sender understands")
            }
            Self::Size { messages } => write!(
                f,
                "expected 1 to 4096 messages of 8 MiB together, got {messages} messages, or longer ones"
            ),
            Self::Cipher => f.write_str("nothing can be sealed to the recipient's key"),
        }
    }
}

impl core::error::Error for Unsealable {}
