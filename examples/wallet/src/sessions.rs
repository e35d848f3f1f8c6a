//! Sessions in files: what lets a run be gone on with after its process was killed.
//!
//! `sessions/CONTEXT.party-1` holds party 1's session of one run and everything that it has sent.
//! Two rules:
//!
//! - **Compare and swap.** A session is written only over the one that it follows. The lock on the
//!   wallet sees to it that nobody writes in between.
//! - **What has ended stays.** In the place of a session that has ended stands its tombstone, for
//!   ever. A start with its session id is refused: with another seed it would answer a second time
//!   what it has answered.

use std::fs;
use std::path::{Path, PathBuf};

use getrandom::SysRng;
use quorate::session::rand_core::UnwrapErr;
use quorate::session::wire::Reader;
use quorate::session::{Outgoing, Protocol, Sealed, Slot};
use quorate::{Parties, PartyId, SealKey, Session, SessionId, Step, To};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;

use super::disk::{self, Privacy, private_dir, write_whole};
use super::home::Home;
use super::rounds::{Keeper, Player};

const FOLDER: &str = "sessions";
const OUTBOX: &str = "wallet: outbox";

/// The sessions of one party.
pub(crate) struct Sessions {
    folder: PathBuf,
    me: PartyId,
    key: SealKey,
}

/// The content of a file.
struct Kept {
    sealed: Sealed,
    sent: Vec<Outgoing>,
}

impl Sessions {
    /// Those of a party in a wallet that this process has alone.
    pub(crate) fn of(home: &Home, me: PartyId) -> Result<Self, Failure> {
        Ok(Self { folder: folder(home.dir())?, me, key: home.make_seal_key(me)? })
    }

    /// The party at the beginning of a run, or where it was; with the result, if it is over.
    pub(crate) fn player<P: Protocol>(
        &self,
        sid: SessionId,
        parties: &Parties,
        params: P::Params,
        result: impl FnOnce() -> Result<P::Output, Failure>,
    ) -> Result<Player<P>, Failure> {
        let context = Session::<P>::context_of(sid, parties, &params);
        match self.read(&context)? {
            None => {
                let rng = &mut UnwrapErr(SysRng);
                let step = Session::<P>::start(sid, self.me, parties, params, rng)?;
                self.enter(None, &step)?;
                Ok(Player::going(step.session, step.outgoing))
            }
            Some(kept) if kept.sealed.is_tombstone() => {
                let output = result().map_err(|failure| {
                    Failure::new(format!(
                        "a session of party {} has ended, and its result is not there ({failure}): \
                         it is not started again, for it would answer twice. Make another wallet",
                        self.me
                    ))
                })?;
                Ok(Player::over(self.me, output, kept.sent))
            }
            // What the session would send now is the last of what it has sent.
            Some(kept) => {
                let step = Session::<P>::open(&kept.sealed, params, &self.key)?;
                Ok(Player::going(step.session, kept.sent))
            }
        }
    }

    /// Stores a session with all that it has sent.
    fn enter<P: Protocol>(&self, before: Option<Slot>, step: &Step<P>) -> Result<(), Failure> {
        let sealed = step.session.seal(&self.key);
        self.swap(before, sealed, &step.outgoing)
    }

    /// Replaces what is at the slot `before` by what follows it.
    fn swap(&self, before: Option<Slot>, sealed: Sealed, more: &[Outgoing]) -> Result<(), Failure> {
        let context = sealed.slot().session();
        let kept = self.read(&context)?;
        if kept.as_ref().map(|kept| kept.sealed.slot()) != before {
            let path = self.path(&context);
            return Err(Failure::new(format!(
                "{} is not what this process goes on from: another one has gone on, or it came \
                 back from a backup",
                path.display()
            )));
        }
        let mut sent = kept.map(|kept| kept.sent).unwrap_or_default();
        sent.extend_from_slice(more);
        self.write(&context, &Kept { sealed, sent })
    }

    fn path(&self, context: &[u8; 32]) -> PathBuf {
        self.folder.join(format!("{}.party-{}", hex(context), self.me.get()))
    }

    fn read(&self, context: &[u8; 32]) -> Result<Option<Kept>, Failure> {
        let path = self.path(context);
        let Some(bytes) = disk::read(&path)? else { return Ok(None) };
        match Kept::decode(&bytes, &self.key) {
            Some(kept) => Ok(Some(kept)),
            None => Err(Failure::new(format!("{} is damaged", path.display()))),
        }
    }

