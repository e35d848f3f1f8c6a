//! The acknowledgement that a new share is stored, so that the old one may be deleted, as a [`Session`].
//!
//! A resharing ends for one party before it ends for another, and may never end for a third. If parties deleted
//! their old shares at once, the honest parties could be left in two epochs, with t matching shares in neither
//! (*forget and forgive*). So old shares are deleted in two steps:
//!
//! 1. **Store beside.** The result of [`Reshare`](crate::Reshare) is [`ShareState::Pending`]. Store it and its
//!    public value beside the old ones, and leave those as they are. Both load and both sign.
//!    [`SecretShare::package_id`] tells them apart, and anything that belongs to the other is refused by name
//!    ([`Mismatch`](crate::Mismatch)). Ask for signatures in the old epoch, since everybody has that. If a share
//!    is unconfirmed, confirm it first ([`SecretShare::confirm`]).
//! 2. **Acknowledge, then delete.** Every member of the new committee runs this protocol with the share as it was
//!    read back from the store. In its one round, each member reports that it has stored its share of this
//!    package. A member that has heard this from all gets [`StoredByAll`]. It [settles](SecretShare::settle) the
//!    new share, stores it, and deletes each share that the value [permits to
//!    delete](StoredByAll::permits_deleting). Stored shares of child keys have to be deleted too
//!    ([`StoredByAll::permits_deleting_child`]), because t of them undo the refresh. From now on ask for
//!    signatures in the new epoch.
//!
//! Old members that have left take part as [listeners](AcknowledgeParams::listener), to hear when their shares
//! may be deleted. A party that is absent keeps its share until another session.
//!
//! So if one honest party has deleted its old share, all honest members of the new committee have the new one. If
//! one of these has not even made a new share, all still have the old ones. If acknowledgements are lost or
//! withheld, both shares stay. Then run the protocol again, with a new session id, as often as it takes.
//!
//! # This or the agreement
//!
//! This protocol is one round among parties that are all present, and it settles one resharing. The caller makes
//! sure that no two resharings run in one epoch, and that no store is restored. A service whose parties crash,
//! are restored from backups, or obey a coordinator uses [`agreement`](mod@crate::agreement) **instead**. It
//! needs no session, and its statements are signed, may come late, and can be shown to others. Do not use both
//! for one change.
//!
//! [`Session`]: quorate_session::Session

use core::fmt;
use core::marker::PhantomData;

use quorate_session::{
    Abort, Binding, Fault, Inbox, Judgement, Limits, Next, Outbox, ParamError, Parties, PartyId,
    PerParty, Protocol, Round, Run,
};

use crate::error::{DecodeError, Mismatch, PlanError};
use crate::{Family, PackageId, SecretShare, ShareState, SharedKey};

/// The acknowledgement that all parties of a committee have stored their shares of a package. It is a protocol
/// for [`quorate_session::Session`], and its parties are the committee and any listeners.
pub struct Acknowledge<F>(PhantomData<F>);

/// The package that is acknowledged, and the party's part in it.
#[derive(Clone)]
pub struct AcknowledgeParams<F> {
    me: PartyId,
    committee: Parties,
    package: PackageId,
    family: PhantomData<F>,
}

impl<F: Family> AcknowledgeParams<F> {
    /// The parameters for a share that is **stored**. `share` and `public` are the stored forms
    /// ([`SecretShare::to_bytes`], [`SharedKey::to_bytes`]), read back from the store after they were made
    /// durable there.
    ///
    /// # Errors
    /// The errors of the two `from_bytes`. [`DecodeError::Inconsistent`] if the share is not one of this public
    /// value, or is one of a resharing that is [`ShareState::Unconfirmed`]. The others may delete their old
    /// shares on the strength of this acknowledgement, so this share has to sign. [Confirm](SecretShare::confirm)
    /// it, which is harmless while the old one is kept, and store that.
    pub fn from_stored(share: &[u8], public: &[u8]) -> Result<Self, DecodeError> {
        let share = SecretShare::<F>::from_bytes(share)?;
        let public = SharedKey::<F>::from_bytes(public)?;
        if share.check_belongs_to(&public).is_err() {
            return Err(DecodeError::Inconsistent(
                "the share stored is not one of the public value stored",
            ));
        }
        if share.epoch() > 0 && share.state() == ShareState::Unconfirmed {
            return Err(DecodeError::Inconsistent(
                "an unconfirmed share of a resharing: confirm and store it before acknowledging it",
            ));
        }
        Ok(Self::new(share.id(), &public))
    }

    /// The parameters for a party that is not in the committee, and wants to know when its own, older share may
    /// be deleted.
    ///
    /// # Errors
    /// [`PlanError::OtherPart`] if the party is in the committee.
    pub fn listener(me: PartyId, public: &SharedKey<F>) -> Result<Self, PlanError> {
        if public.parties().contains(me) {
            Err(PlanError::OtherPart(me))
        } else {
            Ok(Self::new(me, public))
        }
    }

