//! The acknowledgement that a new share is stored, so that the old one may be deleted, as a
//! [`Session`].
//!
//! A refresh ends for one party before it ends for another, and may never end for a third. A party
//! that deletes its old share at once may leave the honest parties in two epochs, without t shares
//! that fit together (*forget and forgive*, VS-14 in `docs/security-catalogue.md`). So old shares are
//! deleted in two steps:
//!
//! 1. **Store beside.** A share from [`Refresh`](crate::Refresh) is [`ShareState::Pending`]. Store it
//!    beside the old share, and leave the old one as it is. Both load and both sign;
//!    [`SigningPackage::package_id`] says which of the two a package asks for. Coordinators ask for
//!    the old epoch, which all parties have. An unconfirmed share is confirmed first
//!    ([`KeyShare::confirm`]): the old one is kept anyway.
//! 2. **Acknowledge, then delete.** All parties run this protocol with the share as it was read back
//!    from the store: one round, in which each says that it has stored its share of this package. A
//!    party that has heard it from all has [`StoredByAll`]: it [settles](KeyShare::settle) the new
//!    share, stores that, and deletes each share that the value
//!    [permits to delete](StoredByAll::permits_deleting). Coordinators ask for the new epoch.
//!
//! If one honest party has deleted its old share, all honest parties have the new one. If one honest
//! party has not made a new share, all still have the old one. Acknowledgements that are lost or
//! withheld keep both shares: run the protocol again, with a new session id, as often as it takes.
//! After a crash between settling and deleting there is a settled share with an older one beside it:
//! acknowledge again, or delete the older one. A share that was repaired or imported is pending in
//! every epoch but the first, whatever it was for the others.
//!
//! [`Session`]: quorate_session::Session
//! [`SigningPackage::package_id`]: crate::SigningPackage::package_id

use core::fmt;
use core::marker::PhantomData;

use quorate_session::{
    Abort, Binding, Fault, Inbox, Judgement, Limits, Next, Outbox, ParamError, Parties, PartyId,
    Protocol, Round, Run,
};

use crate::error::{DecodeError, Mismatch};
use crate::keys::{KeyShare, PackageId, ShareState};
use crate::shares::Received;
use crate::suite::KeySuite;

/// The acknowledgement that all parties of a key have stored their shares of a package, a protocol
/// for [`quorate_session::Session`].
pub struct Acknowledge<S>(PhantomData<S>);

/// The parameters of an acknowledgement: the package of which this party has stored its share.
#[derive(Clone)]
pub struct AcknowledgeParams<S> {
    me: PartyId,
    parties: Parties,
    package: PackageId,
    suite: PhantomData<S>,
}

impl<S: KeySuite> AcknowledgeParams<S> {
    /// For a share that is **stored**: `read_back` is its stored form
    /// ([`KeyShare::to_bytes`]), read from the store after it was made durable there.
    ///
    /// # Errors
    /// As [`KeyShare::from_bytes`]; [`DecodeError::Inconsistent`] for a refreshed share that is
    /// [`ShareState::Unconfirmed`]. The others may delete their old shares on the strength of this
    /// acknowledgement, so this one has to sign: [confirm](KeyShare::confirm) it, which costs nothing
    /// as long as the old one is kept, and store that.
    pub fn of_stored(read_back: &[u8]) -> Result<Self, DecodeError> {
        let share = KeyShare::<S>::from_bytes(read_back)?;
        if share.epoch() > 0 && share.state() == ShareState::Unconfirmed {
            return Err(DecodeError::Inconsistent(
                "an unconfirmed share of a refresh: confirm and store it before acknowledging it",
            ));
        }
        let KeyShare { id, parties, package, .. } = share;
        Ok(Self { me: id, parties, package, suite: PhantomData })
    }
}

impl<S: KeySuite> fmt::Debug for AcknowledgeParams<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AcknowledgeParams").field("package", &self.package).finish_non_exhaustive()
    }
}

/// The state of a party that has acknowledged and waits for the others: the package.
#[derive(Debug)]
pub struct State(PackageId);

impl<S: KeySuite> Protocol for Acknowledge<S> {
    const NAME: &'static str = "quorate-frost acknowledge";
    const CODE: u8 = 4;
    const ROUNDS: u8 = 1;

    type Params = AcknowledgeParams<S>;
    type State = State;
    type Output = StoredByAll<S>;

    fn bind(params: &AcknowledgeParams<S>, binding: &mut Binding) {
        binding.append("suite", S::CONTEXT.as_bytes());
        binding.append("key", &params.package.key_id());
        binding.append_u64("epoch", u64::from(params.package.epoch()));
        binding.append("package", &params.package.digest());
    }

    /// The body is empty: the context in the frame binds the digest of the package.
    fn limits(_params: &AcknowledgeParams<S>, _parties: usize, _round: Round) -> Limits {
        Limits { broadcast: 1, direct: 0 }
    }

    fn start(params: AcknowledgeParams<S>, run: &Run) -> Result<(State, Outbox), ParamError> {
        if *run.parties() != params.parties {
            return Err(ParamError::Inconsistent("all parties of the key have to take part"));
        }
        if run.me() != params.me {
            return Err(ParamError::Inconsistent("the share is not this party's"));
        }
        Ok((State(params.package), Outbox::default()))
    }

    fn next(state: State, _run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        empty(inbox)?;
        Ok(Next::Done(StoredByAll { package: state.0, suite: PhantomData }))
    }

    fn judge(_state: State, _run: &Run, inbox: Inbox<'_>) -> Judgement<StoredByAll<S>> {
        empty(inbox).into()
    }
}

/// Checks that every body is empty.
fn empty(inbox: Inbox<'_>) -> Received<()> {
    inbox.verify(
        |_, message| {
            if message.broadcast.is_empty() { Ok(()) } else { Err(Fault::WrongLength) }
        },
    )
}

/// All parties have acknowledged that their shares of one package are stored. [`Acknowledge`] alone
/// makes it.
pub struct StoredByAll<S> {
    package: PackageId,
    suite: PhantomData<S>,
}

impl<S: KeySuite> StoredByAll<S> {
    /// The name of the package.
    #[must_use]
    pub fn package_id(&self) -> PackageId {
        self.package
    }

    /// Whether this share may be deleted: it is one of the same key, of an epoch **before** the one
    /// that all have stored. A share of another refresh that ended in the same epoch may not, as
    /// some other party may have heard that one acknowledged.
    #[must_use]
    pub fn permits_deleting(&self, share: &KeyShare<S>) -> bool {
        let other = share.package_id();
        other.key_id() == self.package.key_id() && other.epoch() < self.package.epoch()
    }
}

impl<S: KeySuite> fmt::Debug for StoredByAll<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StoredByAll").field(&self.package).finish()
    }
}

impl<S: KeySuite> KeyShare<S> {
    /// Marks the share as ready, since all parties have stored theirs. Store it again after that,
    /// before anything is deleted.
    ///
    /// # Errors
    /// A [`Mismatch`] if they acknowledged another package; the share is as it was.
    pub fn settle(&mut self, by: &StoredByAll<S>) -> Result<(), Mismatch> {
        by.package.expect(&self.package)?;
        self.state = ShareState::Ready;
        Ok(())
    }
}
