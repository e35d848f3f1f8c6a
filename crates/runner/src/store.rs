//! The contract of a store, and the rows that it takes and gives.

use alloc::vec::Vec;

use quorate_session::frame::{Prefix, Tag};
use quorate_session::{PartyId, Sealed, SessionId, Slot, SpentTable};

use crate::{Bounds, Kind, Time};

/// The [context](quorate_session::Run::context) of a run, under which the store finds it.
pub type RunContext = [u8; 32];
/// The [name](crate::packet::id) of a packet.
pub type PacketId = [u8; 32];

/// The storage of everything that has to outlive a runner's process: jobs, runs, inbox, outbox, tombstones, and the table
/// of what was spent.
///
/// Each method is **one transaction**: it happens whole or not at all, it is durable when it returns, and two that run at
/// the same time do not mix. A method that fails may have taken effect or not. The runner then forgets what it had in
/// memory, and continues from the store. Therefore [`due`](MessageTable::due) and [`run`](RunTable::run) return durable
/// data only, whatever failed before. A store that answers from memory updates this memory only after the disk. Several
/// workers may share a store, because [`swap`](RunTable::swap) compares.
///
/// The bytes that a store is given are sealed or public. A store is of one party, under one key:
/// [`canary`](RunTable::canary) shows it.
///
/// **A store must not be restored to an older copy.** The party then sends other messages in rounds in which it has sent
/// some before. Each peer that holds two such messages has evidence of equivocation against this party, which any third
/// party verifies, though nobody has cheated. Two answers under one nonce reveal the key share, too. An application that
/// restarts says with [`Continuity`](crate::Continuity) how it knows that the store is the latest. The claims
/// ([`SpentTable`]) belong where backups do not reach.
///
/// A runner hands over what has gathered in a turn at once: [`begin_all`](RunTable::begin_all), [`swap_all`](RunTable::swap_all)
/// and [`put_all`](MessageTable::put_all). Each record of a batch is atomic by itself and has an answer of its own, and all
/// that the answers say is durable when the method returns. A store that commits a batch in one transaction waits for the disk
/// once; the default methods call the method of one record for each. After a crash any of the records may be there, each
/// whole.
///
/// `testing::conformance` (feature `testing`) checks a store against this contract.
pub trait Store: RunTable + MessageTable {}

impl<S: RunTable + MessageTable> Store for S {}

/// The jobs and the runs of a [`Store`].
pub trait RunTable: SpentTable {
    /// Stores this canary, unless the store has one. Gives the one that was there before, or `None` if there was none.
    ///
    /// The canary is the party, sealed. It shows a runner with another key, or of another party, that the store is not its
    /// own.
    ///
    /// # Errors
    /// The store's own.
    fn canary(&mut self, new: &[u8]) -> Result<Option<Vec<u8>>, Self::Error>;

    /// Begins a run: stores its job under the session id, its session under its context, and its messages; and counts
    /// what was parked for it as its own. Of each peer that has parked something with the [tag](NewRun::tag) of the run
    /// and another context, one [opening](Arrival::opening) is copied for the run, as [`ArrivalKind::Other`]. Changes
    /// nothing unless it says [`BeginOutcome::Begun`].
    ///
    /// # Errors
    /// The store's own.
    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome, Self::Error>;

