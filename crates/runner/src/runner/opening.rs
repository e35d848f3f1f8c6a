//! Opening a store.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use quorate_session::{PartyId, SealError};

use super::{Error, Fresh, Ready, Runner};
use crate::store::Store;
use crate::{Continuity, Metrics, RunnerBuilder};

pub(crate) const CANARY: &str = "runner canary";

impl<S: Store, A> Runner<S, A> {
    /// A runner of these parts on a store.
    pub(crate) fn open_store(
        parts: RunnerBuilder<A>,
        store: S,
        app: A,
    ) -> Result<Self, Error<S::Error>> {
        let RunnerBuilder { me, key, continuity, bounds, registry } = parts;
        let mut runner = Self {
            me,
            key,
            bounds,
            store,
            app,
            registry,
            cached: BTreeMap::new(),
            ready: Ready::default(),
            looked: None,
            now: 0,
            next: None,
            fresh: Fresh::default(),
            resumes: false,
            busy: false,
            out: BTreeMap::new(),
            prepared: Vec::new(),
            torn: BTreeSet::new(),
            foreign: BTreeMap::new(),
            discontinued: BTreeSet::new(),
            continuity,
            unsent: BTreeMap::new(),
            shut: false,
            held: Vec::new(),
            acknowledgements: BTreeMap::new(),
            events: Vec::new(),
            metrics: Metrics::default(),
        };
        runner.resumes = runner.check_canary()?;
        if runner.resumes && continuity == Continuity::NewStore {
            return Err(Error::NotNew);
        }
        runner.recover()?;
        if continuity == Continuity::Unknown {
            runner.discontinued = runner.ready.there.clone();
        }
        Ok(runner)
    }

    /// Checks that the store is this party's, under this key. Returns whether anybody has used it before.
    pub(super) fn check_canary(&mut self) -> Result<bool, Error<S::Error>> {
        let new = self.key.seal_bytes(CANARY, &self.me.get().to_be_bytes());
        let Some(found) = self.store.canary(&new).map_err(Error::Store)? else { return Ok(false) };
        let party = self.key.open_bytes(CANARY, &found).map_err(Error::sealed)?;
        let party = party.as_slice().try_into().ok().map(u16::from_be_bytes);
        let party = party.and_then(PartyId::new).ok_or(Error::Seal(SealError::Malformed))?;
        if party != self.me {
            return Err(Error::OtherParty(party));
        }
        Ok(true)
    }

    /// Looks after all open runs in the store, as if something had come for each: when another worker on the same store
    /// has died.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn recover(&mut self) -> Result<(), Error<S::Error>> {
        self.next = None;
        let mut after = None;
        loop {
            let found = self
                .store
                .open(self.registry.kinds(), after.as_ref(), 256)
                .map_err(Error::Store)?;
            let Some(last) = found.last() else { return Ok(()) };
            after = Some(*last);
            for context in found {
                self.look_again(context);
            }
        }
    }

    /// How it is known that the store is the latest: ask [`Continuity::keeps_stock`] before presignatures or nonces are
    /// used that were made before the runner.
    #[must_use]
    pub const fn continuity(&self) -> Continuity {
        self.continuity
    }
}
