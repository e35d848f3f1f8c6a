//! The connections that there may be at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places for connections: a number for all, and a part of it for each user, so that no user keeps the others out.
#[derive(Debug)]
pub(super) struct Places {
    all: Arc<Semaphore>,
    /// The places of one user.
    part: usize,
    users: BTreeMap<u32, Arc<Semaphore>>,
}

impl Places {
    /// Places for this number of connections. Where there are several users, each has at most half of them.
    pub(super) fn new(connections: usize, several: bool) -> Self {
        let connections = connections.min(Semaphore::MAX_PERMITS);
        let part = if several { (connections >> 1).max(1) } else { connections };
        Self { all: Arc::new(Semaphore::new(connections)), part, users: BTreeMap::new() }
    }

    /// A place for a user whom the socket knows, if there is one. It is free again once the value is dropped. Users are
    /// remembered, so they are to be few.
    pub(super) fn take(&mut self, user: u32) -> Option<[OwnedSemaphorePermit; 2]> {
        let part = self.part;
        let own = self.users.entry(user).or_insert_with(|| Arc::new(Semaphore::new(part)));
        let of_user = Arc::clone(own).try_acquire_owned().ok()?;
        Some([of_user, Arc::clone(&self.all).try_acquire_owned().ok()?])
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn user_who_takes_all_places_leaves_half_of_them_to_others() {
        let mut places = Places::new(5, true);
        let mut taken: Vec<_> = core::iter::from_fn(|| places.take(33)).collect();
        assert_eq!(taken.len(), 2);
        taken.extend(core::iter::from_fn(|| places.take(0)));
        assert_eq!(taken.len(), 4);
        taken.extend(places.take(1000));
        assert_eq!(taken.len(), 5);
        assert!(places.take(1000).is_none());
        drop(taken);
        assert!(places.take(33).is_some());
    }

    #[test]
    fn one_user_has_all_places_and_the_smallest_number_is_one() {
        let mut places = Places::new(3, false);
        let taken: Vec<_> = core::iter::from_fn(|| places.take(7)).collect();
        assert_eq!(taken.len(), 3);
        let mut one = Places::new(1, true);
        let place = one.take(7).unwrap();
        assert!(one.take(0).is_none());
        drop(place);
        assert!(one.take(0).is_some());
        assert!(Places::new(0, false).take(7).is_none());
    }
}