    /// Begins several runs, in this order, as [`begin`](RunTable::begin) does each. Gives an answer for each: one that is refused
    /// or fails takes no other with it.
    fn begin_all(
        &mut self,
        runs: &[NewRun<'_>],
        bounds: &Bounds,
    ) -> Vec<Result<BeginOutcome, Self::Error>> {
        runs.iter().map(|run| self.begin(run, bounds)).collect()
    }

    /// The row of a job.
    ///
    /// # Errors
    /// The store's own.
    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>, Self::Error>;

    /// The row of a run, ended or not.
    ///
    /// # Errors
    /// The store's own.
    fn run(&mut self, context: &RunContext) -> Result<Option<RunRow>, Self::Error>;

    /// Stores a step of a run: replaces the session at slot `before`, stores its messages, and marks what was taken in.
    ///
    /// If `step` has an outcome, the run ends. Its inbox is forgotten, the tombstone stays, and its messages go at
    /// [`NewStep::until`] at the latest. Gives `false`, and changes nothing, unless the session in the store is at slot
    /// `before`.
    ///
    /// # Errors
    /// The store's own.
    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> Result<bool, Self::Error>;

    /// Stores steps of several runs, in this order, as [`swap`](RunTable::swap) does each. Gives an answer for each: one that is
    /// refused or fails takes no other with it.
    fn swap_all(&mut self, swaps: &[Swap<'_>]) -> Vec<Result<bool, Self::Error>> {
        swaps.iter().map(|swap| self.swap(swap.before, &swap.step)).collect()
    }

    /// Ends a run whose session nobody can open, whatever is stored of it: as [`swap`](RunTable::swap) does with an outcome.
    /// Gives `false`, and changes nothing, if there is no such run or it has ended.
    ///
    /// # Errors
    /// The store's own.
    fn abandon(&mut self, context: &RunContext, step: &NewStep<'_>) -> Result<bool, Self::Error>;

    /// Replaces the outcome of a job whose run has ended. Gives `false`, and changes nothing, if the job is unknown or its run is
    /// open.
    ///
    /// # Errors
    /// The store's own.
    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Result<bool, Self::Error>;

    /// The open runs of these kinds whose deadline has come, ordered by deadline; at most `most`.
    ///
    /// # Errors
    /// The store's own.
    fn expired(
        &mut self,
        kinds: &[Kind],
        now: Time,
        most: usize,
    ) -> Result<Vec<RunContext>, Self::Error>;

    /// At most `most` open runs of these kinds with a greater context than `after`, in ascending order.
    ///
    /// # Errors
    /// The store's own.
    fn open(
        &mut self,
        kinds: &[Kind],
        after: Option<&RunContext>,
        most: usize,
    ) -> Result<Vec<RunContext>, Self::Error>;

    /// The next moment at which a message is due, or the deadline of an open run of these kinds.
    ///
    /// # Errors
    /// The store's own.
    fn next(&mut self, kinds: &[Kind]) -> Result<Option<Time>, Self::Error>;

    /// The number of open runs, of every kind. While there are many, each start asks for it: a store that can count these alone should.
    ///
    /// # Errors
    /// The store's own.
    fn open_runs(&mut self) -> Result<usize, Self::Error> {
        Ok(self.counts()?.open)
    }

    /// The totals of everything.
    ///
    /// # Errors
    /// The store's own.
    fn counts(&mut self) -> Result<Counts, Self::Error>;
}

/// The messages of a [`Store`]: what peers have sent, and what waits to be sent to them.
pub trait MessageTable: SpentTable {
    /// Stores what a peer has sent, once. Of each [`Place`] it keeps two that differ.
    ///
    /// Where there is no run under its context, but an open one with the [tag](NewRun::tag) of its
    /// [opening](Arrival::opening), the answer is [`PutOutcome::Other`]: the opening of the first such frame of each peer is
    /// stored for that run.
    ///
    /// # Errors
    /// The store's own.
    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome, Self::Error>;

    /// Stores several packets, in this order, as [`put`](MessageTable::put) does each. Gives an answer for each: one that is
    /// refused or fails takes no other with it.
    fn put_all(
        &mut self,
        arrivals: &[Arrival<'_>],
        bounds: &Bounds,
    ) -> Vec<Result<PutOutcome, Self::Error>> {
        arrivals.iter().map(|arrival| self.put(arrival, bounds)).collect()
    }

    /// The rows of a run that are not taken in yet, in the order in which they came.
    ///
    /// # Errors
    /// The store's own.
    fn inbox(&mut self, context: &RunContext) -> Result<Vec<InboxRow>, Self::Error>;

    /// Forgets messages to this peer, which has them. Gives their number.
    ///
    /// # Errors
    /// The store's own.
    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize, Self::Error>;

    /// The messages whose time has come, each to one peer, ordered by time; at most `most`. The next time of each is `now`
    /// plus what [`Bounds::backoff`] gives for the attempt.
    ///
    /// # Errors
    /// The store's own.
    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>, Self::Error>;

    /// Forgets parked frames and messages whose time is over. A call may leave some of them to the next one, so that no
    /// call takes long.
    ///
    /// # Errors
    /// The store's own.
    fn prune(&mut self, now: Time) -> Result<(), Self::Error>;
}

/// The beginning of a run, for [`RunTable::begin`].
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'a> {
    /// The kind of its protocol.
    pub kind: Kind,
    /// The name of its job.
    pub sid: SessionId,
    /// The tag of the session id, by which frames of peers with other parameters are told.
    pub tag: Tag,
    /// The digest of the job.
    pub digest: [u8; 32],
    /// The job, sealed.
    pub job: &'a [u8],
    /// The session at its start.
    pub sealed: &'a Sealed,
    /// The deadline of the run.
    pub deadline: Time,
    /// The longest [`Arrival::sealed`] that it takes, in bytes.
    pub longest: usize,
    /// The first messages of the run.
    pub messages: &'a [OutgoingMessage],
}

/// The outcome of [`RunTable::begin`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeginOutcome {
    /// The run is stored.
    Begun {
        /// Whether it has taken over something that was parked. A store that would have to look for it says `true`.
        parked: bool,
    },
    /// There is a job under this session id, or a run under this context.
    Exists,
    /// [`Bounds::open`] runs are open.
    Busy,
    /// More bytes than [`Bounds::outbox`] wait for one of the recipients of its first messages.
    Outbox,
}

/// The name of a row of the inbox that a session has taken in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Taken {
    /// The sender, by the transport.
    pub from: PartyId,
    /// The name of the packet.
    pub id: PacketId,
}

/// A step of a run, or its end, for [`RunTable::swap`].
#[derive(Clone, Copy, Debug)]
pub struct NewStep<'a> {
    /// The session after the step; the tombstone, if the run has ended.
    pub after: &'a Sealed,
    /// The rows of the inbox that were taken in, by sender and packet.
    pub taken: &'a [Taken],
    /// The messages of the step.
    pub messages: &'a [OutgoingMessage],
    /// The outcome, sealed, if the run has ended.
    pub outcome: Option<&'a [u8]>,
    /// Of a run that has ended, the moment from which on its messages are of no use, those of this step included. A message
    /// whose own [`OutgoingMessage::until`] comes first is forgotten then.
    pub until: Time,
}

