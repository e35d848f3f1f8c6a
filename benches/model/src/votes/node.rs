//! A node.

use std::collections::BTreeSet;

use super::case::{Case, Guard, Request};
use super::steps::Package;

/// An answer to an order for a share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Answer {
    /// The share of the package.
    Share,
    /// The package of an earlier vote, with the share of it.
    Recorded(Package),
    /// The node refuses.
    Refused,
}

/// A node, as its ledger has it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Node {
    /// The value of the watermark.
    pub mark: Option<u8>,
    /// The package of the latest share.
    pub recorded: Option<Package>,
    /// The packages of all shares.
    pub given: BTreeSet<Package>,
    /// The node was restored, and nobody has accepted its marks.
    pub is_restored: bool,
}

impl Node {
    /// Answers an order.
    pub(super) fn answer(&mut self, case: &Case, package: Package) -> Answer {
        let Request { value, .. } = package.request;
        if self.given.contains(&package) {
            return Answer::Share;
        }
        if case.on(Guard::Restored) && self.is_restored {
            return Answer::Refused;
        }
        if case.on(Guard::Watermark) && self.mark.is_some_and(|mark| mark != value) {
            return Answer::Refused;
        }
        let earlier = self.recorded.filter(|earlier| earlier.request != package.request);
        if let Some(earlier) = earlier.filter(|earlier| earlier.request.value == value)
            && case.on(Guard::Bound)
        {
            return Answer::Recorded(earlier);
        }
        self.mark = Some(value);
        self.recorded = Some(package);
        self.given.insert(package);
        Answer::Share
    }
}