    fn new(me: PartyId, public: &SharedKey<F>) -> Self {
        let (committee, package) = (public.parties().clone(), public.package_id());
        Self { me, committee, package, family: PhantomData }
    }
}

impl<F: Family> fmt::Debug for AcknowledgeParams<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AcknowledgeParams")
            .field("me", &self.me)
            .field("package", &self.package)
            .finish_non_exhaustive()
    }
}

/// The state of a party that has acknowledged and waits for the others.
#[derive(Debug)]
pub struct State(PackageId);

impl<F: Family> Protocol for Acknowledge<F> {
    const NAME: &'static str = "quorate-keys acknowledge";
    const CODE: u8 = 34;
    const FAMILY: &'static str = F::NAME;
    const ROUNDS: u8 = 1;

    type Params = AcknowledgeParams<F>;
    type State = State;
    type Output = StoredByAll<F>;

    fn bind(params: &AcknowledgeParams<F>, binding: &mut Binding) {
        params.package.bind::<F>(binding);
    }

    /// The header of the frame carries the digest of what is acknowledged, so the body is empty.
    fn limits(_params: &AcknowledgeParams<F>, _parties: usize, _round: Round) -> Limits {
        Limits { broadcast: 1, direct: 0 }
    }

    fn start(params: AcknowledgeParams<F>, run: &Run) -> Result<(State, Outbox), ParamError> {
        if let Some(absent) = params.committee.iter().find(|party| !run.parties().contains(*party))
        {
            return Err(ParamError::NotAParty(absent));
        }
        if run.party_id() != params.me {
            return Err(ParamError::Inconsistent("the share is another party's"));
        }
        Ok((State(params.package), Outbox::default()))
    }

    fn next(state: State, _run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        empty(inbox)?;
        Ok(Next::Done(StoredByAll { package: state.0, family: PhantomData }))
    }

    fn judge(_state: State, _run: &Run, inbox: Inbox<'_>) -> Judgement<StoredByAll<F>> {
        empty(inbox).into()
    }
}

/// Checks that every body is empty.
fn empty(inbox: Inbox<'_>) -> Result<PerParty<()>, Abort> {
    inbox.verify(
        |_, message| if message.broadcast.is_empty() { Ok(()) } else { Err(Fault::WrongLength) },
    )
}

/// The proof that all parties of a committee have acknowledged that their shares of one package are stored. Only
/// [`Acknowledge`] makes it.
pub struct StoredByAll<F> {
    package: PackageId,
    family: PhantomData<F>,
}

impl<F: Family> StoredByAll<F> {
    /// The name of the package.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.package
    }

    /// Returns whether this share may be deleted. It has to be one of the same key. It also has to be of an epoch
    /// **before** the one that all have stored, or unconfirmed and of another package, so that nobody has heard
    /// it acknowledged. A share of another resharing that ended in the same epoch stays, since some other party
    /// may have heard that one acknowledged.
    ///
    /// The answer is `false` for a share of a child key, which is another key. Such a share has to be deleted
    /// with the share from which it was derived: ask [`permits_deleting_child`](Self::permits_deleting_child).
    #[must_use]
    pub fn permits_deleting(&self, share: &SecretShare<F>) -> bool {
        self.permits(share.package_id(), share.state())
    }

    /// Returns whether this share of a **child key** may be deleted. It has to be one of `key`, which is a child
    /// of `parent`, and the share of `parent` from which it was derived may be deleted.
    ///
    /// A refresh changes the shares of the parent and leaves stored shares of its children as they are. Each of
    /// these is an old share of the parent plus a public number, so **t of them are the parent's key, even after
    /// the refresh**. Delete all of them together with the old share. Better, never store one: deriving it again
    /// takes one addition.
    #[must_use]
    pub fn permits_deleting_child<T: Family<Curve = F::Curve>>(
        &self,
        child: &SecretShare<T>,
        key: &SharedKey<T>,
        parent: &SharedKey<F>,
    ) -> bool {
        child.check_belongs_to(key).is_ok()
            && key.is_shift_of(parent)
            && self.permits(parent.package_id(), child.state())
    }

    fn permits(&self, other: PackageId, state: ShareState) -> bool {
        let unheard =
            state == ShareState::Unconfirmed && other != self.package && other.epoch() > 0;
        other.key_id() == self.package.key_id() && (other.epoch() < self.package.epoch() || unheard)
    }
}

impl<F: Family> fmt::Debug for StoredByAll<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StoredByAll").field(&self.package).finish()
    }
}

impl<F: Family> SecretShare<F> {
    /// Marks the share as ready, since all parties of the committee have stored theirs. Afterwards store it,
    /// before you delete anything.
    ///
    /// # Errors
    /// The [`Mismatch`] if they acknowledged another package. The share is then unchanged.
    pub fn settle(&mut self, by: &StoredByAll<F>) -> Result<(), Mismatch> {
        self.package_id().check_belongs_to(&by.package)?;
        self.mark_ready();
        Ok(())
    }
}
