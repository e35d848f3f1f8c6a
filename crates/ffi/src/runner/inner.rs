//! The runner under its lock.

use std::sync::Arc;

use quorate::runner::{self, ReceiveOutcome, StartOutcome};
use quorate::session::SealKey;

use super::job::{Ended, EndedRun, Problem, Started, Tasks};
use super::jobs::Jobs;
use super::protocols::{Inside, Protocols, Starts, failed};
use super::turn::{Packet, Refused, Turn};
use crate::arguments::{Received, party};
use crate::continuity::Continuity;
use crate::error::{ErrorKind, QuorateError, Result};
use crate::row_store::RowStore;
use crate::rows::Rows;

/// The packets of one turn, at most.
const PACKETS: usize = 1024;

/// A runner, and the ended runs that the caller has not been told.
pub(super) struct Inner {
    inside: Inside,
    starts: Starts,
    ended: Vec<EndedRun>,
}

impl Inner {
    pub(super) fn open(
        me: u16,
        key: Arc<SealKey>,
        rows: Arc<dyn Rows>,
        tasks: Arc<dyn Tasks>,
        continuity: Continuity,
    ) -> Result<Self> {
        let me = party(me)?;
        let jobs = Jobs::new(me, Arc::clone(&key), tasks);
        let builder = runner::Runner::builder(me, key, continuity.into());
        let Protocols { builder, starts } = Protocols::all(builder);
        let inside = builder.open(RowStore::new(rows), jobs).map_err(failed)?;
        Ok(Self { inside, starts, ended: Vec::new() })
    }

    pub(super) fn start(&mut self, job: &runner::Job, now: u64) -> Result<Started> {
        // A job that was ordered before needs no task.
        let known = self.inside.store().kind_of(&job.sid)?;
        let prepared = match known {
            Some(_) => None,
            None => Some(self.inside.app().ask(job)?),
        };
        let kind = known.or(prepared.as_ref().map(|prepared| prepared.kind()));
        let start = kind.and_then(|kind| self.starts.get(&kind)).copied();
        let unknown = || QuorateError::new(ErrorKind::Defect, "a protocol that no runner has");
        let start = start.ok_or_else(unknown)?;
        self.inside.app().prepare(prepared);
        let started = start(&mut self.inside, job, now);
        self.inside.app().prepare(None);
        // The run of a job that was ordered before may be open, and keeps everything.
        if started.is_err() && known.is_none() {
            self.inside.app().not_started(job);
        }
        Ok(match started? {
            StartOutcome::Begun => Started::Begun,
            StartOutcome::Running => Started::Running,
            StartOutcome::Ended(outcome) => {
                Started::Ended { end: self.inside.app().read(&outcome)? }
            }
        })
    }

    pub(super) fn turn(&mut self, received: &[Received], now: u64) -> Result<Turn> {
        let mut refused = Vec::new();
        for Received { sender, bytes } in received {
            let fate = self.inside.receive(party(*sender)?, bytes, now).map_err(failed)?;
            if let ReceiveOutcome::Refused(why) = fate {
                refused.push(Refused { sender: *sender, reason: why.to_string() });
            }
        }
        for run in self.inside.work(now).map_err(failed)? {
            let end = self.inside.app().told(run.sid.as_bytes(), &run.outcome);
            self.ended.push(EndedRun { session_id: run.sid.as_bytes().to_vec(), end });
        }
        self.inside.app().all_told();
        let packets = self.inside.outgoing(now, PACKETS).map_err(failed)?;
        let packet = |one: &runner::OutgoingPacket| Packet {
            recipient: one.to.get(),
            bytes: one.bytes.to_vec(),
        };
        let packets = packets.iter().map(packet).collect();
        let next_due = self.inside.next_due().map_err(failed)?;
        // Those of turns that failed after their runs had ended are among them.
        let ended = core::mem::take(&mut self.ended);
        Ok(Turn { ended, packets, refused, next_due })
    }

    pub(super) fn outcome(&mut self, job: &runner::Job) -> Result<Option<Ended>> {
        let outcome = self.inside.outcome(job).map_err(failed)?;
        outcome.map(|outcome| self.inside.app().read(&outcome)).transpose()
    }

    pub(super) fn forget_record(&mut self, job: &runner::Job) -> Result<bool> {
        self.inside.forget_record(job).map_err(failed)
    }

    pub(super) fn problems(&mut self) -> Vec<Problem> {
        self.inside.app().problems()
    }
}
