//! Findings of an audit.

use core::fmt;

/// Something that an audit found: evidence of a mistake, of an attack, or of a log that is not whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of anomaly.
    pub anomaly: Anomaly,
    /// The node whose log, ledger or head shows it.
    pub node: String,
    /// The number of the entry, if there is one.
    pub sequence: Option<u64>,
    /// The details, in English.
    pub detail: String,
}

/// The kinds of anomalies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Anomaly {
    /// A head has a signature that is not the node's, or nobody knows the node's identity.
    BadHead,
    /// Entries are missing between two others.
    Gap,
    /// An entry does not follow from the one before it: one of them was altered.
    Altered,
    /// The node has two histories: two entries, or a signed head and an entry, differ at one number.
    Fork,
    /// Entries at the end are missing, or no head is signed for them.
    Truncated,
    /// Entries at the beginning are missing, without a head that the node signed and logged before it deleted them.
    Unpruned,
    /// The caller of an entry did not sign the request, or an approver its approval.
    BadRequest,
    /// Two entries, of one node or of two, contradict each other about a request.
    Contradiction,
    /// The ledger does not have the claim of a share that the log says was released.
    UnknownClaim,
    /// The ledger has a claim that no entry of the log is about.
    UnloggedClaim,
    /// A signature is on record to which the node contributed, and its log has no release for it.
    UnloggedSignature,
}

impl Anomaly {
    pub(crate) fn at(
        self,
        node: &str,
        sequence: impl Into<Option<u64>>,
        detail: impl fmt::Display,
    ) -> Finding {
        let (node, sequence, detail) = (node.into(), sequence.into(), detail.to_string());
        Finding { anomaly: self, node, sequence, detail }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.anomaly, self.node)?;
        self.sequence.iter().try_for_each(|sequence| write!(f, ", entry {sequence}"))?;
        write!(f, ": {}", self.detail)
    }
}
