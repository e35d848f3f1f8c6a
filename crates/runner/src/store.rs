//! The contract of a store, and the rows that it takes and gives.

use alloc::vec::Vec;

use quorate_session::{PartyId, Sealed, SessionId, Slot, SpentTable};

use crate::{Bounds, Time};

/// The [context](quorate_session::Run::context) of a run, under which the store finds it.
pub type Context = [u8; 32];
/// The [name](crate::packet::id) of a packet.
pub type PacketId = [u8; 32];

/// The storage of everything that has to outlive a runner's process: jobs, runs, inbox, outbox, tombstones, and the table
/// of what was spent.
///
/// Each method is **one transaction**: it happens whole or not at all, it is durable when it returns, and two that run at
/// the same time do not mix. A method that fails may have happened or not; the runner then forgets what it had in memory,
/// and goes on from the store. Several workers may share a store: what makes that safe is that
/// [`swap`](Self::swap) compares.
///
/// All bytes that are given to it are sealed or public. It must not be brought back to an earlier state: a
/// restored backup revives runs and outboxes of which later frames were sent. The claims ([`SpentTable`]) belong where
/// backups do not reach.
///
/// `testing::conformance` (feature `testing`) checks a store against this contract.
pub trait Store: SpentTable {
    /// Begins a run: stores its job under the session id, its session under its context, and its messages; and counts
    /// what was parked for it as its own. Changes nothing unless it says [`BeginOutcome::Begun`].
    ///
    /// # Errors
    /// The store's own.
    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome, Self::Error>;

    /// The row of a job.
    ///
    /// # Errors
    /// The store's own.
    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>, Self::Error>;

    /// The row of a run, ended or not.
    ///
    /// # Errors
    /// The store's own.
    fn run(&mut self, context: &Context) -> Result<Option<RunRow>, Self::Error>;

    /// Goes on with a run: puts a session in the place of the one at slot `before`, stores its messages, and marks what
    /// was taken in; or ends the run, if `step` has an outcome: then all that was received for it is forgotten but its
    /// tombstone. Gives `false`, and changes nothing, unless the session in the store is at slot `before`.
    ///
    /// # Errors
    /// The store's own.
    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> Result<bool, Self::Error>;

    /// Stores what a peer has sent, once. Of each [`Place`] it keeps two that differ.
    ///
    /// # Errors
    /// The store's own.
    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome, Self::Error>;

    /// The rows of a run that are not taken in yet, in the order in which they came.
    ///
    /// # Errors
    /// The store's own.
    fn inbox(&mut self, context: &Context) -> Result<Vec<InboxRow>, Self::Error>;

    /// Forgets messages to this peer, which has them. Gives their number.
    ///
    /// # Errors
    /// The store's own.
    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize, Self::Error>;

    /// At most so many messages whose time has come, those first whose time came first. The time of each becomes `now`
    /// and what [`Bounds::backoff`] says of the attempt.
    ///
    /// # Errors
    /// The store's own.
    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Letter>, Self::Error>;

    /// At most so many open runs whose deadline has come, those first whose deadline came first.
    ///
    /// # Errors
    /// The store's own.
    fn expired(&mut self, now: Time, most: usize) -> Result<Vec<Context>, Self::Error>;

    /// At most so many open runs with a greater context than this one, in ascending order.
    ///
    /// # Errors
    /// The store's own.
    fn open(&mut self, after: Option<&Context>, most: usize) -> Result<Vec<Context>, Self::Error>;

    /// Forgets what was parked, and messages, whose time is over.
    ///
    /// # Errors
    /// The store's own.
    fn prune(&mut self, now: Time) -> Result<(), Self::Error>;

    /// The next moment at which a message or a deadline is due.
    ///
    /// # Errors
    /// The store's own.
    fn next(&mut self) -> Result<Option<Time>, Self::Error>;

    /// The totals of everything.
    ///
    /// # Errors
    /// The store's own.
    fn counts(&mut self) -> Result<Counts, Self::Error>;
}

/// The beginning of a run, for [`Store::begin`].
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'a> {
    /// The name of its job.
    pub sid: SessionId,
    /// The digest of the job.
    pub digest: [u8; 32],
    /// The job, sealed.
    pub job: &'a [u8],
    /// The session at its start.
    pub sealed: &'a Sealed,
    /// Its deadline.
    pub deadline: Time,
    /// The longest [`Arrival::sealed`] that it takes, in bytes.
    pub longest: usize,
    /// Its first messages.
    pub letters: &'a [Letter],
}

/// The outcome of [`Store::begin`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeginOutcome {
    /// The run is stored.
    Begun,
    /// There is a job under this session id, or a run under this context.
    Exists,
    /// [`Bounds::open`] runs are open.
    Busy,
    /// More bytes than [`Bounds::outbox`] wait.
    Outbox,
}

/// A step of a run, or its end, for [`Store::swap`].
#[derive(Clone, Copy, Debug)]
pub struct NewStep<'a> {
    /// The session after the step; the tombstone, if the run has ended.
    pub after: &'a Sealed,
    /// The rows of the inbox that were taken in, by sender and packet.
    pub taken: &'a [(PartyId, PacketId)],
    /// The messages of the step.
    pub letters: &'a [Letter],
    /// The outcome, sealed, if the run has ended.
    pub outcome: Option<&'a [u8]>,
}

/// A job in a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobRow {
    /// Its digest.
    pub digest: [u8; 32],
    /// The context of its run.
    pub context: Context,
    /// The outcome, sealed, if the run has ended.
    pub outcome: Option<Vec<u8>>,
}

/// A run in a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunRow {
    /// The job, sealed.
    pub job: Vec<u8>,
    /// The session or the tombstone: [`Sealed::as_bytes`].
    pub sealed: Vec<u8>,
    /// Its deadline.
    pub deadline: Time,
}

/// A message in a store, which waits for acknowledgement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// The recipient. With the id it is the key of the row.
    pub to: PartyId,
    /// The name of the packet.
    pub id: PacketId,
    /// The packet, sealed.
    pub sealed: Vec<u8>,
    /// The moment at which it is to be sent first.
    pub due: Time,
    /// The moment from which on it is of no use.
    pub until: Time,
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
}

/// A packet of a peer about a run, for [`Store::put`].
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// The run.
    pub context: Context,
    /// Its place.
    pub place: Place,
    /// The name of the packet.
    pub id: PacketId,
    /// The frame, sealed; of [`ArrivalKind::Stopped`], nothing.
    pub sealed: &'a [u8],
    /// The moment at which it is forgotten, if no run takes it in.
    pub until: Time,
}

/// The outcome of [`Store::put`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PutOutcome {
    /// Stored for an open run, of which so many rows are not taken in now, this one included.
    Stored(usize),
    /// Stored for a run that has not started here.
    Parked,
    /// Stored before.
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
    /// Its place.
    pub place: Place,
    /// The name of the packet.
    pub id: PacketId,
    /// The frame, sealed.
    pub sealed: Vec<u8>,
}

/// The totals of a store.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Open runs.
    pub open: usize,
    /// Messages that wait for acknowledgement.
    pub letters: usize,
    /// Bytes of them.
    pub outbox: usize,
    /// Bytes parked by all peers, with their [`PARKED_OVERHEAD`](crate::PARKED_OVERHEAD).
    pub parked: usize,
}
