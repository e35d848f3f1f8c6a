//! Acknowledging that a new share is stored, so that the old one may go, as a [`Session`].
//!
//! A resharing ends for one party before it ends for another, and may never end for a third. Who deleted its old
//! share at once would leave the honest parties in two epochs, none of them with t shares that fit together
//! (*forget and forgive*). So old shares go in two steps:
//!
//! 1. **Store beside.** What [`Reshare`](crate::Reshare) gives is [`ShareState::Pending`]. Store it and its public
//!    value beside the old ones and leave those as they are. Both load, both sign: [`SecretShare::package_id`] says
//!    which is which, and what belongs to the other is refused by name ([`Mismatch`](crate::Mismatch)). Ask for
//!    signatures in the old epoch, as everybody has that. A share that is unconfirmed is confirmed first
//!    ([`SecretShare::confirm`]).
//! 2. **Acknowledge, then delete.** Every member of the new committee runs this protocol with the share as it was read
//!    back from the store: one round, in which each says that it has stored its share of this package. Who has heard
//!    it from all has [`StoredByAll`]: it [settles](SecretShare::settle) the new share, stores that, and deletes each
//!    share that the value [permits to delete](StoredByAll::permits_deleting). From now on ask for signatures in the
//!    new epoch.
//!
//! Old members that have left take part as [listeners](AcknowledgeParams::listener), to hear when their shares may
//! go; who is not there keeps its share until another session.
//!
//! So where one honest party has deleted the old share, all honest members of the new committee have the new one; and
//! where one of these has not even made a new one, all still have the old. Acknowledgements that are lost or withheld
//! keep both shares where they are: run the protocol again, with a new session id, as often as it takes.
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

/// The acknowledgement that all parties of a committee have stored their shares of a package, a protocol for
/// [`quorate_session::Session`] whose parties are the committee and any listeners.
pub struct Acknowledge<F>(PhantomData<F>);

/// Which package is acknowledged, and by whom.
#[derive(Clone)]
pub struct AcknowledgeParams<F> {
    me: PartyId,
    committee: Parties,
    package: PackageId,
    family: PhantomData<F>,
}

impl<F: Family> AcknowledgeParams<F> {
    /// For a share that is **stored**: `share` and `public` are the stored forms ([`SecretShare::to_bytes`],
    /// [`SharedKey::to_bytes`]), read back from the store after they were made durable there.
    ///
    /// # Errors
    /// As the two `from_bytes`; [`DecodeError::Inconsistent`] if the share is not one of this public value, or is one
    /// of a resharing that is [`ShareState::Unconfirmed`]. The others may delete their old shares on the strength of
    /// this acknowledgement, so this one has to sign: [confirm](SecretShare::confirm) it, which costs nothing as long
    /// as the old one is kept, and store that.
    pub fn from_stored(share: &[u8], public: &[u8]) -> Result<Self, DecodeError> {
        let share = SecretShare::<F>::from_bytes(share)?;
        let public = SharedKey::<F>::from_bytes(public)?;
        if share.expect(&public).is_err() {
            return Err(DecodeError::Inconsistent(
                "the share stored is not one of the public value stored",
            ));
        }
        if share.epoch() > 0 && share.state() == ShareState::Unconfirmed {
            return Err(DecodeError::Inconsistent(
                "an unconfirmed share of a resharing: confirm and store it before acknowledging it",
            ));
        }
        Ok(Self::new(share.party(), &public))
    }

    /// For a party that is not in the committee, and wants to know when its own, older share may go.
    ///
    /// # Errors
    /// [`PlanError::OtherPart`] if it is in the committee.
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

/// Where a party stands: it has acknowledged, and waits for the others.
#[derive(Debug)]
pub struct State(PackageId);

impl<F: Family> Protocol for Acknowledge<F> {
    const NAME: &'static str = "quorate-keys acknowledge";
    const CODE: u8 = 34;
    const ROUNDS: u8 = 1;

    type Params = AcknowledgeParams<F>;
    type State = State;
    type Output = StoredByAll<F>;

    fn bind(params: &AcknowledgeParams<F>, binding: &mut Binding) {
        params.package.bind::<F>(binding);
    }

    /// The frame says it all: it carries the digest of what is acknowledged. Its body is empty.
    fn limits(_params: &AcknowledgeParams<F>, _parties: usize, _round: Round) -> Limits {
        Limits { broadcast: 1, direct: 0 }
    }

    fn start(params: AcknowledgeParams<F>, run: &Run) -> Result<(State, Outbox), ParamError> {
        if let Some(absent) = params.committee.iter().find(|party| !run.parties().contains(*party))
        {
            return Err(ParamError::NotAParty(absent));
        }
        if run.me() != params.me {
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

/// Whether every body is empty.
fn empty(inbox: Inbox<'_>) -> Result<PerParty<()>, Abort> {
    inbox.verify(
        |_, message| if message.broadcast.is_empty() { Ok(()) } else { Err(Fault::WrongLength) },
    )
}

/// All parties of a committee have acknowledged that their shares of one package are stored. [`Acknowledge`] alone makes
/// it.
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

    /// Whether this share may be deleted: it is one of the same key, and either of an epoch **before** the one that all
    /// have stored, or unconfirmed and of another package, so that nobody has heard it acknowledged. A share of another
    /// resharing that ended in the same epoch may not, as some other party may have heard that one acknowledged.
    #[must_use]
    pub fn permits_deleting(&self, share: &SecretShare<F>) -> bool {
        let other = share.package_id();
        let unheard =
            share.state() == ShareState::Unconfirmed && other != self.package && other.epoch() > 0;
        other.key_id() == self.package.key_id() && (other.epoch() < self.package.epoch() || unheard)
    }
}

impl<F: Family> fmt::Debug for StoredByAll<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StoredByAll").field(&self.package).finish()
    }
}

impl<F: Family> SecretShare<F> {
    /// Marks the share as ready, since all parties of the committee have stored theirs. Store it
    /// after that, before anything is deleted.
    ///
    /// # Errors
    /// The [`Mismatch`] if they acknowledged another package; the share is as it was.
    pub fn settle(&mut self, by: &StoredByAll<F>) -> Result<(), Mismatch> {
        by.package.expect(&self.package_id())?;
        self.mark_ready();
        Ok(())
    }
}
