//! The state of everything.

use super::case::Case;
use super::frame::{Content, Contents, KINDS, Kind};
use super::session::{End, Session};

/// One honest party.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Party {
    /// The session; of a run that has ended, the rest of it.
    pub session: Session,
    /// The messages of the current round went out.
    pub is_sent: bool,
    /// The end of the run.
    pub end: Option<End>,
}

/// The fault that may still happen to a store.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Fault {
    /// None any more.
    None,
    /// A crash, or a copy.
    Ahead,
    /// A copy of a party's store.
    Copy(usize, Box<Session>),
}

/// The state of everything.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct World {
    /// The honest parties.
    pub parties: Vec<Party>,
    /// The frames that honest parties ever sent, by sender and kind.
    pub(super) sent: Vec<[Contents; KINDS.len()]>,
    pub(super) fault: Fault,
}

impl World {
    pub(super) fn first(case: &Case) -> Self {
        let party = |me| Party { session: Session::new(me, 0), is_sent: false, end: None };
        let parties = (0..case.honest()).map(party).collect();
        let fault = if case.store == super::Store::Stays { Fault::None } else { Fault::Ahead };
        let mut world = Self { parties, sent: vec![Default::default(); case.honest()], fault };
        (0..case.honest()).for_each(|party| world.send(case, party));
        world
    }

    /// The messages of a party's current round go out.
    pub(super) fn send(&mut self, case: &Case, party: usize) {
        let one = &mut self.parties[party];
        one.is_sent = true;
        for (kind, content) in one.session.frames(case) {
            self.sent[party][kind as usize].insert(content);
        }
    }

    /// The frames that an honest party ever sent.
    pub(super) fn sent_by(&self, party: usize) -> impl Iterator<Item = (Kind, Content)> + '_ {
        let of =
            move |kind: Kind| self.sent[party][kind as usize].iter().map(move |one| (kind, one));
        KINDS.into_iter().flat_map(of)
    }
}
