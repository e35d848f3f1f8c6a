//! The state machine as its caller sees it.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::{Continuity, PartyId};

use super::attempt::Attempt;
use super::certificate::Certificate;
use super::decide::{self, Decision, Store};
use super::error::{OpenError, Refused};
use super::guards::Guards;
use super::held::Held;
use super::open::{self, Stored};
use super::state::{State, Status};
use super::statement::{Committed, Prepared, Unsigned};
use super::superseded::{Discarded, Superseded};
use crate::{Family, PackageId, SharedKey};

/// One party's part in the agreement about the shares of one key.
///
/// The state is a function of database and ledger. Every step may be repeated, and gives the same answer.
#[cfg_attr(feature = "testing", derive(Clone, PartialEq, Eq, Hash))]
pub struct Agreement {
    state: State,
    /// `true` if a step was started and not reported as stored.
    unstored: bool,
}

/// An agreement that may be used after everything in [`stores`](Self::stores) is durable.
#[must_use = "store what it lists, then call `stored`"]
pub struct Opening {
    state: State,
    stores: Vec<Store>,
}

impl Opening {
    /// The list of stores to make durable, in this order. After a restore it has the votes that one store lost.
    #[must_use]
    pub fn stores(&self) -> &[Store] {
        &self.stores
    }

    /// Reports that the whole list is durable.
    #[must_use]
    pub fn stored(self) -> Agreement {
        Agreement { state: self.state, unstored: false }
    }
}

/// A step that is decided but not taken. Make everything in [`stores`](Self::stores) durable, then call
/// [`stored`](Self::stored) to get the statement or the permission to delete.
#[must_use = "store what it lists, then call `stored`"]
pub struct PendingStep<'a, T> {
    agreement: &'a mut Agreement,
    decision: Decision<T>,
}

impl<T> PendingStep<'_, T> {
    /// The list of stores to make durable, in this order.
    #[must_use]
    pub fn stores(&self) -> &[Store] {
        &self.decision.stores
    }

    /// Reports that the whole list is durable, and takes the step.
    pub fn stored(self) -> T {
        self.agreement.state = self.decision.next;
        self.agreement.unstored = false;
        self.decision.then
    }
}

impl Agreement {
    /// Opens the agreement of party `me` about a key, at the first start and after every restart.
    ///
    /// `continuity` names the reason why **at least one** of database and ledger is the latest, and so has every
    /// vote. It is enough if one of the two was restored and the other was not, since the lost votes are copied
    /// over.
    ///
    /// With [`Continuity::Unknown`], votes may be lost. The party then keeps its shares, deals, signs, and
    /// commits what it prepared. It does not vote until it [rejoins](Self::rejoin). This is stored, too.
    ///
    /// # Errors
    /// An [`OpenError`] if the stores are another key's or party's, or contradict each other.
    pub fn open(
        me: PartyId,
        key: [u8; 32],
        stored: Stored,
        continuity: Continuity,
    ) -> Result<Opening, OpenError> {
        let (state, stores) = open::open(me, key, stored, continuity, Guards::default())?;
        Ok(Opening { state, stores })
    }

    /// [`open`](Self::open) without one of the guards.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    #[cfg(feature = "testing")]
    pub fn open_with(
        me: PartyId,
        key: [u8; 32],
        stored: Stored,
        continuity: Continuity,
        guards: Guards,
    ) -> Result<Opening, OpenError> {
        let (state, stores) = open::open(me, key, stored, continuity, guards)?;
        Ok(Opening { state, stores })
    }

    /// Takes a share that is the result of a resharing, and that is stored beside the others.
    ///
    /// # Errors
    /// [`Refused`] if it belongs to another key or party, is already superseded, or is above a bound. No other
    /// party was told of it, so it may be deleted.
    pub fn create(&mut self, held: &Held) -> Result<(), Refused> {
        let decision = decide::create(self.state()?, held)?;
        self.step(decision).stored();
        Ok(())
    }

