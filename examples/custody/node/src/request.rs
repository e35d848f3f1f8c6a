//! Requests of callers, verified, with their approvals.

use custody_core::{
    Caller, Callers, Operation, Refusal, RequestDigest, RequestId, SignedHead, SignedRequest,
    Verified,
};
use serde::{Deserialize, Serialize};

use crate::rows::decode;

/// A request whose signature verifies, and the approvals of it that do.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) verified: Verified,
    /// The part that the caller signed, for the log.
    pub(crate) head: SignedHead,
    pub(crate) approvals: Vec<Approved>,
}

/// An approval of a request.
#[derive(Debug)]
pub(crate) struct Approved {
    pub(crate) caller: Caller,
    pub(crate) head: SignedHead,
    pub(crate) digest: RequestDigest,
    /// Seconds since 1970.
    pub(crate) expires: u64,
}

/// A request in the ledger.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RequestRow {
    pub(crate) digest: RequestDigest,
    pub(crate) verdict: Verdict,
    /// The policies that decided.
    pub(crate) policies: Vec<String>,
    /// Seconds since 1970.
    pub(crate) expires: u64,
    /// The shares that were given for it.
    pub(crate) released: Vec<Released>,
}

impl RequestRow {
    /// Reads a row, and when the request was made, in seconds since 1970. Rows of before that was recorded do not say: it was by the
    /// deadline.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Self, u64), Refusal> {
        decode(bytes).or_else(|_| {
            let row: Self = decode(bytes)?;
            let created = row.expires;
            Ok((row, created))
        })
    }
}

/// A share of a signature that has left, or may.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Released {
    /// The name of the presignature or the nonces that it has spent, or of the run of an attempt.
    pub(crate) name: [u8; 32],
    /// The share, or the [state](crate::sign::End) of an attempt.
    pub(crate) share: Vec<u8>,
}

/// A decision about a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Verdict {
    Allowed,
    Refused(Refusal),
    Cancelled,
    /// The state of a key was set, and is not set a second time: another request may have changed it since.
    Done,
}

impl Asked {
    /// Verifies a request and its approvals at the time `now`, in seconds since 1970. An approval that does not verify counts for
    /// nothing.
    pub(crate) fn verify(
        callers: &Callers,
        request: &SignedRequest,
        approvals: &[SignedRequest],
        now: u64,
    ) -> Result<Self, Refusal> {
        let verified = request.verify(callers, now)?;
        let approvals = approvals.iter().filter_map(|signed| {
            let approval = signed.verify(callers, now).ok()?;
            match approval.operation {
                Operation::Approve(id, approve) if id == verified.id => Some(Approved {
                    caller: approval.caller,
                    head: signed.head.clone(),
                    digest: approve.digest,
                    expires: approval.expires,
                }),
                _ => None,
            }
        });
        let approvals = approvals.collect();
        Ok(Self { approvals, head: request.head.clone(), verified })
    }

    /// The id.
    pub(crate) const fn id(&self) -> RequestId {
        self.verified.id
    }
}
