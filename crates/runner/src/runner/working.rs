//! Working on runs.

use alloc::sync::Arc;
use alloc::vec::Vec;

use quorate_session::zeroize::Zeroizing;
use quorate_session::{Sealed, SessionId, Slot};

use super::prepared::{EndedRun, Prepared, PreparedStep};
use super::{Error, Out, Runner};
use crate::end::{End, Registration};
use crate::metrics::count_one;
use crate::store::{JobRow, NewStep, RunContext, RunRow, Store, Swap};
use crate::work::{Closing, Desk, FinishedWork, Source, Work, Worth};
use crate::{EndKind, Job, Kind, Outcome, Refusal, Time, Unopened};

/// Runs that are given up at a time.
const EXPIRED: usize = 16;
/// Steps that are stored at once.
const TOGETHER: usize = 64;

impl<S: Store, A> Runner<S, A> {
    /// The next piece of work, or `None` if there is nothing to do until a packet comes or [a time](Self::next_due). Several
    /// may be out at a time, each of another run; each has to come back by [`finish`](Self::finish). If one is lost, its run
    /// stands still until a runner is made anew. The same holds of a run whose application panics, here or in `finish`.
    ///
    /// # Errors
    /// [`Error::Store`]. [`Error::OtherKey`] if another key has sealed a run: it goes on under that key, and no deadline
    /// ends it here. The error comes again when something happens to the run, and after its deadline once in
    /// [`Bounds::resend`](crate::Bounds::resend). If the whole store was resealed under another key, every call gives it
    /// from then on, and stores nothing.
    pub fn next_work(&mut self, now: Time) -> Result<Option<Work>, Error<S::Error>> {
        self.is_open()?;
        self.now = now;
        // What is ready at this time comes first.
        let looks = self.looked != Some(now) || self.ready.order.is_empty();
        if looks && !self.nothing_is_due(now) {
            self.look_for_expired(now)?;
        }
        while let Some(context) = self.ready.pop() {
            if let Some(out) = self.out.get_mut(&context) {
                out.dirty = true;
                continue;
            }
            let work = match self.work_on(context, now) {
                Err(Error::OtherKey) => return Err(self.wait_for_key(context, now)),
                Err(error) => {
                    self.ready.push(context);
                    return Err(error);
                }
                Ok(work) => work,
            };
            self.foreign.remove(&context);
            if let Some(work) = work {
                self.out.insert(context, Out { sid: work.sid, dirty: false });
                return Ok(Some(work));
            }
        }
        Ok(None)
    }

    /// The runs whose deadlines have come are ready.
    fn look_for_expired(&mut self, now: Time) -> Result<(), Error<S::Error>> {
        // Those that are being worked on, or that wait for another key, are among them.
        let most = EXPIRED + self.out.len() + self.foreign.len();
        let expired = self.store.expired(self.registry.kinds(), now, most).map_err(Error::Store)?;
        for context in expired {
            // A run that is out is found again when its work is back.
            let is_out = self.out.contains_key(&context);
            let waits = self.foreign.get(&context).is_some_and(|seen| self.after(*seen) > now);
            if !is_out && !waits {
                // Another worker may have taken something for the run, and has told nobody.
                self.look_again(context);
            }
        }
        self.looked = Some(now);
        Ok(())
    }

    /// The runs of which a piece of work is out or lost, or whose application has panicked.
    ///
    /// After a panic of the application or the store that was caught, call [`recover`](Self::recover): the runner then continues
    /// all other runs.
    pub fn at_work(&self) -> impl Iterator<Item = SessionId> {
        let waits = |context| self.prepared.iter().any(|step| step.context == context);
        let still = self.out.iter().filter(move |(context, _)| !waits(**context));
        still.map(|(_, out)| out.sid)
    }

    /// Stores what came of a piece of work; gives the outcome, if the run has ended.
    ///
    /// # Errors
    /// [`Error::Store`]: the run goes on from what the store has. [`Error::Seal`]: the session does not open; the run
    /// waits until its deadline. [`Error::OtherKey`]: another key has sealed it, or a frame; it waits for that key.
    pub fn finish(&mut self, worked: FinishedWork) -> Result<Option<EndedRun>, Error<S::Error>> {
        let step = self.step(worked);
        let dirty = self.take_back(step.context);
        let swap = step.swap();
        let swapped = swap.map(|Swap { before, step }| self.store.swap(before, &step));
        self.stored(step, dirty, swapped)
    }

    /// Takes what came of a piece of work, to be stored by [`finish_all`](Self::finish_all). The application records the end
    /// here, if the run has ended. Nothing else happens to the run until then.
    pub fn prepare(&mut self, worked: FinishedWork) {
        let step = self.step(worked);
        self.prepared.push(step);
    }

