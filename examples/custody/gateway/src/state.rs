//! Requests, as the gateway stores them.

use core::fmt::Display;

use custody_core::{
    KeyId, Problem, Reason, Refusal, RequestDescription, RequestDigest, RequestId, RequestState,
    SignatureDescription, SignedRequest, Verified,
};
use serde::{Deserialize, Serialize};

/// The state of a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum State {
    /// The request waits for nodes, presignatures or nonces.
    Accepted,
    /// Nodes want approvals that are not there.
    ApprovalsMissing,
    /// Nodes have orders for the request.
    Ordered,
    Done(Outcome),
    /// Refused, or without a result at its deadline, for [`Reason::Expired`].
    Refused(Refusal),
    /// Expired under an earlier release, which did not store why.
    Expired,
    Cancelled,
}

/// The result of a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Outcome {
    /// A signature, which the gateway has verified.
    Signature(Signature),
    /// A key that was made, and that all members have certified.
    Key(KeyId),
    /// Nothing more to say.
    Done,
}

/// A signature, and the public key under which it verifies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Signature {
    pub(crate) bytes: Vec<u8>,
    pub(crate) recovery_id: Option<u8>,
    pub(crate) public_key: Vec<u8>,
}

/// A request, as it is stored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) digest: RequestDigest,
    pub(crate) caller: String,
    pub(crate) operation: String,
    pub(crate) key: Option<KeyId>,
    /// Seconds since 1970.
    pub(crate) accepted: u64,
    pub(crate) expires: u64,
    pub(crate) signed: SignedRequest,
    pub(crate) state: State,
    /// The names of the callers that have approved it.
    pub(crate) approvals: Vec<String>,
}

impl State {
    pub(crate) const fn has_ended(&self) -> bool {
        !matches!(self, Self::Accepted | Self::ApprovalsMissing | Self::Ordered)
    }

    /// The state as the interface names it.
    pub(crate) const fn shown(&self) -> RequestState {
        match self {
            Self::Accepted | Self::Ordered => RequestState::Pending,
            Self::ApprovalsMissing => RequestState::ApprovalsMissing,
            Self::Done(_) => RequestState::Done,
            Self::Refused(Refusal { reason: Reason::Expired, .. }) | Self::Expired => {
                RequestState::Expired
            }
            Self::Refused(_) => RequestState::Refused,
            Self::Cancelled => RequestState::Cancelled,
        }
    }

    /// The name in metrics.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::ApprovalsMissing => "approvals-missing",
            Self::Ordered => "ordered",
            Self::Done(_) => "done",
            Self::Refused(Refusal { reason: Reason::Expired, .. }) | Self::Expired => "expired",
            Self::Refused(_) => "refused",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Record {
    pub(crate) fn new(signed: SignedRequest, verified: &Verified, now: u64) -> Self {
        Self {
            digest: verified.digest,
            caller: verified.caller.name.clone(),
            operation: verified.operation.name().to_owned(),
            key: verified.operation.key(),
            accepted: now,
            expires: verified.expires,
            signed,
            state: State::Accepted,
            approvals: Vec::new(),
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        // Nothing in it fails to serialize.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }

    /// The description for callers. `delay` is why there is no result yet.
    pub(crate) fn describe(
        &self,
        request: RequestId,
        delay: Option<Refusal>,
    ) -> RequestDescription {
        let (mut key, mut signature, mut problem) = (self.key, None, delay);
        match &self.state {
            State::Done(Outcome::Key(made)) => key = Some(*made),
            State::Done(Outcome::Signature(made)) => {
                signature = Some(SignatureDescription {
                    signature: made.bytes.clone(),
                    recovery_id: made.recovery_id,
                    public_key: made.public_key.clone(),
                });
            }
            State::Refused(refusal) => problem = Some(refusal.clone()),
            State::Expired => {
                problem = problem.or_else(|| Some(refuse(Reason::Expired, "no result")))
            }
            _ => {}
        }
        RequestDescription {
            request,
            digest: self.digest,
            state: self.state.shown(),
            operation: self.operation.clone(),
            caller: self.caller.clone(),
            key,
            expires: self.expires,
            approvals: self.approvals.clone(),
            signature,
            problem: problem.map(|refusal| Problem::new(refusal, Some(request))),
            signed: self.signed.clone(),
        }
    }
}

pub(crate) fn refuse(reason: Reason, detail: impl Display) -> Refusal {
    Refusal::new(reason, detail)
}
