//! The bench of all hostile tests: parties, keys, signatures, and the ledger of cases.

use core::panic::AssertUnwindSafe;
use std::collections::BTreeMap;
use std::panic::catch_unwind;

use chacha20::ChaCha20Rng;
use quorate::frost::generic::keys::Family as _;
use quorate::frost::generic::{
    Ciphersuite, Claim, Commitments, Dealing, DealtShare, DecodeError, Frost, KeyShare, KeySuite,
    NonceBatch, Nonces, PublicKeyPackage, RepairParams, RepairPlan, ReshareParams, ResharePlan,
    SignatureShare, SigningPackage,
};
use quorate::session::SpentInMemory;
use quorate::session::container::{DIGEST, HEADER, Kind as FormKind, SEALED};
use quorate::{Parties, PartyId};

use quorate_testkit::encodings::Encoding;
pub use quorate_testkit::lockstep::{id, parties, seal_key};
use quorate_testkit::mutation::{Class, Kind};

/// The party that misbehaves, between two honest ones.
pub const MUTATOR: u16 = 2;
/// The parties of every key here. They have a gap, so that a mix-up of position and number shows.
pub const PARTIES: [u16; 3] = [1, MUTATOR, 5];

pub fn rng(seed: u64) -> ChaCha20Rng {
    quorate_testkit::rng_of(seed)
}

/// A suite over a curve whose encodings can be mutated.
pub trait Hostile: Ciphersuite<Curve: Encoding> {}

impl<S: Ciphersuite<Curve: Encoding>> Hostile for S {}

/// Counts every case, and says which one it was when a case panics.
pub struct Ledger {
    suite: &'static str,
    counts: BTreeMap<&'static str, usize>,
}

impl Ledger {
    pub fn new<S: Ciphersuite>() -> Self {
        Self { suite: S::CONTEXT, counts: BTreeMap::new() }
    }