    fn write(&self, context: &[u8; 32], kept: &Kept) -> Result<(), Failure> {
        write_whole(&self.path(context), &kept.encode(&self.key), Privacy::OwnerOnly)
    }
}

/// Keeps the sessions of all parties of a run, and their results.
pub(crate) struct Files<'s, F> {
    pub(crate) sessions: &'s [Sessions],
    /// Stores a party's result.
    pub(crate) result: F,
}

impl<F> Files<'_, F> {
    fn of(&self, me: PartyId) -> Result<&Sessions, Failure> {
        let found = self.sessions.iter().find(|sessions| sessions.me == me);
        found.ok_or_else(|| Failure::new("a session of nobody"))
    }
}

impl<P: Protocol, F> Keeper<P> for Files<'_, F>
where
    F: FnMut(PartyId, &P::Output) -> Result<(), Failure>,
{
    fn entered(&mut self, before: Option<Slot>, step: &Step<P>) -> Result<(), Failure> {
        self.of(step.session.me())?.enter(before, step)
    }

    /// First the result, then the tombstone: killed in between, the party comes to the same result
    /// again.
    fn ended(
        &mut self,
        me: PartyId,
        before: Slot,
        output: &P::Output,
        tombstone: Sealed,
    ) -> Result<(), Failure> {
        (self.result)(me, output)?;
        self.of(me)?.swap(Some(before), tombstone, &[])
    }

    fn stopped(&mut self, me: PartyId, before: Slot, tombstone: Sealed) -> Result<(), Failure> {
        self.of(me)?.swap(Some(before), tombstone, &[])
    }
}

/// The folder of sessions, which is made if it is not there.
pub(crate) fn folder(dir: &Path) -> Result<PathBuf, Failure> {
    let folder = dir.join(FOLDER);
    private_dir(&folder)?;
    Ok(folder)
}

/// Forgets the messages of all sessions, when all parties have their results. The tombstones stay.
pub(crate) fn forget_messages(home: &Home) -> Result<(), Failure> {
    let folder = folder(home.dir())?;
    for entry in fs::read_dir(&folder).map_err(Failure::file("read", &folder))? {
        let path = entry?.path();
        let bytes = fs::read(&path).map_err(Failure::file("read", &path))?;
        let head = bytes.split_first_chunk().and_then(|(length, rest)| {
            let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
            bytes.get(..rest.get(..length)?.len().checked_add(4)?)
        });
        write_whole(&path, head.unwrap_or_default(), Privacy::OwnerOnly)?;
    }
    Ok(())
}

impl Kept {
    /// `length ‖ sealed session ‖ sealed messages`, the last left out when nobody needs them any
    /// more, and a message as `to ‖ length ‖ bytes`, where 0
    /// stands for everyone.
    fn encode(&self, key: &SealKey) -> Vec<u8> {
        let length = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes();
        let mut messages = Vec::new();
        for Outgoing { to, bytes } in &self.sent {
            let to = match to {
                To::Everyone => 0,
                To::Only(party) => party.get(),
            };
            messages.extend(to.to_be_bytes());
            messages.extend(length(bytes));
            messages.extend_from_slice(bytes);
        }
        let sealed = self.sealed.as_bytes();
        [&length(sealed), sealed, &key.seal_bytes(OUTBOX, &messages)].concat()
    }

    fn decode(bytes: &[u8], key: &SealKey) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let length = reader.u32().ok()?;
        let sealed = Sealed::from_bytes(reader.bytes(length.try_into().ok()?).ok()?).ok()?;
        let rest = reader.remaining();
        if rest == 0 {
            return Some(Self { sealed, sent: Vec::new() });
        }
        let messages = key.open_bytes(OUTBOX, reader.bytes(rest).ok()?).ok()?;
        let mut reader = Reader::new(&messages);
        let mut sent = Vec::new();
        while reader.remaining() > 0 {
            let to = reader.u16().ok()?;
            let to = PartyId::new(to).map_or(To::Everyone, To::Only);
            let length = reader.u32().ok()?;
            let bytes = reader.bytes(length.try_into().ok()?).ok()?.to_vec();
            sent.push(Outgoing { to, bytes });
        }
        Some(Self { sealed, sent })
    }
}
