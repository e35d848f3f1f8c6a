//! What every ciphersuite has to do, for the author of one outside of this repository (feature `test-suite`).
//!
//! A test of the suite's own crate calls [`conformance`]. It does not replace test vectors: two suites that differ in a hash
//! pass both.
//!
//! ```
//! # use quorate_testkit::rng;
//! # fn test<MySuite: quorate_frost::Ciphersuite>() -> Result<(), quorate_frost::test_suite::Violation> {
//! quorate_frost::test_suite::conformance::<MySuite>(&mut rng(1))
//! # }
//! ```

use alloc::vec::Vec;
use core::fmt;

use quorate_session::rand_core::CryptoRng;
use quorate_session::sim::Network;
use quorate_session::{Parties, PartyId, SessionId};

use crate::suite::point_len;
use crate::{
    AggregateError, Ciphersuite, Commitments, Dkg, DkgParams, KeyShare, PackageError,
    PublicKeyPackage, Scalar, SignError, Signature, SignatureShare, SigningPackage, VerifyingKey,
};

/// A rule that a suite breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The rule, in English.
    pub rule: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the suite breaks a rule: {}", self.rule)
    }
}

impl core::error::Error for Violation {}

/// Checks a suite: key generation, signing by every set of signers that is large enough, a wrong share, stored and sent forms,
/// what must be refused, and the inputs of the challenge.
///
/// # Errors
/// [`Violation`], by the first rule that the suite breaks.
pub fn conformance<S: Ciphersuite>(rng: &mut impl CryptoRng) -> Result<(), Violation> {
    let group = Group::<S>::generated()?;
    for signers in [&[0, 1][..], &[0, 2], &[1, 2], &[0, 1, 2]] {
        group.signs(signers, rng)?;
    }
    group.names_a_wrong_share(rng)?;
    group.reads_what_it_writes(rng)?;
    group.refuses(rng)?;
    challenges_differ(&group.public)
}

fn rule(holds: bool, rule: &'static str) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(Violation { rule }) }
}

/// A key of three parties, of which two sign.
struct Group<S: Ciphersuite> {
    public: PublicKeyPackage<S>,
    shares: Vec<KeyShare<S>>,
}

type Signed<S> = (SigningPackage<S>, Vec<SignatureShare<S>>);

impl<S: Ciphersuite> Group<S> {
    fn generated() -> Result<Self, Violation> {
        let failed = Violation { rule: "three parties generate a key" };
        let parties = Parties::new([1, 7, 300].into_iter().filter_map(PartyId::new));
        let parties = parties.map_err(|_| failed)?;
        let run =
            Network::new(1).run::<Dkg<S>>(SessionId::new([7; 32]), &parties, |_| DkgParams::new(2));
        let made: Result<Vec<_>, _> = run.map_err(|_| failed)?.results.into_values().collect();
        let made = made.map_err(|_| failed)?;
        let public = made.first().ok_or(failed)?.public.clone();
        let same = made.iter().all(|one| one.public.to_bytes() == public.to_bytes());
        rule(same, "all parties have the same public key package")?;
        Ok(Self { public, shares: made.into_iter().map(|one| one.share).collect() })
    }

    /// The shares of these signers for a message, and the package.
    fn signed(
        &self,
        signers: &[usize],
        message: &[u8],
        rng: &mut impl CryptoRng,
    ) -> Result<Signed<S>, Violation> {
        let failed = Violation { rule: "signers that are enough sign" };
        let signers: Vec<_> = signers.iter().filter_map(|at| self.shares.get(*at)).collect();
        let (nonces, commitments): (Vec<_>, Vec<_>) =
            signers.iter().map(|share| share.commit(rng)).unzip();
        let package = SigningPackage::new(&self.public, commitments, message);
        let package = package.map_err(|_| failed)?;
        let shares = signers.iter().zip(nonces).map(|(share, nonces)| share.sign(&package, nonces));
        let shares = shares.collect::<Result<_, _>>().map_err(|_| failed)?;
        Ok((package, shares))
    }

    fn signature(&self, rng: &mut impl CryptoRng) -> Result<Signature<S>, Violation> {
        let (package, shares) = self.signed(&[0, 2], b"message", rng)?;
        let signature = self.public.aggregate(&package, &shares);
        signature.map_err(|_| Violation { rule: "right shares give a signature" })
    }

    fn signs(&self, signers: &[usize], rng: &mut impl CryptoRng) -> Result<(), Violation> {
        let (package, shares) = self.signed(signers, b"message", rng)?;
        let signature = self.public.aggregate(&package, &shares);
        let signature =
            signature.map_err(|_| Violation { rule: "right shares give a signature" })?;
        let key = self.public.verifying_key();
        rule(key.verify(b"message", &signature).is_ok(), "the signature verifies")?;
        rule(key.verify(b"other", &signature).is_err(), "it does not verify for another message")
    }

    fn names_a_wrong_share(&self, rng: &mut impl CryptoRng) -> Result<(), Violation> {
        let (package, mut shares) = self.signed(&[0, 1, 2], b"message", rng)?;
        let failed = Violation { rule: "the sender of a wrong share is named, and nobody else" };
        let wrong = shares.get_mut(1).ok_or(failed)?;
        wrong.z = wrong.z + Scalar::<S>::from(1_u64);
        let named = AggregateError::Cheaters([wrong.id()].into());
        rule(self.public.aggregate(&package, &shares).err() == Some(named), failed.rule)
    }