    /// Stores what was [prepared](Self::prepare), all at once: in one transaction, if the store has one for it
    /// ([`RunTable::swap_all`](crate::RunTable::swap_all)). Gives for each what [`finish`](Self::finish) gives.
    ///
    /// # Errors
    /// As for [`finish`](Self::finish), each about one run.
    pub fn finish_all(&mut self) -> Vec<Result<Option<EndedRun>, Error<S::Error>>> {
        let steps = core::mem::take(&mut self.prepared);
        // If the store panics, no run of these stands still.
        let dirty: Vec<_> = steps.iter().map(|step| self.take_back(step.context)).collect();
        let swaps: Vec<_> = steps.iter().filter_map(PreparedStep::swap).collect();
        let swapped = if swaps.is_empty() { Vec::new() } else { self.store.swap_all(&swaps) };
        let mut swapped = swapped.into_iter();
        let mut results = Vec::with_capacity(steps.len());
        for (step, dirty) in steps.into_iter().zip(dirty) {
            // A store that gives too few answers: the run goes on from what is there.
            let swapped = step.result.before().map(|_| swapped.next().unwrap_or(Ok(false)));
            results.push(self.stored(step, dirty, swapped));
        }
        results
    }

    /// What is to be stored of a piece of work, with the application's record.
    fn step(&mut self, worked: FinishedWork) -> PreparedStep {
        let FinishedWork { context, protocol, sid, job, now, opened, damaged, result } = worked;
        if opened {
            count_one(&mut self.metrics.opened);
        }
        let frames = &mut self.metrics.damaged_frames;
        *frames = frames.saturating_add(damaged);
        let result = match result {
            Worth::Waiting(cached) => Prepared::Waiting(cached),
            Worth::Round { before, after, taken, mut messages, cached } => {
                self.put_off(&mut messages);
                Prepared::Round { before, after, taken, messages, cached }
            }
            Worth::Ended { before, tombstone, mut messages, end, unopened } => {
                self.put_off(&mut messages);
                // The application may panic. Its run is still out then, and stands still.
                let outcome = self.outcome_of(protocol, (context, job.as_ref()), end, unopened);
                let sealed = self.seal_outcome(&sid, &outcome);
                let until = now.saturating_add(self.bounds.outlive);
                let run = EndedRun { kind: protocol.kind, sid, outcome };
                Prepared::Ended { before, tombstone, messages, sealed, until, run }
            }
            Worth::OtherKey => Prepared::OtherKey,
            Worth::Unopened(why) => Prepared::Unopened(why),
        };
        PreparedStep { context, now, result }
    }

    /// Acts on what the store says of a step.
    fn stored(
        &mut self,
        step: PreparedStep,
        dirty: bool,
        swapped: Option<Result<bool, S::Error>>,
    ) -> Result<Option<EndedRun>, Error<S::Error>> {
        let PreparedStep { context, now, result } = step;
        let before = result.before();
        let swapped = match (swapped, before) {
            (Some(swapped), Some(before)) => self.swapped(context, before, swapped)?,
            _ => false,
        };
        match result {
            Prepared::Waiting(mut cached) => {
                cached.set_reread(dirty);
                self.keep(context, cached);
                Ok(None)
            }
            Prepared::Round { mut cached, messages, .. } => {
                if swapped {
                    self.send_soon(context, messages);
                    count_one(&mut self.metrics.rounds);
                    cached.set_reread(dirty);
                    self.keep(context, cached);
                    // Frames that came early may be all that the next round needs.
                    self.ready.push(context);
                }
                Ok(None)
            }
            Prepared::Ended { before, tombstone, messages, sealed, until, run } => {
                let ended = match before {
                    Some(_) => swapped,
                    None => {
                        let (after, outcome) = (&tombstone, Some(&sealed[..]));
                        let messages = &messages[..];
                        let step = NewStep { after, taken: &[], messages, outcome, until };
                        self.close(context, &step)?
                    }
                };
                if !ended {
                    return Ok(None);
                }
                if before.is_none() && run.outcome.kind == EndKind::Lost {
                    count_one(&mut self.metrics.damaged);
                }
                self.send_soon(context, messages);
                self.count_end(&run);
                Ok(Some(run))
            }
            Prepared::OtherKey => Err(self.wait_for_key(context, now)),
            Prepared::Unopened(why) => Err(Error::Seal(why)),
        }
    }

