//! Working on runs.

use alloc::sync::Arc;
use alloc::vec::Vec;

use quorate_session::{Protocol, Sealed, SessionId};

use super::{Error, Runner};
use crate::bounds::count_one;
use crate::store::{Context, NewStep, RunRow, Store};
use crate::work::{FinishedWork, Source, Work, Worth};
use crate::{App, EndKind, Job, Outcome, Refusal, Time};

/// A run that has just ended, with its outcome, which is stored.
///
/// After a crash it is not given out again: the outcome is there for [`Runner::start`] and [`Runner::outcome`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndedRun {
    /// The name of the job.
    pub sid: SessionId,
    /// The outcome.
    pub outcome: Outcome,
}

/// Runs that are given up at a time.
const EXPIRED: usize = 16;

impl<P: Protocol, S: Store, A: App<P>> Runner<P, S, A> {
    /// The next piece of work, or `None` if there is nothing to do until a packet comes or [a time](Self::next_due). Several
    /// may be out at a time, each of another run; each has to come back by [`finish`](Self::finish). If one is lost, its run
    /// stands still until a runner is made anew.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn next_work(&mut self, now: Time) -> Result<Option<Work<P>>, Error<S::Error>> {
        // Those that are being worked on are among them.
        let most = EXPIRED.saturating_add(self.out.len());
        let expired = self.store.expired(P::CODE, now, most).map_err(Error::Store)?;
        expired.into_iter().for_each(|context| self.ready.push(context));
        while let Some(context) = self.ready.pop() {
            if let Some(dirty) = self.out.get_mut(&context) {
                *dirty = true;
                continue;
            }
            let work = self.work_on(context, now).inspect_err(|_| self.ready.push(context))?;
            if let Some(work) = work {
                self.out.insert(context, false);
                return Ok(Some(work));
            }
        }
        Ok(None)
    }

    /// Stores what came of a piece of work; gives the outcome, if the run has ended.
    ///
    /// # Errors
    /// [`Error::Store`]: the run goes on from what the store has. [`Error::Seal`]: the session does not open; the run
    /// waits until its deadline.
    pub fn finish(&mut self, worked: FinishedWork<P>) -> Result<Option<EndedRun>, Error<S::Error>> {
        let FinishedWork { context, sid, job, opened, result } = worked;
        let dirty = self.out.remove(&context).unwrap_or(false);
        if dirty {
            self.ready.push(context);
        }
        if opened {
            count_one(&mut self.metrics.opened);
        }
        match result {
            Worth::Waiting(mut hot) => {
                hot.reread = dirty;
                self.keep(context, hot);
                Ok(None)
            }
            Worth::Round { before, after, taken, letters, mut hot } => {
                let step =
                    NewStep { after: &after, taken: &taken, letters: &letters, outcome: None };
                if self.swap(context, before, &step)? {
                    count_one(&mut self.metrics.rounds);
                    hot.reread = dirty;
                    self.keep(context, hot);
                    // What came early may be all that the next round needs.
                    self.ready.push(context);
                }
                Ok(None)
            }
            Worth::Ended { before, tombstone, letters, end } => {
                let kind = end.kind();
                let record = job.map(|job| self.app.record(&job, end)).unwrap_or_default();
                let outcome = Outcome { kind, record };
                let sealed = self.seal_outcome(&sid, &outcome);
                let step = NewStep {
                    after: &tombstone,
                    taken: &[],
                    letters: &letters,
                    outcome: Some(&sealed),
                };
                let stored = match before {
                    Some(before) => self.swap(context, before, &step)?,
                    None => self.bury(context, &step)?,
                };
                if !stored {
                    return Ok(None);
                }
                count_one(match kind {
                    EndKind::Done | EndKind::Unconfirmed => &mut self.metrics.done,
                    EndKind::Stopped | EndKind::Lost => &mut self.metrics.stopped,
                });
                Ok(Some(EndedRun { sid, outcome }))
            }
            Worth::Unopened(why) => Err(Error::Seal(why)),
        }
    }

    /// Works until there is nothing to do, on this thread; gives the outcomes of the runs that have ended.
    ///
    /// # Errors
    /// Those of [`next_work`](Self::next_work) and [`finish`](Self::finish), of one run. The others go on with the next
    /// call, which gives those that ended in this one, too.
    pub fn work(&mut self, now: Time) -> Result<Vec<EndedRun>, Error<S::Error>> {
        self.work_off(now)?;
        Ok(core::mem::take(&mut self.events))
    }

    pub(crate) fn work_off(&mut self, now: Time) -> Result<(), Error<S::Error>> {
        while let Some(work) = self.next_work(now)? {
            let event = self.finish(work.run())?;
            self.events.extend(event);
        }
        Ok(())
    }

    /// Swaps; if another worker was faster, or it is not known whether this one was, goes on from the store.
    fn swap(
        &mut self,
        context: Context,
        before: quorate_session::Slot,
        step: &NewStep<'_>,
    ) -> Result<bool, Error<S::Error>> {
        let swapped = self.store.swap(before, step).map_err(Error::Store);
        if !matches!(swapped, Ok(true)) {
            if matches!(swapped, Ok(false)) && self.is_torn(&context, before)? {
                self.torn.insert(context);
            }
            self.ready.push(context);
            count_one(&mut self.metrics.stale);
        }
        swapped
    }

    /// Whether the store still gives the session of a slot that it says has gone.
    fn is_torn(
        &mut self,
        context: &Context,
        before: quorate_session::Slot,
    ) -> Result<bool, Error<S::Error>> {
        let row = self.store.run(context).map_err(Error::Store)?;
        let sealed = row.and_then(|row| Sealed::from_bytes(&row.sealed).ok());
        Ok(sealed.is_some_and(|sealed| sealed.slot() == before))
    }

    /// Closes a run whose row is damaged, whatever is in it.
    fn bury(&mut self, context: Context, step: &NewStep<'_>) -> Result<bool, Error<S::Error>> {
        let buried = self.store.bury(&context, step).map_err(Error::Store);
        self.torn.remove(&context);
        match buried {
            Ok(true) => count_one(&mut self.metrics.damaged),
            Ok(false) => {}
            Err(_) => self.ready.push(context),
        }
        buried
    }

    /// Work on a run, unless it is another protocol's, has ended or has to wait.
    fn work_on(&mut self, context: Context, now: Time) -> Result<Option<Work<P>>, Error<S::Error>> {
        let Some(row) = self.store.run(&context).map_err(Error::Store)? else { return Ok(None) };
        if row.code != P::CODE {
            return Ok(None);
        }
        let job = self.open_job(&row.job).filter(|job| job.sid == row.sid);
        let hot = self.hot.remove(&context);
        let hot = hot.filter(|hot| hot.sid() == row.sid && hot.is_stored_as(&row.sealed));
        let source = match hot {
            Some(hot) if job.is_some() => Source::Hot(hot),
            _ => match self.stored(&context, &row, job.as_ref(), now)? {
                Some(source) => source,
                None => return Ok(None),
            },
        };
        let reads = source.reads();
        let arrivals =
            if reads { self.store.inbox(&context).map_err(Error::Store)? } else { Vec::new() };
        let (me, key, bounds, sid) = (self.me, Arc::clone(&self.key), self.bounds, row.sid);
        Ok(Some(Work { context, sid, job, me, key, bounds, now, source, arrivals }))
    }

    /// The session of a run as the store has it; `None` if the run has ended or has to wait.
    fn stored(
        &mut self,
        context: &Context,
        row: &RunRow,
        job: Option<&Job>,
        now: Time,
    ) -> Result<Option<Source<P>>, Error<S::Error>> {
        let sealed = Sealed::from_bytes(&row.sealed).ok().filter(|sealed| {
            let slot = sealed.slot();
            slot.session() == *context && slot.party() == self.me && !self.torn.contains(context)
        });
        if sealed.as_ref().is_some_and(Sealed::is_tombstone) && self.has_ended(context, row)? {
            return Ok(None);
        }
        Ok(match (sealed, job) {
            (Some(sealed), Some(job)) if !sealed.is_tombstone() => self.cold(job, sealed, now),
            // A row that is damaged, or another run's, is nothing to go on with. It is closed when its time is over.
            _ => (now >= row.deadline).then_some(Source::Damaged),
        })
    }

    /// Whether the outcome of the run is there: then there is nothing left for the application to record.
    fn has_ended(&mut self, context: &Context, row: &RunRow) -> Result<bool, Error<S::Error>> {
        let job = self.store.job(&row.sid).map_err(Error::Store)?;
        Ok(job.is_some_and(|job| job.context == *context && job.outcome.is_some()))
    }

    /// A session that is not in memory. Without parameters it waits, until its deadline.
    fn cold(&mut self, job: &Job, sealed: Sealed, now: Time) -> Option<Source<P>> {
        if let Some(params) = self.app.params(job) {
            return Some(Source::Cold { sealed, params });
        }
        self.metrics.refuse(Refusal::NoParams);
        let why = "the application has no parameters for the job";
        (now >= job.deadline).then(|| Source::Lost { stored: sealed.slot(), why })
    }
}