    fn reads_what_it_writes(&self, rng: &mut impl CryptoRng) -> Result<(), Violation> {
        let public = &self.public;
        let read = |bytes: &[u8]| Some(PublicKeyPackage::<S>::from_bytes(bytes).ok()?.to_bytes());
        exact(&public.to_bytes(), read, "a public key package is read as it was written")?;
        for share in &self.shares {
            let read = |bytes: &[u8]| {
                Some(KeyShare::<S>::from_bytes(bytes, public).ok()?.to_bytes().to_vec())
            };
            exact(&share.to_bytes(), read, "a key share is read as it was written")?;
            let (_, sent) = share.commit(rng);
            let read = |bytes: &[u8]| {
                Some(Commitments::<S>::from_bytes(share.id(), bytes).ok()?.to_bytes())
            };
            exact(&sent.to_bytes(), read, "commitments are read as they were written")?;
        }
        let (package, shares) = self.signed(&[0, 2], b"message", rng)?;
        let read = |bytes: &[u8]| Some(SigningPackage::<S>::from_bytes(bytes).ok()?.to_bytes());
        exact(&package.to_bytes(), read, "a signing package is read as it was written")?;
        for share in shares {
            let read = |bytes: &[u8]| {
                Some(SignatureShare::<S>::from_bytes(share.id(), bytes).ok()?.to_bytes())
            };
            exact(&share.to_bytes(), read, "a signature share is read as it was written")?;
        }
        let key = public.verifying_key().to_bytes();
        rule(key.as_ref().len() == point_len::<S>(), "a key has the length of a point")?;
        let read = |bytes: &[u8]| {
            Some(VerifyingKey::<S>::from_bytes(bytes).ok()?.to_bytes().as_ref().into())
        };
        exact(key.as_ref(), read, "a key is read as it was written")?;
        let read =
            |bytes: &[u8]| Some(Signature::<S>::from_bytes(bytes).ok()?.to_bytes().as_ref().into());
        let signature = self.signature(rng)?.to_bytes();
        exact(signature.as_ref(), read, "a signature is read as it was written")
    }

    fn refuses(&self, rng: &mut impl CryptoRng) -> Result<(), Violation> {
        let failed = Violation { rule: "the group has three shares" };
        let [first, second, _] = self.shares.as_slice() else { return Err(failed) };
        let (nonces, sent) = first.commit(rng);
        let (_, other) = second.commit(rng);
        let alone = SigningPackage::new(&self.public, [sent], b"message").err();
        let few = PackageError::TooFewSigners { got: 1, need: 2 };
        rule(alone == Some(few), "one signer of two is too few")?;
        let twice = SigningPackage::new(&self.public, [sent, sent], b"message");
        let twice = twice.err() == Some(PackageError::DuplicateParty(first.id()));
        rule(twice, "no party signs twice")?;
        let package = SigningPackage::new(&self.public, [sent, other], b"message");
        let package = package.map_err(|_| Violation { rule: "two signers are enough" })?;
        let (strange, _) = first.commit(rng);
        let refused = first.sign(&package, strange).err() == Some(SignError::CommitmentMismatch);
        rule(refused, "nonces of other commitments do not sign")?;
        let share = first.sign(&package, nonces);
        let share = share.map_err(|_| Violation { rule: "nonces of the package sign" })?;
        let missing = AggregateError::MissingShares([second.id()].into());
        let result = self.public.aggregate(&package, &[share]).err();
        rule(result == Some(missing), "a missing share is named")?;
        let (other, _) = self.signed(&[0, 1], b"other", rng)?;
        let result = self.public.verify_share(&other, &share).err();
        let stray = AggregateError::OtherPackage(first.id());
        rule(result == Some(stray), "a share of another package is not called wrong")
    }
}

/// A form is read as it was written, and not with a byte more or less.
fn exact(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Option<Vec<u8>>,
    what: &'static str,
) -> Result<(), Violation> {
    let longer = [bytes, &[0]].concat();
    let shorter = bytes.split_last().map_or(bytes, |(_, rest)| rest);
    let same = read(bytes).as_deref() == Some(bytes);
    rule(same && read(&longer).is_none() && read(shorter).is_none(), what)
}

/// The challenge depends on each of its inputs, and on their order.
fn challenges_differ<S: Ciphersuite>(public: &PublicKeyPackage<S>) -> Result<(), Violation> {
    let key = public.verifying_key().to_bytes();
    let failed = Violation { rule: "the group has a share" };
    let id = public.parties().iter().next().ok_or(failed)?;
    let other = *public.verifying_share(id).ok_or(failed)?;
    let challenge = |r, key, message| S::challenge(r, key, message);
    let one = challenge(&other, &key, b"message");
    let differ = one != challenge(&other, &key, b"other")
        && one != challenge(&key, &key, b"message")
        && one != challenge(&other, &other, b"message")
        && one != challenge(&key, &other, b"message");
    rule(differ, "a challenge depends on commitment, key and message")
}
