//! What follows from complaints.

use quorate_session::{Abort, Check, Fault, Inbox, Run};

use crate::dkg::terms::{Complaints, Terms};

/// Blames the leaders of the sets that this party complains about: what they told all, and what they told this party
/// alone, do not fit.
pub(crate) fn accuse(
    terms: &Terms,
    complaints: &Complaints,
    fault: Fault,
    inbox: Inbox<'_>,
) -> Result<(), Abort> {
    let mut leaders: Vec<_> = complaints.0.iter().filter_map(|set| terms.leader(*set)).collect();
    leaders.sort_unstable();
    leaders.dedup();
    if leaders.is_empty() {
        return Ok(());
    }
    Err(inbox.blame(leaders.into_iter().map(|leader| (leader, fault))))
}

/// Fails if others complain: this party cannot know who lies.
pub(crate) fn heed<'c>(
    others: impl IntoIterator<Item = &'c Complaints>,
    run: &Run,
) -> Result<(), Abort> {
    if others.into_iter().any(|complaints| !complaints.0.is_empty()) {
        return Err(Abort::unattributed(run.round(), Check::Complaint));
    }
    Ok(())
}
