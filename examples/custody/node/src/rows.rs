//! The rows of a node in its databases, and their encoding.

use custody_core::{KeyId, KeySpec, Reason, Refusal, RequestId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Spaces of rows beside the runs.
pub(crate) mod space {
    /// Keys: id → [`KeyRow`](super::KeyRow).
    pub(crate) const KEYS: u8 = 1;
    /// Shares: key ‖ digest of the package → [`ShareRow`](super::ShareRow).
    pub(crate) const SHARES: u8 = 2;
    /// Presignatures and nonces: key ‖ digest of the package ‖ name → [`MaterialRow`](super::MaterialRow).
    pub(crate) const MATERIAL: u8 = 3;
    /// Auxiliary information, sealed: the request that made it.
    pub(crate) const AUX: u8 = 4;
    /// Records of the agreements about new shares: key.
    pub(crate) const AGREEMENTS: u8 = 5;
    /// Jobs that have not been settled: session id → [`Job`](crate::jobs::JobRow).
    pub(crate) const JOBS: u8 = 6;
    /// Results of requests for runs: request → [`ResultRow`](super::ResultRow).
    pub(crate) const RESULTS: u8 = 7;
    /// The [life](crate::life) of the node: one row without a name.
    pub(crate) const LIFE: u8 = 8;
    /// The search for primes, sealed: one row.
    pub(crate) const PRIMES: u8 = 9;
    /// Accusations: number of the party → [`Accusation`](custody_core::Accusation).
    pub(crate) const ACCUSED: u8 = 10;
}

/// Spaces of rows beside what was spent. No backup brings them back.
pub(crate) mod ledger {
    /// Requests: id → [`RequestRow`](crate::request::RequestRow).
    pub(crate) const REQUESTS: u8 = 49;
    /// Watermarks: key ‖ slot → mark.
    pub(crate) const WATERMARKS: u8 = 35;
    /// Votes and proposals of which the node has given a share, the latest of each slot: key ‖ slot →
    /// [`RecordedRow`](crate::recorded::RecordedRow).
    pub(crate) const RECORDED: u8 = 52;
    /// Counters of policies: key ‖ name ‖ slot → total.
    pub(crate) const WINDOWS: u8 = 36;
    /// Entries of the log of decisions: sequence number.
    pub(crate) const AUDIT: u8 = 37;
    /// Votes of agreements about new shares: key ‖ entry.
    pub(crate) const VOTES: u8 = 38;
    /// States of keys that do not sign: key.
    pub(crate) const STATES: u8 = 39;
    /// Committees of changes that the node has begun: key ‖ epoch.
    pub(crate) const COMMITTEES: u8 = 42;
    /// One row without a name if watermarks were lost; one for each key that was made since, or whose marks an
    /// operator has accepted since.
    pub(crate) const LOST: u8 = 43;
    /// Members of earlier committees that may know nothing of a mark: key → number.
    pub(crate) const UNAWARE: u8 = 46;
    /// What stays in the specification of a key, sealed: key. The other database has the specification itself.
    pub(crate) const SPECS: u8 = 47;
    /// The numbers of attempts to sign with ML-DSA: digest of the package → the next. They outlive the key, as claims do.
    pub(crate) const ATTEMPTS: u8 = 48;
    /// One row without a name in a ledger that was made with a restored backup, until an operator lets the node rejoin.
    pub(crate) const RESTORED: u8 = 44;
    /// Copies of new shares, sealed: key ‖ digest of the package → [`CopyRow`](super::CopyRow).
    pub(crate) const COPIES: u8 = 51;
    /// Copies as they were, which nothing read.
    pub(crate) const OLD_COPIES: u8 = 40;
    /// One row without a name: the time at which the latest of the forgotten requests was made.
    pub(crate) const FORGOTTEN: u8 = 50;
    /// What format 1 had instead: requests without their shares, the shares, and the number of the last entry of the log. These
    /// numbers are not used again.
    pub(crate) const OF_FORMAT_1: [u8; 3] = [33, 34, 41];
}

/// A key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeyRow {
    pub(crate) request: RequestId,
    pub(crate) spec: KeySpec,
    /// The request whose run made the auxiliary information.
    pub(crate) aux: RequestId,
}

/// A share of a key.
#[derive(Serialize, Deserialize)]
pub(crate) struct ShareRow {
    pub(crate) public: Vec<u8>,
    pub(crate) sealed: Vec<u8>,
}

/// A copy of a share, with what else opens it.
#[derive(Serialize, Deserialize)]
pub(crate) struct CopyRow {
    pub(crate) share: ShareRow,
    pub(crate) key: KeyRow,
    /// The sealed auxiliary information of the key, if it has some.
    pub(crate) aux: Option<Vec<u8>>,
}

/// A presignature or a pair of nonces.
#[derive(Serialize, Deserialize)]
pub(crate) struct MaterialRow {
    pub(crate) public: Vec<u8>,
    pub(crate) sealed: Vec<u8>,
}

/// The end of a request for a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ResultRow {
    /// The key that was made, or got new shares.
    Key(KeyId),
    /// The run failed, for good.
    Failed(Refusal),
}

/// The result of a transaction.
pub(crate) type Stored<T> = Result<T, quorate_store::Error>;

/// Encodes a row.
pub(crate) fn encode<T: Serialize>(row: &T) -> Result<Vec<u8>, Refusal> {
    postcard::to_stdvec(row).map_err(internal)
}

/// Decodes a row.
pub(crate) fn decode<T: DeserializeOwned>(row: &[u8]) -> Result<T, Refusal> {
    postcard::from_bytes(row)
        .map_err(|why| internal(format_args!("a stored row is damaged: {why}")))
}

/// The refusal for an error inside the node.
pub(crate) fn internal(why: impl core::fmt::Display) -> Refusal {
    Refusal::new(Reason::Internal, why)
}

/// A name of parts, all but the last of a fixed length.
pub(crate) fn name(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}
