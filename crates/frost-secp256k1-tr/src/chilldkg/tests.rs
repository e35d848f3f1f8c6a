//! The draft's vectors, all ten files, and tests of cases that they do not reach.

use alloc::vec::Vec;
use core::convert::Infallible;

use quorate_curve::{Curve, Secp256k1};
use quorate_frost::session::PartyId;
use quorate_frost::session::rand_core::{TryCryptoRng, TryRng};
use quorate_testkit::rng;

use super::{
    Coordinator, Error, Finalizing, HostKey, Output, Params, Participant, PublicOutput, Scalar,
    Step2Error, Suspect,
};

mod attacks;
mod cheats;
mod mutations;
mod recovery;
mod signing;
mod vectors;

/// A generator of these bytes, once.
struct Fixed([u8; 32]);

impl TryRng for Fixed {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("bytes are taken")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("bytes are taken")
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        to.copy_from_slice(&self.0);
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}

fn party(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// Host keys, by a seed.
fn hosts(count: u8, seed: u8) -> Vec<HostKey> {
    (0..count).map(|at| HostKey::generate(&mut rng(seed.wrapping_add(at))).unwrap()).collect()
}

fn params(hosts: &[HostKey], threshold: u16) -> Params {
    Params::new(hosts.iter().map(|host| *host.public()).collect(), threshold).unwrap()
}

/// A run after its first messages.
struct Started {
    hosts: Vec<HostKey>,
    params: Params,
    participants: Vec<Participant>,
    first: Vec<Vec<u8>>,
}

impl Started {
    fn new(threshold: u16, count: u8, seed: u8) -> Self {
        let hosts = hosts(count, 1);
        let params = params(&hosts, threshold);
        let start = |host| Participant::start(host, &params, &mut rng(seed)).unwrap();
        let (participants, first) = hosts.iter().map(start).unzip();
        Self { hosts, params, participants, first }
    }

    /// The participants' second step, each with sums of its own.
    fn step2(
        self,
        sums: impl Fn(usize) -> Vec<u8>,
    ) -> Vec<Result<(Finalizing, [u8; 64]), Step2Error>> {
        let both = self.participants.into_iter().zip(&self.hosts).enumerate();
        both.map(|(at, (one, host))| one.step2(host, &sums(at), &mut rng(9))).collect()
    }

    /// The honest coordinator.
    fn coordinate(&self) -> (Coordinator, Vec<u8>) {
        Coordinator::start(&self.params, &self.first).unwrap()
    }
}

/// A whole honest run.
struct Run {
    hosts: Vec<HostKey>,
    outputs: Vec<Output>,
    public: PublicOutput,
}

impl Run {
    fn new(threshold: u16, count: u8, seed: u8) -> Self {
        let started = Started::new(threshold, count, seed);
        let (coordinator, sums) = started.coordinate();
        let hosts = hosts(count, 1);
        let done = started.step2(|_| sums.clone()).into_iter().map(Result::unwrap);
        let (states, signatures): (Vec<_>, Vec<_>) = done.unzip();
        let (certificate, public) = coordinator.finalize(&signatures).unwrap();
        let outputs: Vec<_> =
            states.into_iter().map(|state| state.finalize(&certificate).unwrap()).collect();
        assert!(outputs.iter().all(|output| output.public == public));
        Self { hosts, outputs, public }
    }
}

/// The reason of a failed step 2 that needs no investigation.
fn reason(failed: Result<(Finalizing, [u8; 64]), Step2Error>) -> Error {
    match failed {
        Err(Step2Error::Because(why)) => why,
        Err(Step2Error::WrongShare(_)) => panic!("the share does not fit"),
        Ok(_) => panic!("nothing is wrong"),
    }
}

#[test]
fn secrets_are_not_printed() {
    let run = Run::new(2, 3, 5);
    let started = Started::new(2, 3, 5);
    let (_, sums) = started.coordinate();
    let participant = alloc::format!("{:?}", started.participants);
    let states = alloc::format!("{:?}", started.step2(|_| sums.clone()));
    let texts = alloc::format!("{:?} {:?} {participant} {states}", run.hosts, run.outputs);
    let share = |output: &Output| *output.share.secret_share().secret().expose();
    let shares = run.outputs.iter().map(|one| Secp256k1::encode_scalar(&share(one)).to_vec());
    for secret in shares.chain(run.hosts.iter().map(|host| host.to_bytes().to_vec())) {
        let hex = quorate_testkit::hex(&secret);
        let listed = alloc::format!("{}, {}, {}", secret[0], secret[1], secret[2]);
        assert!(!texts.to_lowercase().contains(&hex[..16]) && !texts.contains(&listed));
    }
}

#[test]
fn texts_say_what_is_wrong() {
    use super::Malformed;
    use alloc::string::ToString;
    use quorate_frost::CommitteeError;
    let (of, from) = (party(2), party(2));
    let why = Malformed::Point;
    let all = [
        Error::Committee(CommitteeError::Threshold { threshold: 1, parties: 3 }),
        Error::BadHostPublicKey { of },
        Error::DuplicateHostPublicKey { first: party(1), second: of },
        Error::BadHostKey,
        Error::NotAParticipant,
        Error::OtherHostKey,
        Error::Randomness,
        Error::Internal,
        Error::WrongCount { got: 1, expected: 2 },
        Error::BadMessage { from, why },
        Error::BadMessage { from, why: Malformed::Scalar },
        Error::BadMessage { from, why: Malformed::Length { got: 1, expected: 2 } },
        Error::WrongSignature { from },
        Error::WrongAcknowledgement { from },
        Error::BadCoordinatorMessage(why),
        Error::NotMine,
        Error::BadNonce { of },
        Error::NoCommitment { of },
        Error::WrongProof { of },
        Error::NeutralShare { of },
        Error::NeutralKey,
        Error::WrongCertificate,
        Error::WrongShare { of },
        Error::PublicSharesDoNotAddUp,
        Error::SharesDoNotAddUp,
        Error::OwnShareAltered,
        Error::NothingWrong,
        Error::BadRecoveryData,
        Error::UncertifiedRecoveryData { of },
    ];
    let texts: alloc::collections::BTreeSet<_> = all.iter().map(Error::to_string).collect();
    assert_eq!(texts.len(), all.len(), "one text each");
    assert!(texts.iter().all(|text| !text.is_empty() && !text.ends_with('.')));
}

#[test]
fn parameters_that_are_refused() {
    use quorate_frost::CommitteeError;
    let keys: Vec<_> = hosts(3, 1).iter().map(|host| *host.public()).collect();
    for threshold in [0, 1, 4] {
        let wrong = CommitteeError::Threshold { threshold, parties: 3 };
        assert_eq!(Params::new(keys.clone(), threshold).unwrap_err(), Error::Committee(wrong));
    }
    for few in [0, 1] {
        let wrong = Params::new(keys[..few].to_vec(), 2).unwrap_err();
        assert!(matches!(wrong, Error::Committee(CommitteeError::Threshold { .. })));
    }
    for got in [1025, 65_536] {
        let many = Params::new(alloc::vec![keys[0]; got], 2).unwrap_err();
        assert_eq!(many, Error::Committee(CommitteeError::TooMany { most: 1024, got }));
    }
    let twice = Params::new(alloc::vec![keys[0]; 1024], 1024).unwrap_err();
    let second = party(2);
    assert_eq!(twice, Error::DuplicateHostPublicKey { first: party(1), second });
    // One order of the same keys, one digest.
    let digest = |keys: &[[u8; 33]], t| Params::new(keys.to_vec(), t).unwrap().digest();
    let turned = [keys[1], keys[0], keys[2]];
    let digests = [digest(&keys, 2), digest(&keys, 3), digest(&turned, 2), digest(&keys[..2], 2)];
    assert!((1..4).all(|at| !digests[..at].contains(&digests[at])));
    // Keys of one x-coordinate are two keys.
    let mut negative = keys[0];
    negative[0] ^= 1;
    assert!(Params::new([keys[0], negative].to_vec(), 2).is_ok());
}