    /// Counts a run that this runner has ended.
    fn count_end(&mut self, run: &EndedRun) {
        count_one(match run.outcome.kind {
            EndKind::Done | EndKind::Unconfirmed => &mut self.metrics.done,
            EndKind::Stopped | EndKind::Lost | EndKind::Discontinued => &mut self.metrics.stopped,
        });
    }

    /// A piece of work is no longer out. Returns whether something has come for its run since.
    fn take_back(&mut self, context: RunContext) -> bool {
        let dirty = self.out.remove(&context).is_some_and(|out| out.dirty);
        if dirty {
            self.ready.push(context);
        }
        dirty
    }

    /// The outcome of a run, with the application's record.
    fn outcome_of(
        &mut self,
        protocol: Registration,
        (context, job): (RunContext, Option<&Job>),
        end: End,
        unopened: Option<Unopened>,
    ) -> Outcome {
        let mut damaged = self.unsent.remove(&context).unwrap_or_default();
        if let End::Session { damaged: found, .. } = &end {
            damaged.extend(found.iter());
        }
        let damaged: Vec<_> = damaged.into_iter().collect();
        let kind = end.kind();
        let record_bytes = match (job, self.registry.get(protocol.kind)) {
            (Some(job), Some((_, entry))) => entry.record(&mut self.app, job, end, damaged.clone()),
            _ => Zeroizing::default(),
        };
        Outcome { kind, record_bytes, damaged, unopened }
    }

