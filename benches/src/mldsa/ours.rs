//! Attempts by Quorate: sessions in one process that take turns.

use std::sync::Arc;

use quorate::mldsa::session::frame::{HEADER, PREFIX};
use quorate::mldsa::session::{
    Parties, Progress, Protocol, Session, SessionId, SpentInMemory, Step,
};
use quorate::mldsa::{
    Attempted, Dealing, Dkg, DkgParams, KeyShare, Level, MessageRepresentative, Sign, SignParams,
    Signature, VerifyingKey,
};
use quorate_testkit::lockstep::{Mail, deliver, honest};

use super::{MlDsaFixture, MlDsaLibrary, MlDsaSetup, Sent, Tried};
use crate::measure::now;
use crate::{MESSAGE, generator};

/// Quorate.
pub struct QuorateMlDsa;

impl MlDsaLibrary for QuorateMlDsa {
    fn name(&self) -> &'static str {
        "quorate"
    }

    fn fixture(&self, setup: MlDsaSetup) -> Option<Box<dyn MlDsaFixture>> {
        Some(Box::new(MlDsaCommittee::new(setup)?))
    }
}

/// Signers with shares of a key, and the number of the next attempt.
pub struct MlDsaCommittee {
    key: VerifyingKey,
    shares: Vec<Arc<KeyShare>>,
    signers: Parties,
    mu: MessageRepresentative,
    slots: u16,
    number: u64,
}

/// An attempt, as it ended at all signers.
pub struct Made {
    /// The time of the attempt, and its bytes.
    pub tried: Tried,
    /// The outcome.
    pub outcome: Attempted,
    /// Bytes of the broadcasts of each signer without headers, in the order of the signers.
    pub bodies: Vec<usize>,
    /// Bytes of round 2, which has the w of all slots: k polynomials of 736 bytes each.
    pub opening: usize,
}

impl MlDsaCommittee {
    /// The first parties of a key that is dealt, if such a key is offered.
    #[must_use]
    pub fn new(setup: MlDsaSetup) -> Option<Self> {
        let parties = Parties::numbered(setup.n).ok()?;
        let dealt = Dealing::new(setup.level, setup.t, &parties, &mut generator(41)).ok()?;
        let key = dealt.public.verifying_key().clone();
        let mu = key.represent(MESSAGE, b"").ok()?;
        let signers = Parties::numbered(setup.t).ok()?;
        let shares = dealt.shares.into_iter().map(Arc::new).collect();
        let mut committee = Self { key, shares, signers, mu, slots: 0, number: 0 };
        let opening = committee.attempt().opening;
        committee.slots = u16::try_from(opening / (rows(setup.level) * 736)).ok()?;
        Some(committee)
    }

    /// The key.
    #[must_use]
    pub const fn key(&self) -> &VerifyingKey {
        &self.key
    }

    /// The signers' first steps, with their attempt counted in a table.
    fn start(&mut self) -> Vec<Step<Sign>> {
        let number = self.number;
        self.number += 1;
        let mut sid = [7; 32];
        sid[..8].copy_from_slice(&number.to_be_bytes());
        let (sid, mu, signers) = (SessionId::new(sid), &self.mu, &self.signers);
        let mut rng = generator(42);
        let step = |(me, share): (_, &Arc<KeyShare>)| {
            let record = share.attempt(number, sid, signers, mu).expect("not used up");
            let receipt = record.store(&mut SpentInMemory::new()).expect("an empty table");
            let params = SignParams::new(Arc::clone(share), *mu, number, receipt);
            Session::start(sid, me, signers, params, &mut rng).expect("parameters that fit")
        };
        signers.iter().zip(&self.shares).map(step).collect()
    }

    /// Makes an attempt.
    pub fn attempt(&mut self) -> Made {
        let mut rounds = [0.0; 4];
        let began = now();
        let mut steps = self.start();
        rounds[0] = now().saturating_sub(began).as_secs_f64();
        let mut bodies = vec![0; steps.len()];
        let (mut outcome, mut opening) = (None, 0);
        for (at, round) in rounds[1..].iter_mut().enumerate() {
            for (sum, step) in bodies.iter_mut().zip(&steps) {
                let body: usize = step.outgoing.iter().map(|one| one.bytes.len() - BEFORE).sum();
                *sum += body;
                opening = if at == 1 { body } else { opening };
            }
            let began = now();
            let (next, outcomes) = turn(steps);
            *round = now().saturating_sub(began).as_secs_f64();
            (steps, outcome) = (next, outcomes.into_iter().next());
        }
        let outcome = outcome.expect("three rounds");
        #[allow(clippy::cast_precision_loss, reason = "sizes of messages")]
        let sent = Sent {
            bodies: bodies.iter().sum::<usize>() as f64 / bodies.len() as f64,
            headers: (BEFORE * usize::from(Sign::ROUNDS)) as f64,
        };
        let tried = Tried {
            rounds: Some(rounds),
            seconds: rounds.iter().sum(),
            attempts: 1,
            signatures: outcome.signature.is_some().into(),
            sent: Some(sent),
        };
        Made { tried, outcome, bodies, opening }
    }

