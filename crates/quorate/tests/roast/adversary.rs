//! A coordinator that asks for anything, with restored states, repeated starts and a table that fails after it has
//! recorded. Each pair of nonces makes one share, of one package.

use std::collections::BTreeMap;

use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::roast::Refused;
use quorate::frost::generic::{
    Ciphersuite, Commitments, KeyShare, PublicKeyPackage, RoastSigner, SigningPackage,
};
use quorate::session::container::HEADER;
use quorate::session::{RecordError, SealKey, SpentInMemory, SpentTable, TableEntry};
use quorate_testkit::lockstep::{id, sid};
use quorate_testkit::{Lcg, rng_of, suite_tests};

use super::attacks::request;
use super::faults::Bench;
use super::world::{Layout, RUN, TEXT, dealt, key, layout, package_of};

/// A table that can be made to record and then report a failure.
#[derive(Default)]
pub(crate) struct Flaky {
    pub(crate) table: SpentInMemory,
    pub(crate) fails: bool,
    /// `true` for a table that was restored from a snapshot, and has forgotten.
    pub(crate) forgets: bool,
}

impl SpentTable for Flaky {
    type Error = &'static str;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry, &'static str> {
        if self.forgets {
            self.table = SpentInMemory::new();
        }
        let Ok(stored) = self.table.record(id, digest);
        if self.fails { Err("the connection broke after the commit") } else { Ok(stored) }
    }
}

/// One signer in the hands of an adversary that has all other shares.
struct Victim<S: Ciphersuite> {
    public: PublicKeyPackage<S>,
    share: KeyShare<S>,
    signer: RoastSigner<S>,
    table: Flaky,
    /// Sealed states of any age.
    stored: Vec<Vec<u8>>,
    /// The commitments that it has ever published, by run.
    published: Vec<(u8, Commitments<S>)>,
    /// Partners' commitments, which are the adversary's.
    partners: Vec<Commitments<S>>,
    requests: Vec<Vec<u8>>,
    /// By the pair of nonces: the digest of the package, and the share.
    made: BTreeMap<Vec<u8>, Vec<u8>>,
    answers: usize,
    /// Requests that the table alone has refused.
    spent: usize,
    random: Lcg,
}

impl<S: Ciphersuite> Victim<S> {
    fn new(seed: u64) -> Self {
        let (public, mut shares) = dealt::<S>(2, 4);
        let partners = shares.split_off(1);
        let partners = partners.iter().flat_map(|share| {
            [1, 2].map(|seed| share.commit(&mut rng_of(seed + u64::from(share.id().get()))).1)
        });
        let partners = partners.collect();
        let share = shares.remove(0);
        let signer = RoastSigner::start(&share, sid(RUN), TEXT, &mut rng_of(seed)).unwrap();
        let mut victim = Self {
            public,
            share,
            signer,
            table: Flaky::default(),
            stored: Vec::new(),
            published: Vec::new(),
            partners,
            requests: Vec::new(),
            made: BTreeMap::new(),
            answers: 0,
            spent: 0,
            random: Lcg(seed),
        };
        victim.hears();
        victim
    }

    fn sealed() -> SealKey {
        key()
    }

    /// The run and the commitments of what the signer has sent last.
    fn says(&self) -> (u8, Commitments<S>) {
        let Layout { hiding, session, .. } = layout::<S>();
        let points = &self.signer.message()[hiding..session];
        let (d, e) = points.split_at(points.len() / 2);
        let pair = Commitments::from_parts(id(1), self.public.package_id(), d, e).unwrap();
        (self.signer.run().as_bytes()[0], pair)
    }

    /// Notes what the signer has published, and its state.
    fn hears(&mut self) {
        self.published.push(self.says());
        self.stored.push(self.signer.seal(&Self::sealed()));
    }

