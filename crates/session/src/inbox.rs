//! The messages of a complete round, and the one way to verify them all.

use alloc::vec::Vec;
use core::fmt;

use crate::{
    Abort, Blame, BodyDigest, Check, Evidence, Fault, FrameBytes, PartyId, PerParty, Round, Run,
    frame::{self, Header},
    log::{Kind, Log},
};

/// One peer's messages of the round; empty where the round has no such message.
#[derive(Clone, Copy)]
pub struct Message<'a> {
    /// The sender.
    pub from: PartyId,
    /// The sender's broadcast.
    pub broadcast: &'a [u8],
    /// The sender's message to this party alone.
    pub direct: &'a [u8],
}

impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("from", &self.from)
            .field("broadcast", &self.broadcast.len())
            .field("direct", &self.direct.len())
            .finish()
    }
}

/// The messages of every peer in a complete round.
#[derive(Clone, Copy)]
pub struct Inbox<'a> {
    run: &'a Run,
    log: &'a Log,
    /// The offset of the body in the frames of this round.
    header: usize,
    /// In a round that was given up: the kinds of frames that a peer must have sent to be here.
    needed: Option<&'a [Kind]>,
}

impl<'a> Inbox<'a> {
    pub(crate) fn new(
        run: &'a Run,
        log: &'a Log,
        header: usize,
        needed: Option<&'a [Kind]>,
    ) -> Self {
        Self { run, log, header, needed }
    }

    /// The messages of each peer, by ascending sender. In [`Protocol::judge`](crate::Protocol::judge) some peers may be
    /// missing; otherwise every peer is here.
    pub fn each(&self) -> impl Iterator<Item = Message<'a>> + use<'a> {
        let inbox = *self;
        let here = inbox.run.others().filter(move |from| inbox.has(*from));
        here.map(move |from| inbox.message(from))
    }

    /// The messages of `from`, or `None` if it is no peer or has not sent everything.
    #[must_use]
    pub fn from(&self, from: PartyId) -> Option<Message<'a>> {
        let peer = from != self.run.party_id() && self.run.parties().contains(from);
        (peer && self.has(from)).then(|| self.message(from))
    }

    /// Returns whether this peer has sent everything that the round needs of it.
    fn has(&self, from: PartyId) -> bool {
        let sent = |kind: &Kind| self.log.first(self.run.round(), from, *kind).is_some();
        self.needed.is_none_or(|kinds| kinds.iter().all(sent))
    }

    /// Runs a check over the messages of **every** peer and gathers every fault, so that no round
    /// stops at the first culprit or forgets one.
    ///
    /// # Errors
    /// [`Abort::Misbehaviour`] with all culprits and their frames, if any check failed.
    pub fn verify<T>(
        &self,
        mut check: impl FnMut(PartyId, Message<'a>) -> Result<T, Fault>,
    ) -> Result<PerParty<T>, Abort> {
        let mut good = PerParty::with_capacity(self.run.parties().len());
        let mut faults = Vec::new();
        for message in self.each() {
            match check(message.from, message) {
                Ok(value) => drop(good.insert(message.from, value)),
                Err(fault) => faults.push((message.from, fault)),
            }
        }
        if faults.is_empty() { Ok(good) } else { Err(self.blame(faults)) }
    }

    /// Blames these parties, with all the frames received from them in this and earlier rounds.
    ///
    /// A party never names itself. If it is among them it has a defect, and nothing else that it has found can be trusted:
    /// [`Check::Internal`].
    #[must_use]
    pub fn blame(&self, faults: impl IntoIterator<Item = (PartyId, Fault)>) -> Abort {
        let (round, me) = (self.run.round(), self.run.party_id());
        let faults: Vec<_> = faults.into_iter().collect();
        if faults.iter().any(|(party, _)| *party == me) {
            return Abort::unattributed(round, Check::Internal);
        }
        let blames = faults.into_iter().map(|(party, fault)| {
            let frames = self.log.frames_of(party, round);
            let evidence = Some(Evidence { context: self.run.context(), frames });
            Blame { party, round, fault, evidence }
        });
        Abort::from_blames(round, blames.collect())
    }

    /// The body of this party's own broadcast of the round; empty where the round has none.
    #[must_use]
    pub fn own_broadcast(&self) -> &'a [u8] {
        self.log.own_broadcast()
    }

    /// The digest of a party's broadcast of the round, this one's included. Hash this where a hash of the whole body is
    /// needed.
    #[must_use]
    pub fn digest(&self, from: PartyId) -> BodyDigest {
        if from == self.run.party_id() {
            return self.log.own_digest();
        }
        let known = self.log.digest(from);
        known.unwrap_or_else(|| BodyDigest::of(self.body(from, Kind::Broadcast)))
    }

    /// The broadcasts of the round by all parties, this one included, by ascending sender. In
    /// [`Protocol::judge`](crate::Protocol::judge) some may be missing.
    pub fn broadcasts_of_all(&self) -> impl Iterator<Item = (PartyId, &'a [u8])> + use<'a> {
        let inbox = *self;
        inbox.run.parties().iter().filter_map(move |party| {
            let own = (party == inbox.run.party_id()).then(|| inbox.own_broadcast());
            let body = own.or_else(|| Some(inbox.from(party)?.broadcast))?;
            Some((party, body))
        })
    }

    /// The round whose messages these are.
    pub(crate) const fn round(&self) -> Round {
        self.run.round()
    }

    /// The frames of all broadcasts in the rounds before this one, by round and sender, and then this party's of this
    /// one, for the protocol with this code.
    pub(crate) fn broadcasts(&self, code: u8) -> Vec<(PartyId, FrameBytes)> {
        let (me, context, last) = (self.run.party_id(), self.run.context(), self.round());
        let mut prefix = Some(self.run.bound().prefix());
        let mut frames = Vec::new();
        for (round, sent) in (Round::FIRST.get()..=last.get()).map(Round).zip(self.log.sent()) {
            let own = sent.broadcast.as_ref().map(|body| {
                let header =
                    Header { version: frame::VERSION, code, round, from: me, to: None, context };
                FrameBytes::from(header.frame(prefix.as_ref(), body))
            });
            if round == last {
                frames.extend(own.map(|frame| (me, frame)));
                break;
            }
            let start = frames.len();
            let all = self.run.parties().iter().filter_map(|party| {
                let frame = self.log.shared(round, party, Kind::Broadcast);
                Some((party, if party == me { own.clone()? } else { frame? }))
            });
            frames.extend(all);
            let header = frame::HEADER + prefix.map_or(0, |prefix| prefix.len());
            let bodies = frames.get(start..).unwrap_or_default().iter();
            let bodies = bodies.map(|(_, frame)| frame.get(header..).unwrap_or_default());
            prefix = own.is_some().then(|| frame::echo(&context, round, bodies));
        }
        frames
    }

    fn message(&self, from: PartyId) -> Message<'a> {
        let broadcast = self.body(from, Kind::Broadcast);
        Message { from, broadcast, direct: self.body(from, Kind::Direct) }
    }

    fn body(&self, from: PartyId, kind: Kind) -> &'a [u8] {
        let frame = self.log.first(self.run.round(), from, kind);
        frame.and_then(|frame| frame.get(self.header..)).unwrap_or_default()
    }
}

impl fmt::Debug for Inbox<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.each()).finish()
    }
}
