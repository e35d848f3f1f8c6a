//! Random lives of keys: resharings, refreshes, repairs, acknowledgements and deletions on random committees. At
//! every moment, any t of the current members make the group key, t − 1 do not, and shares of different epochs do
//! not.

use chacha20::ChaCha20Rng;
use quorate_curve::{Curve, Ed25519};
use quorate_keys::session::rand_core::Rng;
use quorate_keys::session::sim::Network;
use quorate_keys::{Acknowledge, AcknowledgeParams, Repaired, ShareState};

use crate::group::{Key, Of, Shares, id, interpolated, parties, rng, sid, subsets};

fn below(rng: &mut ChaCha20Rng, bound: usize) -> usize {
    rng.next_u32() as usize % bound
}

/// Some of these, in their order.
fn some(rng: &mut ChaCha20Rng, of: &[u16], size: usize) -> Vec<u16> {
    let all = subsets(of, size);
    all[below(rng, all.len())].clone()
}

/// A key with all shares that parties still hold.
struct Life<C: Curve> {
    key: Key<C>,
    /// Older epochs whose shares are not deleted yet.
    before: Vec<(usize, Shares<C>)>,
}

impl<C: Curve> Life<C> {
    fn step(&mut self, rng: &mut ChaCha20Rng) {
        let (numbers, t) = (self.key.numbers(), self.key.threshold());
        let size = t + below(rng, numbers.len() - t + 1);
        let seed = u64::from(rng.next_u32());
        match below(rng, 5) {
            0 | 1 => {
                let n = 2 + below(rng, 4);
                let to = some(rng, &[1, 2, 3, 4, 5, 6, 7, 8], n);
                let new_t = 2 + below(rng, n - 1);
                self.become_new(&some(rng, &numbers, size), &to, new_t, seed);
            }
            2 => self.become_new(&some(rng, &numbers, size), &numbers, t, seed),
            3 if t < numbers.len() => self.repair(rng),
            _ => self.acknowledge(),
        }
    }

    fn become_new(&mut self, dealers: &[u16], to: &[u16], t: usize, seed: u64) {
        let new = self.key.reshared(dealers, to, t as u16, seed);
        let old = core::mem::replace(&mut self.key, new);
        self.before.push((usize::from(old.public.threshold()), old.shares));
    }

    fn repair(&mut self, rng: &mut ChaCha20Rng) {
        let numbers = self.key.numbers();
        let target = numbers[below(rng, numbers.len())];
        let others: Vec<u16> = numbers.iter().copied().filter(|one| *one != target).collect();
        let helpers = some(rng, &others, self.key.threshold());
        let mut report = self.key.repair(Network::new(1), &helpers, target);
        let Repaired::Share(share) = report.results.remove(&id(target)).unwrap().unwrap() else {
            panic!()
        };
        self.key.shares.insert(target, share);
    }

    /// Old members listen, and shares are deleted as soon as they may be.
    fn acknowledge(&mut self) {
        let held = |number: &u16| self.before.iter().any(|(_, shares)| shares.contains_key(number));
        let all: Vec<u16> =
            (1..=8).filter(|one| self.key.shares.contains_key(one) || held(one)).collect();
        let run = Network::new(1).run::<Acknowledge<Of<C>>>(
            sid(9),
            Box::leak(Box::new(parties(&all))),
            |me| match self.key.shares.get(&me.get()) {
                Some(share) => {
                    AcknowledgeParams::from_stored(&share.to_bytes(), &self.key.public.to_bytes())
                        .unwrap()
                }
                None => AcknowledgeParams::listener(me, &self.key.public).unwrap(),
            },
        );
        for (party, by) in run.unwrap().results {
            let by = by.unwrap();
            for (_, shares) in &mut self.before {
                if shares.get(&party.get()).is_some_and(|share| by.permits_deleting(share)) {
                    shares.remove(&party.get());
                }
            }
            if let Some(share) = self.key.shares.get_mut(&party.get()) {
                share.settle(&by).unwrap();
                assert_eq!(share.state(), ShareState::Ready);
            }
        }
        self.before.retain(|(_, shares)| !shares.is_empty());
        assert!(self.before.is_empty());
    }

    fn check(&self) {
        self.key.check();
        // The newest share of every party, except for parties that bring an old one.
        let t = self.key.threshold();
        for (old_t, old) in &self.before {
            for size in [t, *old_t, t.max(*old_t) + 1] {
                for from_old in 1..size {
                    for olds in subsets(&old.values().collect::<Vec<_>>(), from_old) {
                        let taken = |party| olds.iter().any(|one| one.id() == party);
                        let news: Vec<_> =
                            self.key.shares.values().filter(|share| !taken(share.id())).collect();
                        for news in subsets(&news, size - from_old) {
                            // Enough shares of one epoch alone would do, with the right coefficients. Mixed
                            // shares do not.
                            let mixed = [olds.clone(), news].concat();
                            assert!(interpolated(&mixed) != self.key.x);
                        }
                    }
                }
            }
            for olds in subsets(&old.values().collect::<Vec<_>>(), *old_t) {
                assert!(interpolated(&olds) == self.key.x);
                for share in olds {
                    assert!(share.check_belongs_to(&self.key.public).is_err());
                }
            }
        }
    }
}

fn random_lives<C: Curve>(lives: u64, steps: u32) {
    for seed in 0..lives {
        let mut rng = rng(seed);
        let n = 2 + below(&mut rng, 4);
        let numbers = some(&mut rng, &[1, 2, 3, 4, 5, 6], n);
        let t = 2 + below(&mut rng, n - 1);
        let key = Key::<C>::dealt(&numbers, t as u16, seed);
        let first = key.public.package_id().key_id();
        let mut life = Life { key, before: vec![] };
        for _ in 0..steps {
            life.step(&mut rng);
            life.check();
            assert_eq!(life.key.public.package_id().key_id(), first);
        }
    }
}

fn some_lives<C: Curve>() {
    random_lives::<C>(3, 6);
}

every_curve! { some_lives }

#[test]
fn many_random_lives_keep_the_key() {
    random_lives::<Ed25519>(12, 8);
}
