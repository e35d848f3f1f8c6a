//! A gateway that keeps to the protocol.

use std::collections::{BTreeMap, BTreeSet};

use super::case::{Case, Guard, Request};
use super::node::Answer;
use super::steps::Package;

/// A gateway with one request.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Gateway {
    /// The request.
    pub request: Request,
    /// The number of attempts of its own.
    pub begun: u8,
    /// The attempt that is under way.
    pub attempt: Option<Package>,
    /// The nodes that give no share of the request, one bit each.
    pub refused: u8,
    /// The shares that it has of each package: the nodes, one bit each.
    pub shares: BTreeMap<Package, u8>,
    /// The packages of an earlier vote whose shares are ordered.
    pub ordered: BTreeSet<Package>,
    /// The signature: the package of its shares.
    pub signature: Option<Package>,
}

impl Gateway {
    pub(super) const fn new(request: Request) -> Self {
        Self {
            request,
            begun: 0,
            attempt: None,
            refused: 0,
            shares: BTreeMap::new(),
            ordered: BTreeSet::new(),
            signature: None,
        }
    }

    /// The nodes that may sign the request.
    pub(super) const fn left(&self, case: &Case) -> u8 {
        !self.refused & ((1 << case.nodes) - 1)
    }

    /// Takes in the answer of a node to an order for a share of a package.
    pub(super) fn receive(&mut self, case: &Case, node: u8, package: Package, answer: Answer) {
        if self.signature.is_some() {
            return;
        }
        let is_own = self.attempt == Some(package);
        match answer {
            Answer::Share => self.share(node, package),
            Answer::Refused => self.refuse(node, is_own),
            Answer::Recorded(earlier) if earlier.request == self.request => {}
            Answer::Recorded(earlier) => {
                if case.on(Guard::Joins) {
                    self.share(node, earlier);
                    self.refuse(node, is_own);
                } else {
                    // It takes the request of the other gateway for its own.
                    (self.request, self.attempt) = (earlier.request, None);
                }
            }
        }
    }

    fn share(&mut self, node: u8, package: Package) {
        let shares = self.shares.entry(package).or_default();
        *shares |= 1 << node;
        if *shares == package.signers {
            self.signature = Some(package);
        }
    }

    fn refuse(&mut self, node: u8, is_own: bool) {
        self.refused |= 1 << node;
        if is_own {
            self.attempt = None;
        }
    }

    /// The packages of earlier votes of which shares are to be ordered now.
    pub(super) fn to_order(&self, case: &Case) -> Vec<Package> {
        let can_sign = self.left(case).count_ones() >= u32::from(case.threshold);
        if can_sign || self.signature.is_some() || !case.on(Guard::Orders) {
            return vec![];
        }
        let earlier = self.shares.keys().filter(|one| one.request != self.request);
        earlier.filter(|one| !self.ordered.contains(one)).copied().collect()
    }
}