    /// Runs one case of a message.
    pub fn case<T>(&mut self, message: &'static str, name: &str, run: impl FnOnce() -> T) -> T {
        self.count(message);
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| self.panicked(message, name))
    }

    fn count(&mut self, message: &'static str) {
        *self.counts.entry(message).or_default() += 1;
    }

    fn panicked(&self, message: &str, name: &str) -> ! {
        panic!("{}: {message}: {name}", self.suite)
    }

    /// Asserts that each message had exactly this number of cases.
    pub fn assert_counts(&self, expected: &[(&'static str, usize)]) {
        let found: Vec<_> = self.counts.iter().map(|(message, count)| (*message, *count)).collect();
        assert_eq!(found, expected, "{}", self.suite);
    }
}

pub const BAD_IDENTIFIER: DecodeError = DecodeError::BadIdentifier(0);
pub const BAD_STATE: DecodeError = DecodeError::BadState(0);
pub const BAD_THRESHOLD: DecodeError = DecodeError::BadThreshold { threshold: 0, parties: 0 };
pub const INCONSISTENT: DecodeError = DecodeError::Inconsistent("");

/// The error without its values, which `texts.rs` checks.
pub fn kind(error: DecodeError) -> DecodeError {
    match error {
        DecodeError::BadIdentifier(_) => BAD_IDENTIFIER,
        DecodeError::BadState(_) => BAD_STATE,
        DecodeError::BadThreshold { .. } => BAD_THRESHOLD,
        DecodeError::Inconsistent(_) => INCONSISTENT,
        plain => plain,
    }
}

/// The error of a field that does not decode.
pub fn decode_error(class: Class, kind: Kind) -> Option<DecodeError> {
    match (class, kind) {
        (Class::Scalar, Kind::Invalid) => Some(DecodeError::BadScalar),
        // The uncompressed form has another tag where the compressed one is read.
        (Class::Point, Kind::Invalid | Kind::Longer) => Some(DecodeError::BadPoint),
        (Class::Id, Kind::Invalid) => Some(BAD_IDENTIFIER),
        _ => None,
    }
}

/// A dealt key: two of the three [`PARTIES`] sign.
pub struct Key<S: Ciphersuite> {
    pub public: PublicKeyPackage<S>,
    pub dealt: Vec<Vec<u8>>,
    pub shares: Vec<KeyShare<S>>,
}

impl<S: Ciphersuite> Key<S> {
    pub fn new(seed: u64) -> Self {
        Self::among(2, &parties(PARTIES), seed)
    }

    pub fn among(threshold: u16, parties: &Parties, seed: u64) -> Self {
        let dealing = Dealing::<S>::new(threshold, parties, &mut rng(seed)).unwrap();
        let dealt = dealing.shares.iter().map(|share| share.to_bytes().to_vec()).collect();
        let public = dealing.public;
        let accept = |share: DealtShare<S>| share.accept(threshold, &public).unwrap();
        let shares = dealing.shares.into_iter().map(accept).collect();
        Self { public, dealt, shares }
    }

    pub fn share(&self, party: u16) -> &KeyShare<S> {
        self.shares.iter().find(|share| share.id() == id(party)).unwrap()
    }

    /// A refresh that all parties deal in.
    pub fn refresh(&self) -> ResharePlan<S> {
        ResharePlan::refresh(self.public.shared(), self.public.parties().clone()).unwrap()
    }

    /// A party's part in a plan of this key.
    pub fn dealer(&self, plan: &ResharePlan<S>, me: PartyId) -> ReshareParams<S> {
        ReshareParams::dealer(plan, self.share(me.get()).secret_share()).unwrap()
    }

    /// The repair of the share of `target` by `helpers`.
    pub fn repair(&self, helpers: &[u16], target: u16) -> RepairPlan<S> {
        let helpers = parties(helpers.iter().copied());
        RepairPlan::new(self.public.shared(), helpers, id(target)).unwrap()
    }

    /// A party's part in a repair of this key.
    pub fn part(&self, plan: &RepairPlan<S>, me: PartyId) -> RepairParams<S> {
        if me == plan.target() {
            RepairParams::target(plan)
        } else {
            RepairParams::helper(plan, self.share(me.get()).secret_share()).unwrap()
        }
    }

    /// Round one of some signers. Nonces wait in a batch of one each, in the signers' order.
    pub fn commit(&self, signers: &[u16], seed: u64) -> (Vec<NonceBatch<S>>, Vec<Commitments<S>>) {
        let mut rng = rng(seed);
        let one = |party: &u16| {
            let batch = self.share(*party).precompute(1, &mut rng);
            let commitments = batch.commitments().next().unwrap();
            (batch, commitments)
        };
        signers.iter().map(one).unzip()
    }

    /// Both rounds of some signers: package and shares.
    pub fn sign(&self, signers: &[u16], message: &[u8], seed: u64) -> Signed<S> {
        let (mut batches, commitments) = self.commit(signers, seed);
        let package = SigningPackage::new(&self.public, commitments, message).unwrap();
        let sign = |(party, batch): (&u16, &mut NonceBatch<S>)| {
            let share = self.share(*party);
            let nonces = release(batch.claim_for(share, &package).unwrap());
            share.sign(&package, nonces).unwrap()
        };
        let shares = signers.iter().zip(&mut batches).map(sign).collect();
        Signed { package, shares }
    }
}

/// A package and the signers' shares.
pub struct Signed<S: Ciphersuite> {
    pub package: SigningPackage<S>,
    pub shares: Vec<SignatureShare<S>>,
}

/// A key share is not `Clone`; its stored form is the way to a second one.
pub fn copy<S: Ciphersuite>(share: &KeyShare<S>, public: &PublicKeyPackage<S>) -> KeyShare<S> {
    KeyShare::from_bytes(&share.to_bytes(), public).unwrap()
}

/// A form whose length and digest are made to fit again, after the bytes before the digest were altered: `form` without
/// its digest.
pub fn sealed_again<S: KeySuite>(form: &[u8]) -> Vec<u8> {
    let mut form = form.to_vec();
    Frost::<S>::label(ANY).end(&mut form);
    form
}

/// A form without its digest.
pub fn undigested(form: &[u8]) -> &[u8] {
    &form[..form.len() - DIGEST]
}

/// A kind, where the header says which.
const ANY: FormKind = FormKind { code: 0, name: "", version: 1 };
const BATCH: FormKind = FormKind { code: 7 | SEALED, name: "a sealed batch of nonces", version: 1 };

/// The body of a sealed batch of nonces.
pub fn unsealed_batch<S: KeySuite>(sealed: &[u8]) -> Vec<u8> {
    Frost::<S>::label(BATCH).unseal(&seal_key(), sealed).unwrap().1.to_vec()
}

/// A sealed batch of nonces with this body.
pub fn sealed_batch<S: KeySuite>(body: &[u8]) -> Vec<u8> {
    Frost::<S>::label(BATCH).seal(&seal_key(), body)
}

/// The nonces of a claim, recorded in a table of its own.
pub fn release<S: Ciphersuite>(claim: Claim<S>) -> Nonces<S> {
    let receipt = claim.record().store(&mut SpentInMemory::new()).unwrap();
    claim.release(receipt).unwrap()
}

/// Each signer, and its commitments as it sends them.
pub fn sent<S: Ciphersuite>(commitments: &[Commitments<S>]) -> Vec<(PartyId, Vec<u8>)> {
    commitments.iter().map(|one| (one.id(), one.to_bytes())).collect()
}

/// A package that no honest coordinator would make, in the form in which it would be sent.
pub fn package_of<S: Ciphersuite>(
    public: &PublicKeyPackage<S>,
    commitments: &[Commitments<S>],
    message: &[u8],
) -> SigningPackage<S> {
    let form = commitments[0].to_bytes();
    let name = &form[NAME];
    assert!(public.package_id() == commitments[0].package_id());
    let kind = FormKind { code: 5, name: "a signing package", version: 1 };
    let mut bytes = Frost::<S>::label(kind).start(0).to_vec();
    bytes.extend(name);
    bytes.extend(u16::try_from(commitments.len()).unwrap().to_be_bytes());
    for one in commitments {
        bytes.extend(one.id().get().to_be_bytes());
        bytes.extend([one.hiding().as_ref(), one.binding().as_ref()].concat());
    }
    bytes.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    bytes.extend(message);
    SigningPackage::from_bytes(&sealed_again::<S>(&bytes)).unwrap()
}

/// The place of the public key package's name in commitments and signature shares.
pub const NAME: core::ops::Range<usize> = HEADER + 2..HEADER + 70;

/// Reads a dealt share and accepts it as part of a package: `None` if it reads and is refused.
pub fn accept<S: Ciphersuite>(
    bytes: &[u8],
    threshold: u16,
    public: &PublicKeyPackage<S>,
) -> Result<KeyShare<S>, Option<DecodeError>> {
    let dealt = DealtShare::<S>::from_bytes(bytes).map_err(|error| Some(kind(error)))?;
    dealt.accept(threshold, public).map_err(|_| None)
}
