//! The protocols of a runner.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;

use quorate_session::zeroize::Zeroizing;
use quorate_session::{PartyId, Protocol, Session};

use crate::end::{End, Registration};
use crate::work::{Cached, CachedSession, Opener};
use crate::{App, Job, Kind, Record, RunEnd};

/// A protocol of a runner whose application is an `A`.
pub(crate) trait Registered<A>: Send + Sync {
    /// Asks the application for the parameters of a job.
    fn opener(&self, app: &mut A, job: &Job) -> Option<Opener>;

    /// Has the application record the end of a run. `damaged` takes the place of what the end has.
    fn record(&self, app: &mut A, job: &Job, end: End, damaged: Vec<PartyId>)
    -> Zeroizing<Vec<u8>>;
}

/// The entry of a protocol.
pub(crate) struct Entry<P>(PhantomData<fn() -> P>);

impl<P> Entry<P> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<A: App<P>, P: Protocol> Registered<A> for Entry<P> {
    fn opener(&self, app: &mut A, job: &Job) -> Option<Opener> {
        let params = app.params(job)?;
        Some(Box::new(move |sealed, key| {
            let step = Session::<P>::open(sealed, params, key)?;
            Ok(Box::new(CachedSession::new(step.session, sealed)) as Box<dyn Cached>)
        }))
    }

    fn record(
        &self,
        app: &mut A,
        job: &Job,
        end: End,
        all_damaged: Vec<PartyId>,
    ) -> Zeroizing<Vec<u8>> {
        let mut end = match end {
            End::Session { end, .. } => match end.downcast::<RunEnd<P::Output>>() {
                Ok(end) => *end,
                // An end comes back to the protocol whose session has made it.
                Err(_) => RunEnd::Lost("the end of a run of another protocol".into()),
            },
            End::Lost(why) => RunEnd::Lost(why),
            End::Discontinued => RunEnd::Discontinued,
        };
        if let RunEnd::Unconfirmed { damaged, .. } | RunEnd::Stopped { damaged, .. } = &mut end {
            *damaged = all_damaged;
        }
        app.record(job, end).to_bytes()
    }
}

/// The protocols of a runner.
pub(crate) struct Registry<A> {
    entries: Vec<(Registration, Box<dyn Registered<A>>)>,
    kinds: Vec<Kind>,
}

impl<A> Registry<A> {
    pub(crate) const fn new() -> Self {
        Self { entries: Vec::new(), kinds: Vec::new() }
    }

    pub(crate) fn add<P: Protocol>(&mut self)
    where
        A: App<P>,
    {
        let registration = Registration::of::<P>();
        if !self.has(registration.kind) {
            self.kinds.push(registration.kind);
            self.entries.push((registration, Box::new(Entry::<P>::new())));
        }
    }

    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    pub(crate) fn get(&self, kind: Kind) -> Option<(Registration, &dyn Registered<A>)> {
        let found = self.entries.iter().find(|(registration, _)| registration.kind == kind);
        found.map(|(registration, entry)| (*registration, &**entry))
    }

    pub(crate) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The number of rounds of the protocols with this code; `None` if there is none.
    pub(crate) fn rounds(&self, code: u8) -> Option<u8> {
        let all = self.entries.iter().map(|(registration, _)| registration);
        all.filter(|registration| registration.code == code).map(|one| one.rounds).max()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.entries.iter().map(|(registration, _)| registration.name)
    }
}