    /// Ends a run of which something does not open: under another key, say, that nobody has any more. Its sealed bytes
    /// are in the outcome ([`Outcome::unopened`]), whose kind is [`EndKind::Lost`]. Gives `None` if there is no such run
    /// or it has ended.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn abandon(
        &mut self,
        sid: &SessionId,
        now: Time,
    ) -> Result<Option<EndedRun>, Error<S::Error>> {
        let Some(JobRow { context, outcome: None, .. }) =
            self.store.job(sid).map_err(Error::Store)?
        else {
            return Ok(None);
        };
        let row = self.store.run(&context).map_err(Error::Store)?;
        let Some(row) = row else { return Ok(None) };
        let Some((protocol, _)) = self.registry.get(row.kind) else { return Ok(None) };
        let job = self.open_job(&row).ok().flatten();
        let until = now.saturating_add(self.bounds.linger);
        let key = Arc::clone(&self.key);
        let desk = Desk { me: self.me, key: &key, now, until };
        let stored = Unopened { job: row.job, session: row.sealed };
        let code = protocol.code;
        let closing = Closing { code, context: &context, job: job.as_ref(), desk, stored };
        let result = closing.end(None, End::Lost("abandoned by its application".into()));
        let (sid, opened, damaged) = (*sid, false, 0);
        self.cached.remove(&context);
        self.finish(FinishedWork { context, protocol, sid, job, now, opened, damaged, result })
    }

    /// A run waits for another key.
    fn wait_for_key(&mut self, context: RunContext, now: Time) -> Error<S::Error> {
        self.foreign.insert(context, now);
        self.other_key()
    }

    /// Works until there is nothing to do, on this thread; gives the outcomes of the runs that have ended.
    ///
    /// # Errors
    /// As for [`next_work`](Self::next_work) and [`finish`](Self::finish), about one run. The next call continues the others, and
    /// also gives the runs that ended in this one.
    pub fn work(&mut self, now: Time) -> Result<Vec<EndedRun>, Error<S::Error>> {
        self.work_off(now)?;
        Ok(core::mem::take(&mut self.events))
    }

    pub(crate) fn work_off(&mut self, now: Time) -> Result<(), Error<S::Error>> {
        // Those that an application's panic has left.
        let mut more = true;
        while more {
            let mut failed = None;
            while self.prepared.len() < TOGETHER {
                match self.next_work(now) {
                    Ok(Some(work)) => self.prepare(work.run()),
                    other => {
                        failed = other.err();
                        break;
                    }
                }
            }
            more = !self.prepared.is_empty();
            for result in self.finish_all() {
                match result {
                    Ok(ended) => self.events.extend(ended),
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
            if let Some(error) = failed {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Acts on the answer to a swap. If another worker was faster, or it is not known whether this one was, resumes from the store.
    fn swapped(
        &mut self,
        context: RunContext,
        before: Slot,
        swapped: Result<bool, S::Error>,
    ) -> Result<bool, Error<S::Error>> {
        if !matches!(swapped, Ok(true)) {
            self.forget_next();
            if matches!(swapped, Ok(false)) && self.is_torn(&context, before)? {
                self.torn.insert(context);
            }
            self.ready.push(context);
            count_one(&mut self.metrics.stale);
        }
        swapped.map_err(Error::Store)
    }

    /// Returns whether the store gives the session of a slot, though it says that the slot is not there.
    fn is_torn(&mut self, context: &RunContext, before: Slot) -> Result<bool, Error<S::Error>> {
        let row = self.store.run(context).map_err(Error::Store)?;
        let sealed = row.and_then(|row| Sealed::from_bytes(&row.sealed).ok());
        Ok(sealed.is_some_and(|sealed| sealed.slot() == before))
    }

    /// Closes a run whose row is damaged, whatever is in it.
    fn close(&mut self, context: RunContext, step: &NewStep<'_>) -> Result<bool, Error<S::Error>> {
        let closed = self.store.abandon(&context, step).map_err(Error::Store);
        if closed.is_err() {
            self.forget_next();
            self.ready.push(context);
            return closed;
        }
        self.torn.remove(&context);
        self.foreign.remove(&context);
        self.discontinued.remove(&context);
        closed
    }

    /// Work on a run, unless it is another protocol's, has ended or has to wait.
    fn work_on(&mut self, context: RunContext, now: Time) -> Result<Option<Work>, Error<S::Error>> {
        let Some(row) = self.store.run(&context).map_err(Error::Store)? else { return Ok(None) };
        if !self.registry.has(row.kind) && !self.cached.contains_key(&context) {
            return Ok(None);
        }
        let job = self.open_job(&row)?;
        let cached = self.cached.remove(&context);
        let cached =
            cached.filter(|cached| cached.sid() == row.sid && cached.is_stored_as(&row.sealed));
        // The kind of the row is in clear; a session in memory knows its own.
        let kind = cached.as_ref().map_or(row.kind, |cached| cached.kind());
        let Some((protocol, _)) = self.registry.get(kind) else { return Ok(None) };
        let source = match cached {
            Some(cached) if job.is_some() => Source::Cached(cached),
            _ => match self.source(&context, &row, job.as_ref(), now)? {
                Some(source) => source,
                None => return Ok(None),
            },
        };
        let reads = source.reads();
        let arrivals =
            if reads { self.store.inbox(&context).map_err(Error::Store)? } else { Vec::new() };
        let (me, key, bounds, sid) = (self.me, Arc::clone(&self.key), self.bounds, row.sid);
        let stored = Unopened { job: row.job, session: row.sealed };
        Ok(Some(Work {
            context,
            protocol,
            sid,
            job,
            stored,
            me,
            key,
            bounds,
            now,
            source,
            arrivals,
        }))
    }

    /// The session of a run as the store has it; `None` if the run has ended or has to wait.
    fn source(
        &mut self,
        context: &RunContext,
        row: &RunRow,
        job: Option<&Job>,
        now: Time,
    ) -> Result<Option<Source>, Error<S::Error>> {
        let sealed = Sealed::from_bytes(&row.sealed).ok().filter(|sealed| {
            let slot = sealed.slot();
            slot.session() == *context && slot.party_id() == self.me && !self.torn.contains(context)
        });
        if sealed.as_ref().is_some_and(Sealed::is_tombstone) && self.has_ended(context, row)? {
            return Ok(None);
        }
        if self.discontinued.contains(context) {
            return Ok(Some(Source::Discontinued));
        }
        Ok(match (sealed, job) {
            (Some(sealed), Some(job)) if !sealed.is_tombstone() => {
                self.unopened((row.kind, *context), job, sealed, now)
            }
            // A row that is damaged, or another run's, cannot be continued. It is closed at its deadline.
            _ => (now >= row.deadline).then_some(Source::Damaged),
        })
    }

    /// Returns whether the outcome of the run is there. Then the application has nothing left to record.
    fn has_ended(&mut self, context: &RunContext, row: &RunRow) -> Result<bool, Error<S::Error>> {
        let job = self.store.job(&row.sid).map_err(Error::Store)?;
        Ok(job.is_some_and(|job| job.context == *context && job.outcome.is_some()))
    }

    /// A session that is not in memory. Without parameters it waits, until its deadline.
    fn unopened(
        &mut self,
        (kind, context): (Kind, RunContext),
        job: &Job,
        sealed: Sealed,
        now: Time,
    ) -> Option<Source> {
        let (_, entry) = self.registry.get(kind)?;
        // The application may panic. Its run is out then, and stands still.
        self.out.insert(context, Out { sid: job.sid, dirty: false });
        let opener = entry.opener(&mut self.app, job);
        self.out.remove(&context);
        if let Some(opener) = opener {
            return Some(Source::Stored { sealed, opener });
        }
        self.metrics.refuse(Refusal::NoParams);
        let why = "the application has no parameters for the job";
        (now >= job.deadline).then(|| Source::Lost { stored: sealed.slot(), why })
    }
}