    /// Votes for the attempt. The vote is final. Anybody may ask for it. Read `held` back from the database for
    /// this call.
    ///
    /// # Errors
    /// [`Refused::Voted`] if the party has voted in this epoch, [`Refused::Over`] if the epoch is over,
    /// [`Refused::Barred`] if the vote may be lost. Otherwise the errors of [`create`](Self::create).
    pub fn prepare(&mut self, held: &Held) -> Result<PendingStep<'_, Unsigned<Prepared>>, Refused> {
        let decision = decide::prepare(self.state()?, held)?;
        Ok(self.step(decision))
    }

    /// Takes the certificate that every member has prepared. From now on the attempt is committed here.
    ///
    /// The step's stores include [`Store::Backups`], which may take as long as a cycle of backups. Send the
    /// certificate together with the step's statement, because others may lack it.
    ///
    /// # Errors
    /// [`Refused::NotHeld`] if the share is not there, for instance after a restore; [`Refused::OtherCommittee`],
    /// [`Refused::WrongKey`].
    pub fn commit(
        &mut self,
        certificate: &Certificate<Prepared>,
    ) -> Result<PendingStep<'_, Unsigned<Committed>>, Refused> {
        let decision = decide::commit(self.state()?, certificate)?;
        Ok(self.step(decision))
    }

    /// Takes the certificate that every member has committed, and permits the deletion of the shares that it
    /// supersedes. A party that has left the committee, or was absent, takes it too.
    ///
    /// If a later change has already superseded this one, the later permission is returned.
    ///
    /// # Errors
    /// [`Refused::UnknownCommittee`] if the party holds no share of the attempt, and fewer than t members of its
    /// committee are in any committee known here. See [`supersede_vouched`](Self::supersede_vouched).
    pub fn supersede(
        &mut self,
        certificate: &Certificate<Committed>,
    ) -> Result<PendingStep<'_, Superseded>, Refused> {
        let decision = decide::supersede(self.state()?, certificate, None)?;
        Ok(self.step(decision))
    }

    /// [`supersede`](Self::supersede) for a party that knows no member of the committee, after a move of the key
    /// or a long absence.
    ///
    /// `public` is the attempt's public side **from a trusted source**, such as t parties of a committee that the
    /// operator knows. It is the only proof that this is a committee of the key.
    ///
    /// # Errors
    /// [`Refused::UnknownCommittee`] if the certificate is for something else.
    pub fn supersede_vouched<F: Family>(
        &mut self,
        certificate: &Certificate<Committed>,
        public: &SharedKey<F>,
    ) -> Result<PendingStep<'_, Superseded>, Refused> {
        let vouched = Attempt::of(public);
        let decision = decide::supersede(self.state()?, certificate, Some(&vouched))?;
        Ok(self.step(decision))
    }

    /// Gives up a share that nobody counts on, to make room for other attempts of its epoch.
    ///
    /// # Errors
    /// [`Refused::InUse`] if the party has voted for it, or may have; [`Refused::NotHeld`].
    pub fn discard(&mut self, attempt: PackageId) -> Result<Discarded, Refused> {
        let decision = decide::discard(self.state()?, attempt)?;
        Ok(self.step(decision).stored())
    }

    /// Ends the period without votes that follows a restore of both database and ledger. From then on the party
    /// votes above the epoch `highest` + 1.
    ///
    /// `highest` is the highest epoch of any resharing in which **any other party took part**, whether it ended
    /// or not. It comes from the answers of **all** members of all committees of the key that the answers name.
    /// Each answers with the larger of [`highest_epoch`](Self::highest_epoch) and the epochs of the resharings in
    /// its log. If a member does not answer, the party continues without votes, or joins under a new number.
    ///
    /// # Errors
    /// [`Refused::NotStored`].
    pub fn rejoin(&mut self, highest: u32) -> Result<PendingStep<'_, ()>, Refused> {
        let decision = decide::rejoin(self.state()?, highest)?;
        Ok(self.step(decision))
    }

    /// The attempts whose shares the party holds, and the status of each.
    pub fn statuses(&self) -> impl Iterator<Item = (&Attempt, Status)> + '_ {
        let one = |(package, held)| Some((held, self.state.status(package)?));
        let all = self.state.held.iter().map(|(package, held)| (*package, &held.attempt));
        all.filter_map(one)
    }

    /// The attempts that have the party's vote, but whose shares a restore lost. [`Repair`](crate::Repair)
    /// recovers them.
    pub fn missing(&self) -> impl Iterator<Item = PackageId> + '_ {
        let votes = self.state.record.votes.values().copied();
        let last = self.state.superseded();
        let counts = move |vote: &PackageId| last.is_none_or(|last| !last.covers(*vote));
        votes.filter(counts).filter(|vote| !self.state.held.contains_key(vote))
    }

    /// The highest epoch of which the party has stored anything. A party that [rejoins](Self::rejoin) also needs
    /// the epochs of resharings that have not ended here.
    #[must_use]
    pub fn highest_epoch(&self) -> Option<u32> {
        self.state.highest()
    }

    /// Returns whether the share of this attempt may sign: it is prepared or committed, or its vote may be lost.
    #[must_use]
    pub fn may_sign(&self, attempt: PackageId) -> bool {
        self.state.may_sign(attempt)
    }

    /// Returns whether the party votes. It does not between a restore of both stores and
    /// [`rejoin`](Self::rejoin).
    #[must_use]
    pub fn votes(&self) -> bool {
        !self.state.record.standing.is_barred()
    }

    /// The certificate by which an attempt is committed here, for parties that lack it.
    #[must_use]
    pub fn certificate(&self, attempt: PackageId) -> Option<&Certificate<Prepared>> {
        self.state.record.committed.get(&attempt)
    }

    /// The certificate of the last change that ended, for parties that were absent.
    #[must_use]
    pub fn evidence(&self) -> Option<&Certificate<Committed>> {
        self.state.record.superseded.as_ref()
    }

    /// The permission of the last change that ended. Ask for it at every start, since a crash or a restore leaves
    /// shares to delete.
    #[must_use]
    pub fn superseded(&self) -> Option<Superseded> {
        self.state.superseded()
    }

    fn state(&self) -> Result<&State, Refused> {
        if self.unstored { Err(Refused::NotStored) } else { Ok(&self.state) }
    }

    fn step<T>(&mut self, decision: Decision<T>) -> PendingStep<'_, T> {
        self.unstored = !decision.stores.is_empty();
        PendingStep { agreement: self, decision }
    }
}

impl fmt::Debug for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agreement")
            .field("record", &self.state.record)
            .field("held", &self.state.held.keys())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening").field("stores", &self.stores).finish_non_exhaustive()
    }
}

impl<T: fmt::Debug> fmt::Debug for PendingStep<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingStep")
            .field("stores", &self.decision.stores)
            .field("then", &self.decision.then)
            .finish_non_exhaustive()
    }
}
