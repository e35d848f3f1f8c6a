//! The one error: its kind, the culprits, and the check that found it.

#[cfg(feature = "ecdsa")]
mod ecdsa;

use core::fmt::{self, Display};

use quorate::frost::generic::{
    AggregateError, ClaimError, DecodeError as FrostDecode, InvalidSignature as FrostInvalid,
    PackageError, ReceiptError, ShareRejected, SignError, TweakError,
};
use quorate::keys::derive::DeriveError;
use quorate::keys::{CommitteeError, DecodeError as KeyDecode, Mismatch, PlanError};
use quorate::session::{Abort, ParamError, PartyId, RecordError, Rejected, SealError};

use crate::table::TableError;

/// The kind of an error, which determines what to do next.
// Their order is stored in the records of a runner: new ones go to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
pub enum ErrorKind {
    /// The parties in `culprits` provably misbehaved: never empty. Continue without them.
    Misbehaviour,
    /// A check failed, and its failure does not show who misbehaved. Begin again, under another session id.
    Unattributed,
    /// The run was given up, or shares have not come; the text lists the silent parties. Silence proves nothing.
    Missing,
    /// A frame or a share was not taken. Nothing has changed; `culprits` has the sender if the sender is at fault.
    Rejected,
    /// The object was used up before. Make another.
    Consumed,
    /// The session has not ended yet.
    NotYet,
    /// The table of spent names has this name for something else, or for a session that was started before: never use this
    /// presignature, these nonces or this number of an attempt again.
    Spent,
    /// The table of spent names failed. Nothing was released.
    Table,
    /// The arguments do not fit together, or not the scheme.
    Arguments,
    /// The object belongs to another key, epoch, party or scheme. Nobody is to blame.
    Mismatch,
    /// The share, or the auxiliary information, is not confirmed by all parties.
    Unconfirmed,
    /// The bytes are no encoding of what was asked for.
    Encoding,
    /// Something sealed does not open: another key, altered bytes, or a run that has ended.
    Seal,
    /// The signature is not one of this message under this key.
    InvalidSignature,
    /// The system's generator of random numbers failed.
    Randomness,
    /// A defect of the library: please report it.
    Defect,
    /// The rows of a runner failed. Nothing is lost: call again later.
    Store,
    /// The bound on open runs, or on bytes that wait, is reached. Order the job again later.
    Busy,
    /// The run was open in rows that are not known to be the latest: `Continuity.UNKNOWN`. Begin another, under another session id.
    Discontinued,
}

#[cfg(feature = "runner")]
impl ErrorKind {
    const ALL: [Self; 19] = [
        Self::Misbehaviour,
        Self::Unattributed,
        Self::Missing,
        Self::Rejected,
        Self::Consumed,
        Self::NotYet,
        Self::Spent,
        Self::Table,
        Self::Arguments,
        Self::Mismatch,
        Self::Unconfirmed,
        Self::Encoding,
        Self::Seal,
        Self::InvalidSignature,
        Self::Randomness,
        Self::Defect,
        Self::Store,
        Self::Busy,
        Self::Discontinued,
    ];

    /// The byte that stands for this kind in a record.
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }

    pub(crate) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// The error of every function here.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Error))]
pub enum QuorateError {
    /// The only variant, so that the three fields are always there.
    Failed {
        /// The kind of the error.
        kind: ErrorKind,
        /// The parties that are to blame, ascending; empty where nobody is.
        culprits: Vec<u16>,
        /// The check that failed, in words.
        check: String,
    },
}

/// The result of a function here.
pub(crate) type Result<T, E = QuorateError> = core::result::Result<T, E>;

impl QuorateError {
    /// An error that blames nobody.
    pub(crate) fn new(kind: ErrorKind, check: impl Display) -> Self {
        Self::blaming(kind, [], check)
    }

    /// An error with culprits.
    pub(crate) fn blaming(
        kind: ErrorKind,
        culprits: impl IntoIterator<Item = PartyId>,
        check: impl Display,
    ) -> Self {
        let mut culprits: Vec<u16> = culprits.into_iter().map(PartyId::get).collect();
        culprits.sort_unstable();
        culprits.dedup();
        Self::Failed { kind, culprits, check: check.to_string() }
    }

    /// An object that was used up.
    pub(crate) fn consumed(what: &str) -> Self {
        Self::new(ErrorKind::Consumed, format_args!("{what} was used up before"))
    }

    /// [`ErrorKind::Misbehaviour`] if there are culprits, else another kind.
    fn judged(
        culprits: impl IntoIterator<Item = PartyId>,
        otherwise: ErrorKind,
        check: impl Display,
    ) -> Self {
        let mut culprits = culprits.into_iter().peekable();
        let kind = if culprits.peek().is_some() { ErrorKind::Misbehaviour } else { otherwise };
        Self::blaming(kind, culprits, check)
    }
}

