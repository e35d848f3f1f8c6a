//! The state of everything, and the steps that can follow in it.

use std::collections::BTreeSet;

use stateright::{Model, Property};

use super::case::{Case, Request};
use super::gateway::Gateway;
use super::node::{Answer, Node};

/// The number that packages of the hostile gateway have.
const HOSTILE: u8 = u8::MAX;

/// A signing package: the message, and the nonces of its signers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Package {
    /// The request, which has the message.
    pub request: Request,
    /// The signers, one bit each.
    pub signers: u8,
    /// The gateway that made it, and its number there.
    pub made: (u8, u8),
}

/// The state of everything.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct World {
    /// The honest nodes.
    pub nodes: Vec<Node>,
    /// The gateways that keep to the protocol.
    pub gateways: Vec<Gateway>,
    /// Orders under way: gateway, node, package.
    pub orders: BTreeSet<(u8, u8, Package)>,
    /// Answers under way.
    pub answers: BTreeSet<(u8, u8, Package, Answer)>,
    /// Every share that has left an honest node.
    pub out: BTreeSet<(u8, Package)>,
    /// Crashes and restores that are left.
    pub left: (u8, u8),
}

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// A gateway begins an attempt with these signers.
    Begin(u8, u8),
    /// A node answers an order.
    Order(u8, u8, Package),
    /// A gateway takes in an answer.
    Answer(u8, u8, Package, Answer),
    /// The hostile gateway orders a share.
    Hostile(u8, Package),
    /// A node crashes.
    Crash(u8),
    /// The databases of a node are restored to before the vote.
    Restore(u8),
}

impl Model for Case {
    type State = World;
    type Action = Act;

    fn init_states(&self) -> Vec<World> {
        // The hostile gateway can do all that the others can.
        let gateways = self.requests.iter().copied().filter(|_| !self.hostile);
        vec![World {
            nodes: vec![Node::default(); self.honest.into()],
            gateways: gateways.map(Gateway::new).collect(),
            orders: BTreeSet::new(),
            answers: BTreeSet::new(),
            out: BTreeSet::new(),
            left: (self.crashes, self.restores),
        }]
    }

    fn actions(&self, world: &World, acts: &mut Vec<Act>) {
        for (gateway, number) in world.gateways.iter().zip(0..) {
            if gateway.attempt.is_none() && gateway.signature.is_none() {
                let sets = self.sets().filter(|signers| signers & !gateway.left(self) == 0);
                acts.extend(sets.map(|signers| Act::Begin(number, signers)));
            }
        }
        acts.extend(
            world.orders.iter().map(|(from, to, package)| Act::Order(*from, *to, *package)),
        );
        let answers = world.answers.iter();
        acts.extend(
            answers.map(|(to, from, package, one)| Act::Answer(*to, *from, *package, *one)),
        );
        for node in 0..self.honest {
            if self.hostile {
                self.hostile_orders(node, acts);
            }
            if world.left.0 > 0 {
                acts.push(Act::Crash(node));
            }
            if world.left.1 > 0 {
                acts.push(Act::Restore(node));
            }
        }
    }

    fn next_state(&self, last: &World, act: Act) -> Option<World> {
        let mut world = last.clone();
        match act {
            Act::Begin(gateway, signers) => world.begin(self, gateway, signers),
            Act::Order(from, to, package) => {
                world.orders.remove(&(from, to, package));
                let answer = world.ordered(self, to, package);
                world.answers.insert((from, to, package, answer));
            }
            Act::Answer(to, from, package, answer) => {
                world.answers.remove(&(to, from, package, answer));
                world.received(self, (to, from), package, answer);
            }
            Act::Hostile(node, package) => drop(world.ordered(self, node, package)),
            Act::Crash(node) => {
                world.left.0 -= 1;
                if !self.on(super::Guard::Durable) {
                    world.nodes[usize::from(node)] = Node::default();
                }
            }
            Act::Restore(node) => {
                world.left.1 -= 1;
                world.nodes[usize::from(node)] = Node { is_restored: true, ..Node::default() };
            }
        }
        (world != *last).then_some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            // What has a signature has one value and one time stamp.
            Property::always("one", |case: &Self, world: &World| world.signed(case).len() < 2),
            // The gateways that have a signature have the same.
            Property::always("same", |_, world: &World| {
                let all: BTreeSet<_> =
                    world.gateways.iter().filter_map(|one| one.signature).collect();
                all.len() < 2
            }),
            // Where one of two time stamps finds enough signers, both gateways come to an end with it.
            Property::always("ends", |case: &Self, world: &World| {
                let mut acts = vec![];
                case.actions(world, &mut acts);
                let has_ended = || world.gateways.iter().all(|one| one.signature.is_some());
                !case.always_ends() || !acts.is_empty() || has_ended()
            }),
        ]
    }
}

impl Case {
    /// The sets of signers of an attempt.
    fn sets(&self) -> impl Iterator<Item = u8> + use<> {
        let threshold = u32::from(self.threshold);
        (0..1_u8 << self.nodes).filter(move |signers| signers.count_ones() == threshold)
    }

    fn hostile_orders(&self, node: u8, acts: &mut Vec<Act>) {
        for request in self.requests {
            for signers in self.sets().filter(|signers| signers >> node & 1 == 1) {
                let package = Package { request: *request, signers, made: (HOSTILE, 0) };
                acts.push(Act::Hostile(node, package));
            }
        }
    }
}

impl World {
    fn begin(&mut self, case: &Case, number: u8, signers: u8) {
        let gateway = &mut self.gateways[usize::from(number)];
        let package = Package { request: gateway.request, signers, made: (number, gateway.begun) };
        gateway.begun += 1;
        gateway.attempt = Some(package);
        self.order(case, number, package);
    }

    fn order(&mut self, case: &Case, from: u8, package: Package) {
        let signers = (0..case.nodes).filter(|node| package.signers >> node & 1 == 1);
        self.orders.extend(signers.map(|node| (from, node, package)));
    }

    /// The answer of a node. A corrupt one gives every share.
    fn ordered(&mut self, case: &Case, node: u8, package: Package) -> Answer {
        let Some(honest) = self.nodes.get_mut(usize::from(node)) else { return Answer::Share };
        let answer = honest.answer(case, package);
        let shared = match answer {
            Answer::Share => Some(package),
            Answer::Recorded(earlier) => Some(earlier),
            Answer::Refused => None,
        };
        self.out.extend(shared.map(|package| (node, package)));
        answer
    }

    fn received(&mut self, case: &Case, (to, from): (u8, u8), package: Package, answer: Answer) {
        let gateway = &mut self.gateways[usize::from(to)];
        gateway.receive(case, from, package, answer);
        let earlier = gateway.to_order(case);
        gateway.ordered.extend(earlier.iter().copied());
        earlier.into_iter().for_each(|package| self.order(case, to, package));
    }

    /// The requests that have a signature, which corrupt nodes help to make.
    fn signed(&self, case: &Case) -> BTreeSet<Request> {
        let corrupt = (0..case.nodes).filter(|node| *node >= case.honest);
        let corrupt = corrupt.fold(0_u8, |mask, node| mask | 1 << node);
        let packages: BTreeSet<Package> = self.out.iter().map(|(_, package)| *package).collect();
        let is_signed = |package: &&Package| {
            let from = self.out.iter().filter(|(_, of)| of == *package);
            from.fold(corrupt, |mask, (node, _)| mask | 1 << node) & package.signers
                == package.signers
        };
        packages.iter().filter(is_signed).map(|package| package.request).collect()
    }
}
