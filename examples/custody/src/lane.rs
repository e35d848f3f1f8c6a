//! A runner behind one face, whatever its protocol is.

use getrandom::SysRng;
use quorate::PartyId;
use quorate::runner::{
    App, Bounds, EndedRun, Error, Job, Metrics, Outcome, OutgoingPacket, Refusal, Runner,
    StartOutcome, Store, Time,
};
use quorate::session::Protocol;
use quorate::session::rand_core::UnwrapErr;
use quorate_examples::failure::Failure;

/// The bounds of a node's runners, which count milliseconds. A message is sent again within half a second: the network is
/// near, and whoever was killed wants to hear of it.
pub const BOUNDS: Bounds = Bounds { resend: 100, resend_max: 500, ..Bounds::new(1000) };

/// The fate of an order that was handed to a lane.
pub enum Told {
    /// The run is on its way.
    Running,
    /// It has ended.
    Ended(Outcome),
    /// It cannot begin yet. The order is to come again.
    NotYet,
    /// It never begins: the reason.
    Never(String),
}

/// The runner of one protocol.
pub trait Lane {
    /// The code of the protocol.
    fn code(&self) -> u8;

    /// What its runner has counted.
    fn counts(&self) -> Metrics;

    /// Whether a job has begun, whatever has become of it.
    ///
    /// # Errors
    /// A [`Failure`] of the store.
    fn knows(&mut self, job: &Job) -> Result<bool, Failure>;

    /// Starts a job, once.
    ///
    /// # Errors
    /// A [`Failure`] of the store.
    fn start(&mut self, job: &Job, now: Time) -> Result<Told, Failure>;

    /// Takes a packet. What is wrong with one is counted.
    ///
    /// # Errors
    /// A [`Failure`] of the store.
    fn receive(&mut self, from: PartyId, packet: &[u8], now: Time) -> Result<(), Failure>;

    /// Works until nothing is left to do.
    ///
    /// # Errors
    /// A [`Failure`] of the store.
    fn work(&mut self, now: Time) -> Result<Vec<EndedRun>, Failure>;

    /// The packets that are to be sent.
    ///
    /// # Errors
    /// A [`Failure`] of the store.
    fn outgoing(&mut self, now: Time) -> Result<Vec<OutgoingPacket>, Failure>;

    /// Looks after all open runs again: what they waited for is there.
    ///
    /// # Errors
    /// A [`Failure`] of the store.
    fn recover(&mut self) -> Result<(), Failure>;

    /// When something is due.
    ///
    /// # Errors
    /// A [`Failure`] of the store.
    fn next_due(&mut self) -> Result<Option<Time>, Failure>;

    /// Forgets the record of a job, which the vault has.
    ///
    /// # Errors
    /// A [`Failure`] of the store.
    fn forget(&mut self, job: &Job) -> Result<(), Failure>;
}

/// Messages that are sent at a time.
const MOST: usize = 256;

impl<P, S, A> Lane for Runner<P, S, A>
where
    P: Protocol,
    S: Store<Error: core::error::Error + 'static>,
    A: App<P>,
{
    fn code(&self) -> u8 {
        P::CODE
    }

    fn counts(&self) -> Metrics {
        *self.metrics()
    }

    fn knows(&mut self, job: &Job) -> Result<bool, Failure> {
        Ok(self.store().job(&job.sid)?.is_some())
    }

    fn start(&mut self, job: &Job, now: Time) -> Result<Told, Failure> {
        match Runner::start(self, job, now, &mut UnwrapErr(SysRng)) {
            Ok(StartOutcome::Begun | StartOutcome::Running) => Ok(Told::Running),
            Ok(StartOutcome::Ended(outcome)) => Ok(Told::Ended(outcome)),
            Err(Error::Refused(Refusal::Busy | Refusal::Outbox | Refusal::NoParams)) => {
                Ok(Told::NotYet)
            }
            Err(Error::Refused(why)) => Ok(Told::Never(why.to_string())),
            Err(Error::Params(why)) => Ok(Told::Never(why.to_string())),
            Err(error) => Err(error.into()),
        }
    }

    fn receive(&mut self, from: PartyId, packet: &[u8], now: Time) -> Result<(), Failure> {
        Ok(Runner::receive(self, from, packet, now).map(drop)?)
    }

    fn work(&mut self, now: Time) -> Result<Vec<EndedRun>, Failure> {
        loop {
            match Runner::work(self, now) {
                Ok(events) => return Ok(events),
                // A session that does not open waits for its deadline, and hinders no other.
                Err(Error::Seal(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn outgoing(&mut self, now: Time) -> Result<Vec<OutgoingPacket>, Failure> {
        Ok(Runner::outgoing(self, now, MOST)?)
    }

    fn recover(&mut self) -> Result<(), Failure> {
        Ok(Runner::recover(self)?)
    }

    fn next_due(&mut self) -> Result<Option<Time>, Failure> {
        Ok(Runner::next_due(self)?)
    }

    fn forget(&mut self, job: &Job) -> Result<(), Failure> {
        Ok(Runner::forget_record(self, job).map(drop)?)
    }
}