impl Display for QuorateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Failed { kind, culprits, check } = self;
        write!(f, "{kind:?}: {check}")?;
        if !culprits.is_empty() {
            write!(f, " (culprits: {culprits:?})")?;
        }
        Ok(())
    }
}

impl core::error::Error for QuorateError {}

/// An exception of the foreign side that is none of the declared ones.
#[cfg(feature = "uniffi")]
impl From<uniffi::UnexpectedUniFFICallbackError> for QuorateError {
    fn from(error: uniffi::UnexpectedUniFFICallbackError) -> Self {
        Self::new(ErrorKind::Arguments, error.reason)
    }
}

macro_rules! plain {
    ($($kind:ident: $($error:ty),*;)*) => {$($(
        impl From<$error> for QuorateError {
            fn from(error: $error) -> Self {
                Self::new(ErrorKind::$kind, error)
            }
        }
    )*)*};
}

plain! {
    Arguments: CommitteeError, DeriveError;
    Defect: ReceiptError;
    Encoding: KeyDecode;
    InvalidSignature: FrostInvalid;
    Mismatch: Mismatch;
    Rejected: Rejected;
    Seal: SealError;
}

impl From<FrostDecode> for QuorateError {
    fn from(error: FrostDecode) -> Self {
        match error {
            FrostDecode::Mismatch(why) => why.into(),
            other => Self::new(ErrorKind::Encoding, other),
        }
    }
}

impl From<ParamError> for QuorateError {
    fn from(error: ParamError) -> Self {
        let kind = match error {
            ParamError::Randomness => ErrorKind::Randomness,
            ParamError::Protocol(_) => ErrorKind::Defect,
            ParamError::AlreadyRecorded => ErrorKind::Spent,
            _ => ErrorKind::Arguments,
        };
        Self::new(kind, error)
    }
}

impl From<PlanError> for QuorateError {
    fn from(error: PlanError) -> Self {
        let kind = match error {
            PlanError::Mismatch(_) => ErrorKind::Mismatch,
            PlanError::Unconfirmed => ErrorKind::Unconfirmed,
            _ => ErrorKind::Arguments,
        };
        Self::new(kind, error)
    }
}

impl From<TweakError> for QuorateError {
    fn from(error: TweakError) -> Self {
        let kind = match error {
            TweakError::Mismatch(_) => ErrorKind::Mismatch,
            _ => ErrorKind::Arguments,
        };
        Self::new(kind, error)
    }
}

impl From<Abort> for QuorateError {
    fn from(abort: Abort) -> Self {
        let otherwise = match abort {
            Abort::Missing { .. } => ErrorKind::Missing,
            _ => ErrorKind::Unattributed,
        };
        Self::judged(abort.culprits(), otherwise, &abort)
    }
}

impl From<ClaimError> for QuorateError {
    fn from(error: ClaimError) -> Self {
        match error {
            ClaimError::NoNonces => Self::consumed("the pair of nonces"),
            ClaimError::Sign(why) => why.into(),
            _ => Self::new(ErrorKind::Arguments, error),
        }
    }
}

impl From<SignError> for QuorateError {
    fn from(error: SignError) -> Self {
        let kind = match error {
            SignError::Mismatch(_) | SignError::CommitmentMismatch | SignError::NotASigner => {
                ErrorKind::Mismatch
            }
            SignError::OtherPackage => ErrorKind::Spent,
            SignError::Unconfirmed => ErrorKind::Unconfirmed,
            _ => ErrorKind::Arguments,
        };
        Self::new(kind, error)
    }
}

impl From<PackageError> for QuorateError {
    fn from(error: PackageError) -> Self {
        let otherwise = match error {
            PackageError::Mismatch { .. } => ErrorKind::Mismatch,
            PackageError::Malformed(_) => ErrorKind::Encoding,
            _ => ErrorKind::Arguments,
        };
        Self::judged(error.culprits(), otherwise, &error)
    }
}

impl From<AggregateError> for QuorateError {
    fn from(error: AggregateError) -> Self {
        let otherwise = match error {
            AggregateError::Mismatch { .. } | AggregateError::OtherPackage(_) => {
                ErrorKind::Mismatch
            }
            AggregateError::MissingShares(_) => ErrorKind::Missing,
            _ => ErrorKind::Arguments,
        };
        Self::judged(error.culprits().iter().copied(), otherwise, &error)
    }
}

impl From<RecordError<TableError>> for QuorateError {
    fn from(error: RecordError<TableError>) -> Self {
        let kind = match error {
            RecordError::Spent { .. } => ErrorKind::Spent,
            _ => ErrorKind::Table,
        };
        Self::new(kind, error)
    }
}

/// A share that a coordinator did not take from `sender`.
pub(crate) fn rejected(sender: PartyId, why: ShareRejected) -> QuorateError {
    let culprits = why.is_senders_fault().then_some(sender);
    QuorateError::blaming(ErrorKind::Rejected, culprits, why)
}
