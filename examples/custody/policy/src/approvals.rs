//! Approvals of a request.

use crate::context::Caller;

/// A caller's approval, whose signature has been verified.
#[derive(Clone, Copy, Debug)]
pub struct Approval<'a> {
    /// The caller that signed the approval.
    pub approver: Caller<'a>,
    /// The digest of the request that is approved.
    pub digest: [u8; 32],
    /// The time until which the approval is valid, in seconds since the beginning of 1970.
    pub expires: i64,
}

/// The callers that approve the request with this digest: with the role `approve`, in time, each name and each key once.
///
/// The requester is among them if it approved its own request. Policies leave it out unless they ask for it.
pub fn approvers<'a>(
    digest: &[u8; 32],
    now: i64,
    approvals: impl IntoIterator<Item = Approval<'a>>,
) -> Vec<Caller<'a>> {
    let mut approvers: Vec<Caller<'a>> = Vec::new();
    for Approval { approver, digest: approved, expires } in approvals {
        let counts = approved == *digest && now <= expires && approver.roles.contains(&"approve");
        if counts && !approvers.iter().any(|other| is_same(other, &approver)) {
            approvers.push(approver);
        }
    }
    approvers
}

/// Returns whether two callers are one: by name or by key.
pub(crate) fn is_same(one: &Caller<'_>, other: &Caller<'_>) -> bool {
    one.name == other.name || one.key == other.key
}
