//! Distributed key generation by Quorate, on decoded values.

use quorate::frost::generic::dkg::parts::{self, Announcement};
use quorate::frost::generic::{Ciphersuite, DkgParams, Scalar};
use quorate::{Parties, PartyId};
use quorate_sharing::{Polynomial, Secret};

use crate::{Routine, Size, generator};

/// Stands for the context that a session gives to its proofs.
const CONTEXT: [u8; 32] = [7; 32];

/// Secrets and messages of the first party.
pub(super) struct Dkg<S: Ciphersuite> {
    me: PartyId,
    parties: Parties,
    params: DkgParams<S>,
    polynomial: Polynomial<S::Curve>,
    others: Vec<PartyId>,
    /// The announcements, ascending: the first party's own is the first.
    announcements: Vec<(PartyId, Announcement<S>)>,
    shares: Vec<(PartyId, Secret<Scalar<S>>)>,
}

fn first() -> PartyId {
    PartyId::new(1).expect("not zero")
}

pub(super) fn part1<S: Ciphersuite>(size: Size) -> Routine<'static> {
    let mut rng = generator(3);
    Routine::repeat(move || {
        parts::part1::<S>(first(), size.t, &CONTEXT, &mut rng).expect("a generator that works")
    })
}

impl<S: Ciphersuite> Dkg<S> {
    /// Runs round 1 for every party, and of round 2 only what the first party gets.
    pub(super) fn new(size: Size) -> Self {
        let mut rng = generator(4);
        let parties = Parties::numbered(size.n).expect("a valid size");
        let me = first();
        let mut start = |id| {
            let (polynomial, announcement) =
                parts::part1::<S>(id, size.t, &CONTEXT, &mut rng).expect("a generator that works");
            let decoded = Announcement::from_bytes(&announcement.to_bytes(), size.t.into());
            (polynomial, (id, decoded.expect("valid bytes")))
        };
        let (polynomial, own) = start(me);
        let others: Vec<_> = parties.iter().filter(|id| *id != me).collect();
        let (mut announcements, mut shares) = (vec![own], Vec::new());
        for &id in &others {
            let (polynomial, announcement) = start(id);
            announcements.push(announcement);
            shares.push((id, Secret::new(polynomial.evaluate(me))));
        }
        Self {
            me,
            parties,
            params: DkgParams::new(size.t),
            polynomial,
            others,
            announcements,
            shares,
        }
    }

    /// As frost-core's part2: with the own share of the own polynomial.
    pub(super) fn part2(&self) -> Routine<'_> {
        Routine::repeat(|| {
            let shares =
                parts::part2(&self.polynomial, &CONTEXT, &self.announcements[1..], &self.others);
            (shares.expect("honest parties"), Secret::new(self.polynomial.evaluate(self.me)))
        })
    }

    pub(super) fn part3(&self) -> Routine<'_> {
        let own = Secret::new(self.polynomial.evaluate(self.me));
        Routine::repeat(move || {
            parts::part3(
                self.me,
                &self.parties,
                self.params,
                &own,
                &self.announcements,
                &self.shares,
            )
            .expect("honest parties")
        })
    }
}