/// A step of a run with the slot that it replaces, for [`RunTable::swap_all`].
#[derive(Clone, Copy, Debug)]
pub struct Swap<'a> {
    /// The slot of the session in the store.
    pub before: Slot,
    /// The step.
    pub step: NewStep<'a>,
}

/// A job in a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobRow {
    /// The digest of the job.
    pub digest: [u8; 32],
    /// The context of its run.
    pub context: RunContext,
    /// The outcome, sealed, if the run has ended.
    pub outcome: Option<Vec<u8>>,
}

/// A run in a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunRow {
    /// The kind of its protocol.
    pub kind: Kind,
    /// The name of its job.
    pub sid: SessionId,
    /// The job, sealed.
    pub job: Vec<u8>,
    /// The session or the tombstone: [`Sealed::as_bytes`].
    pub sealed: Vec<u8>,
    /// The deadline of the run.
    pub deadline: Time,
}

/// A message in a store, which waits for acknowledgement: once, with the list of those who have not acknowledged it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutgoingMessage {
    /// The recipients.
    pub to: Vec<PartyId>,
    /// The name of the packet, and the key of the row.
    pub id: PacketId,
    /// The packet, sealed.
    pub sealed: Vec<u8>,
    /// The moment from which on [`MessageTable::due`] gives it. A runner sends a short message as soon as it is stored: then this
    /// is the time of the second attempt.
    pub due: Time,
    /// The moment from which on it is of no use.
    pub until: Time,
}

/// A message to one of its recipients, to be sent now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Due {
    /// The recipient.
    pub to: PartyId,
    /// The name of the packet.
    pub id: PacketId,
    /// The run whose message it is.
    pub context: RunContext,
    /// The packet, sealed.
    pub sealed: Vec<u8>,
}

/// The place of a message in a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The sender, by the transport.
    pub from: PartyId,
    /// The round; 0 for [`ArrivalKind::Stopped`].
    pub round: u8,
    /// The kind.
    pub kind: ArrivalKind,
}

/// The kinds of packets that peers send about a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ArrivalKind {
    /// A frame for all.
    Broadcast,
    /// A frame for this party alone.
    Direct,
    /// "No more frames will come from me."
    Stopped,
    /// A frame of round 1 of the same session with other parameters. Of it the [opening](Arrival::opening) is stored,
    /// in clear.
    Other,
}

/// A packet of a peer about a run, for [`MessageTable::put`].
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// The run.
    pub context: RunContext,
    /// The place of the packet.
    pub place: Place,
    /// The name of the packet.
    pub id: PacketId,
    /// The frame, sealed; of [`ArrivalKind::Stopped`], nothing.
    pub sealed: &'a [u8],
    /// Of a frame of round 1 what stands between its header and its body. Not secret.
    pub opening: Option<Prefix>,
    /// The moment at which it is forgotten, if no run takes it in.
    pub until: Time,
}

/// The outcome of [`MessageTable::put`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PutOutcome {
    /// Stored for an open run. The number of its rows that are not taken in, this one included.
    Stored(usize),
    /// Stored for a run that has not started here, now or before. It is not acknowledged: it may be forgotten before its
    /// run starts.
    Parked,
    /// Of the session of this open run, it seems, with other parameters: a frame of round 1 with its tag. If it is the
    /// first of this peer, its opening was stored for that run.
    Other {
        /// The open run.
        run: RunContext,
        /// The number of its rows that are not taken in, if the opening was stored.
        waiting: Option<usize>,
    },
    /// Stored before, for a run that has started.
    Duplicate,
    /// The run has ended; nothing was stored.
    Ended,
    /// Two others are stored for this place; nothing was stored.
    Contradiction,
    /// Longer than the run takes; nothing was stored.
    TooLong,
    /// The peer has parked as much as it may; nothing was stored.
    Full,
}

/// A packet of a peer in a store, which is not taken in yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InboxRow {
    /// The place of the packet.
    pub place: Place,
    /// The name of the packet.
    pub id: PacketId,
    /// The frame, sealed; of [`ArrivalKind::Other`] its opening, in clear.
    pub sealed: Vec<u8>,
}

/// The totals of a store.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Open runs.
    pub open: usize,
    /// Messages that wait for acknowledgement, each as often as it has recipients who have not acknowledged it.
    pub messages: usize,
    /// Bytes of them, each once.
    pub outbox: usize,
    /// Bytes parked by all peers, with their [`PARKED_OVERHEAD`](crate::PARKED_OVERHEAD).
    pub parked: usize,
}