    /// A request for a pair that was published, the one that waits more often than the others.
    fn invents(&mut self) -> Vec<u8> {
        let first = self.signer.message().to_vec();
        let any = self.random.below(self.published.len());
        let waits = self.random.below(4) > 0;
        let (run, mine) = if waits { self.says() } else { self.published[any] };
        let partner = self.partners[self.random.below(self.partners.len())];
        let package = SigningPackage::new(&self.public, [mine, partner], TEXT).unwrap();
        let number = u16::try_from(self.random.below(4) + 1).unwrap();
        // A container of the right kind, whose body is replaced.
        let like = self.requests.first().cloned().unwrap_or(first);
        request(&like, number, &package, run)
    }

    fn asks(&mut self, request: &[u8]) {
        self.table.fails = self.random.below(4) == 0;
        let random = &mut rng_of(self.random.number() % 32);
        let answer = self.signer.answer(&self.share, request, &mut self.table, random);
        let answer = match answer {
            Ok(bytes) => bytes.to_vec(),
            Err(Refused::Record(RecordError::Table(_))) => {
                assert!(self.table.fails);
                return;
            }
            Err(Refused::Record(RecordError::Spent { .. })) => {
                self.spent += 1;
                return;
            }
            Err(_) => return,
        };
        let package = package_of::<S>(request);
        let mine = package.commitments_of(id(1)).unwrap();
        let pair = [mine.hiding().as_ref(), mine.binding().as_ref()].concat();
        let Layout { digest, end, .. } = layout::<S>();
        let share = answer[digest..end].to_vec();
        assert_eq!(share[..32], package.digest(None));
        let before = self.made.insert(pair, share.clone());
        assert!(before.is_none_or(|before| before == share), "one pair for two packages");
        self.answers += 1;
        self.hears();
    }

    /// Starts again, the same run or another one, with a generator that may repeat itself.
    fn starts(&mut self) {
        let run = if self.random.below(2) == 0 { RUN } else { RUN + 1 };
        let random = &mut rng_of(self.random.number() % 32);
        self.signer = RoastSigner::start(&self.share, sid(run), TEXT, random).unwrap();
        self.hears();
    }

    fn restores(&mut self) {
        let at = self.random.below(self.stored.len());
        self.signer = RoastSigner::open(&self.stored[at], &Self::sealed()).unwrap();
    }

    fn step(&mut self, like: &[u8]) {
        if self.requests.is_empty() {
            self.requests.push(like.to_vec());
        }
        match self.random.below(8) {
            0 => self.starts(),
            1 | 2 => self.restores(),
            3 => {
                let at = self.random.below(self.requests.len());
                let again = self.requests[at].clone();
                self.asks(&again);
            }
            _ => {
                let invented = self.invents();
                self.requests.push(invented.clone());
                self.asks(&invented);
            }
        }
    }
}

/// Plays one schedule: the numbers of answers, of different shares, and of requests that the table alone has refused.
fn plays<S: Ciphersuite>(seed: u64, steps: usize, forgets: bool) -> [usize; 3] {
    let like = Bench::<S>::new(2, 4).join(&[1, 2]);
    assert!(like.len() > HEADER);
    let mut victim = Victim::<S>::new(seed);
    victim.table.forgets = forgets;
    for _ in 0..steps {
        victim.step(&like);
    }
    [victim.answers, victim.made.len(), victim.spent]
}

fn one_share_for_each_pair<S: Ciphersuite>() {
    let [answers, shares, spent] = plays::<S>(3, 90, false);
    assert!(answers > shares && shares > 3 && spent > 2, "{answers}, {shares}, {spent}");
}

suite_tests!(one_share_for_each_pair);

/// More schedules, over one suite.
#[test]
fn one_share_for_each_pair_in_many_schedules() {
    let all = (10..40).map(|seed| plays::<Ed25519Sha512>(seed, 60, false));
    let [answers, shares, spent] =
        all.fold([0; 3], |sum, one| [sum[0] + one[0], sum[1] + one[1], sum[2] + one[2]]);
    assert!(answers > shares && shares > 100 && spent > 100, "{answers}, {shares}, {spent}");
}

/// The control: without the table's memory the same adversary has two shares of one pair.
#[test]
#[should_panic(expected = "one pair for two packages")]
fn a_table_that_forgets_lets_one_pair_sign_twice() {
    for seed in 10..40 {
        plays::<Ed25519Sha512>(seed, 60, true);
    }
}