    /// Signs, by as many attempts as it takes, and says how many.
    pub fn sign(&mut self) -> (Signature, u32) {
        let mut tries = 0;
        loop {
            tries += 1;
            if let Some(signature) = self.attempt().outcome.signature {
                return (signature, tries);
            }
        }
    }
}

impl MlDsaFixture for MlDsaCommittee {
    fn slots(&self) -> u16 {
        self.slots
    }

    fn sign(&mut self) -> Tried {
        self.attempt().tried
    }
}

/// Bytes before the body of every frame.
const BEFORE: usize = HEADER + PREFIX;

/// The number k of rows of A.
const fn rows(level: Level) -> usize {
    match level {
        Level::MlDsa44 => 4,
        Level::MlDsa65 => 6,
        Level::MlDsa87 => 8,
    }
}

/// Has all parties receive the messages of a round and move on.
fn turn<P: Protocol>(steps: Vec<Step<P>>) -> (Vec<Step<P>>, Vec<P::Output>) {
    let (mail, mut sessions): (Vec<_>, Vec<_>) = steps.into_iter().map(Mail::of).unzip();
    deliver(&mail, &mut sessions);
    let (mut next, mut outputs) = (Vec::new(), Vec::new());
    for session in sessions {
        match session.advance() {
            Ok(Progress::Round(step)) => next.push(step),
            Ok(Progress::Done { output, .. }) => outputs.push(output),
            _ => panic!("honest parties"),
        }
    }
    (next, outputs)
}

/// Seconds of one party for a key that all parties make together.
#[must_use]
pub(crate) fn keygen(level: Level, t: u16, n: u16, number: u8) -> f64 {
    let parties = Parties::numbered(n).expect("a few parties");
    let mut rng = generator(number);
    let began = now();
    let start = |me| {
        let params = DkgParams::new(level, t);
        Session::<Dkg>::start(SessionId::new([number; 32]), me, &parties, params, &mut rng)
            .expect("a key that is offered")
    };
    drop(honest(parties.iter().map(start).collect(), |_| ()));
    now().saturating_sub(began).as_secs_f64() / f64::from(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 64 + K·736k + ⌈K/8⌉ + accepted·(576ℓ or 640ℓ) of each signer, and 71 bytes before each of three bodies.
    #[test]
    fn bytes_are_those_of_the_formula() {
        for (level, t, n, k, z, slots) in [
            (Level::MlDsa44, 2, 2, 4, 576 * 4, 2),
            (Level::MlDsa44, 3, 3, 4, 576 * 4, 4),
            (Level::MlDsa44, 4, 5, 4, 576 * 4, 30),
            (Level::MlDsa65, 2, 3, 6, 640 * 5, 5),
            (Level::MlDsa87, 2, 3, 8, 640 * 7, 4),
        ] {
            let mut committee = MlDsaCommittee::new(MlDsaSetup { level, t, n }).unwrap();
            assert_eq!(usize::from(committee.slots), slots);
            let made = committee.attempt();
            let accepted = made.outcome.accepted.values();
            let expected: Vec<usize> = accepted
                .map(|accepted| {
                    64 + slots * 736 * k + slots.div_ceil(8) + usize::from(*accepted) * z
                })
                .collect();
            assert_eq!(made.bodies, expected, "{level} {t} of {n}");
            assert!((made.tried.sent.unwrap().headers - 213.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_committee_signs_and_makes_keys() {
        let mut committee =
            MlDsaCommittee::new(MlDsaSetup { level: Level::MlDsa44, t: 3, n: 4 }).unwrap();
        let (signature, tries) = committee.sign();
        assert!(tries > 0 && committee.key().verify(MESSAGE, b"", &signature).is_ok());
        assert!(keygen(Level::MlDsa44, 2, 3, 1) > 0.0);
        assert!(MlDsaCommittee::new(MlDsaSetup { level: Level::MlDsa65, t: 5, n: 6 }).is_none());
    }
}
