//! The consequences of complaints.

use alloc::vec::Vec;

use quorate_session::{Abort, Check, Fault, Inbox, PartyId, Run};

use crate::dkg::terms::{Complaints, Terms};

/// Blames the leaders of the sets about which this party complains. A leader's broadcast does not match what it
/// sent to this party alone.
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

/// The verdict on the messages of a round, joined with the leaders that this party accuses. All culprits are named,
/// each once.
pub(crate) fn together<T>(
    accused: Result<(), Abort>,
    verified: Result<T, Abort>,
) -> Result<T, Abort> {
    let mut blames = match accused {
        Ok(()) => return verified,
        Err(Abort::Misbehaviour(blames)) => blames,
        // A defect of this party's own.
        Err(other) => return Err(other),
    };
    if let Err(Abort::Misbehaviour(more)) = verified {
        let known: Vec<PartyId> = blames.iter().map(|blame| blame.party).collect();
        blames.extend(more.into_iter().filter(|blame| !known.contains(&blame.party)));
        blames.sort_by_key(|blame| blame.party);
    }
    Err(Abort::Misbehaviour(blames))
}

/// Fails if others complain, since this party cannot know who lies.
pub(crate) fn heed<'c>(
    others: impl IntoIterator<Item = &'c Complaints>,
    run: &Run,
) -> Result<(), Abort> {
    if others.into_iter().any(|complaints| !complaints.0.is_empty()) {
        return Err(Abort::unattributed(run.round(), Check::Complaint));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use quorate_session::Round;

    use super::*;

    fn party(number: u16) -> PartyId {
        PartyId::new(number).unwrap()
    }

    fn blame(parties: &[PartyId]) -> Abort {
        Abort::blame(Round(2), parties.iter().map(|party| (*party, Fault::Malformed)).collect())
    }

    #[test]
    fn a_defect_of_this_partys_own_stands() {
        let defect = || Abort::unattributed(Round(2), Check::Internal);
        for verified in [Ok(()), Err(blame(&[party(1)]))] {
            assert_eq!(together(Err(defect()), verified), Err(defect()));
        }
    }

    #[test]
    fn each_culprit_is_named_once() {
        let [first, last] = [1, 2].map(party);
        let found = together::<()>(Err(blame(&[last])), Err(blame(&[first, last])));
        assert_eq!(found, Err(blame(&[first, last])));
        assert_eq!(together(Ok(()), Err::<(), _>(blame(&[first]))), Err(blame(&[first])));
    }
}
