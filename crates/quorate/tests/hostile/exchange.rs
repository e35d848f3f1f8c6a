//! The exchange of signature shares: every way in which one signer's message is wrong, and who is named.

use std::sync::Arc;

use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::{
    Commitments, ShareExchange, ShareExchangeParams, Signature, SignatureShare, SigningPackage,
};
use quorate::session::sim::{Delivery, Network};
use quorate::session::{Abort, Fault, ParamError, Rejected, SealKey, Session};
use quorate::{Parties, PartyId, SessionId};

use quorate_testkit::lockstep::{ECHO, HEADER};

use super::harness::{
    Hostile, Key, MUTATOR, PARTIES, Signed, id, package_of, parties, rng, seal_key,
};

const TEXT: &[u8] = b"exchanged without a coordinator";

/// A key, a package, and the share of each signer.
struct Group<S: Hostile> {
    key: Key<S>,
    public: Arc<quorate::frost::generic::PublicKeyPackage<S>>,
    package: Arc<SigningPackage<S>>,
    signed: Signed<S>,
    signers: Parties,
}

impl<S: Hostile> Group<S> {
    fn new(signers: &[u16], message: &[u8], seed: u64) -> Self {
        let key = Key::<S>::new(1);
        let signed = key.sign(signers, message, seed);
        let public = Arc::new(key.public.clone());
        let package = Arc::new(signed.package.clone());
        Self { key, public, package, signed, signers: parties(signers.iter().copied()) }
    }

    fn params(&self, me: PartyId) -> ShareExchangeParams<S> {
        let at = self.signers.position(me).unwrap();
        let (public, package) = (Arc::clone(&self.public), Arc::clone(&self.package));
        ShareExchangeParams::new(public, package, self.signed.shares[at])
    }

    /// The results of all signers; `tamper` can alter the frames.
    fn run(&self, tamper: impl FnMut(Delivery) -> Vec<Delivery>) -> Vec<(PartyId, Ended<S>)> {
        let network = Network::new(3).tamper(tamper);
        let params = |me| self.params(me);
        let report =
            network.run::<ShareExchange<S>>(SessionId::new([6; 32]), &self.signers, params);
        report.unwrap().results.into_iter().collect()
    }

    fn verifies(&self, signature: &Signature<S>) -> bool {
        self.key.public.verifying_key().verify(TEXT, signature).is_ok()
    }
}

type Ended<S> = Result<Signature<S>, Abort>;

/// The frame with another scalar as its body.
fn with_body(mut delivery: Delivery, body: &[u8]) -> Delivery {
    // In round 1 what the run binds stands where later rounds have their echo.
    let header = HEADER + ECHO;
    delivery.bytes.truncate(header);
    delivery.bytes.extend_from_slice(body);
    delivery
}

fn scalar<S: Hostile>(share: &SignatureShare<S>) -> Vec<u8> {
    share.scalar().as_ref().to_vec()
}

fn all_have_the_same_signature<S: Hostile>() {
    for signers in [&PARTIES[..], &[MUTATOR, 5]] {
        let group = Group::<S>::new(signers, TEXT, 4);
        let ended = group.run(|delivery| vec![delivery]);
        assert_eq!(ended.len(), signers.len());
        let first = ended[0].1.as_ref().unwrap();
        assert!(group.verifies(first));
        assert!(ended.iter().all(|(_, result)| result.as_ref().unwrap() == first));
    }
}

fn a_wrong_share_is_its_senders_fault<S: Hostile>() {
    let group = Group::<S>::new(&PARTIES, TEXT, 4);
    let other = Group::<S>::new(&PARTIES, b"another message", 9);
    let honest = scalar(&group.signed.shares[1]);
    let of_other = scalar(&other.signed.shares[1]);
    let of_peer = scalar(&group.signed.shares[0]);
    let zero = S::Curve::encode_scalar(&Default::default()).as_ref().to_vec();
    let cases = [
        (of_other, Fault::InvalidSignatureShare),
        (of_peer, Fault::InvalidSignatureShare),
        (zero, Fault::InvalidSignatureShare),
        (vec![0xFF; honest.len()], Fault::InvalidScalar),
        (honest[1..].to_vec(), Fault::WrongLength),
        (Vec::new(), Fault::WrongLength),
    ];
    for (body, fault) in cases {
        let ended = group.run(|delivery| {
            let cheats = delivery.from == id(MUTATOR);
            vec![if cheats { with_body(delivery, &body) } else { delivery }]
        });
        for (party, result) in ended {
            if party == id(MUTATOR) {
                assert!(group.verifies(&result.unwrap()));
                continue;
            }
            let Err(Abort::Misbehaviour(blames)) = result else { panic!("{party}: {fault:?}") };
            assert_eq!(blames.len(), 1);
            assert_eq!((blames[0].party, blames[0].fault), (id(MUTATOR), fault));
            assert!(blames[0].evidence.is_some());
        }
    }
}

/// Two errors that cancel are no error. If they do not cancel, both signers are named; one of the shares is unreadable.
fn two_cheaters_are_both_named<S: Hostile>() {
    let group = Group::<S>::new(&PARTIES, TEXT, 4);
    let one = S::Curve::decode_scalar(&scalar(&group.signed.shares[0])).unwrap();
    let two = S::Curve::decode_scalar(&scalar(&group.signed.shares[1])).unwrap();
    let by = |value| S::Curve::encode_scalar(&value).as_ref().to_vec();
    let delta = one + two;
    let victim = |one: Vec<u8>, two: Vec<u8>| {
        let ended = group.run(|delivery| {
            vec![match delivery.from {
                from if from == id(1) => with_body(delivery, &one),
                from if from == id(MUTATOR) => with_body(delivery, &two),
                _ => delivery,
            }]
        });
        ended.into_iter().find(|(party, _)| *party == id(5)).unwrap().1
    };
    assert!(group.verifies(&victim(by(one + delta), by(two - delta)).unwrap()));
    let culprits = |result: Ended<S>| result.unwrap_err().culprits().collect::<Vec<_>>();
    assert_eq!(culprits(victim(by(one + delta), by(two + delta))), [id(1), id(MUTATOR)]);
    assert_eq!(culprits(victim(by(one + delta), vec![0xFF; by(one).len()])), [id(1), id(MUTATOR)]);
}

fn who_is_silent_is_missing_and_a_wrong_share_is_still_named<S: Hostile>() {
    let group = Group::<S>::new(&PARTIES, TEXT, 4);
    let wrong = scalar(&group.signed.shares[0]);
    let ended = group.run(|delivery| match delivery.from {
        from if from == id(5) => Vec::new(),
        from if from == id(MUTATOR) => vec![with_body(delivery, &wrong)],
        _ => vec![delivery],
    });
    let honest = ended.into_iter().find(|(party, _)| *party == id(1)).unwrap().1.unwrap_err();
    assert_eq!(honest.culprits().collect::<Vec<_>>(), [id(MUTATOR)]);
    let ended = group.run(|delivery| if delivery.from == id(5) { vec![] } else { vec![delivery] });
    for (party, result) in ended {
        let silent = matches!(&result, Err(Abort::Missing { parties, .. }) if *parties == [id(5)]);
        assert!(silent || party == id(5), "{party}");
    }
}

/// Message, epoch and key are terms of the run: a party with another one is refused by name, and nobody is blamed.
fn another_package_is_another_run<S: Hostile>() {
    let sid = SessionId::new([6; 32]);
    let group = Group::<S>::new(&PARTIES, TEXT, 4);
    let start = |group: &Group<S>, me| {
        let params = group.params(me);
        Session::<ShareExchange<S>>::start(sid, me, &group.signers, params, &mut rng(7)).unwrap()
    };
    let mut session = start(&group, id(1)).session;
    let other_message = Group::<S>::new(&PARTIES, b"another message", 4);
    let mut other_key = Group::<S>::new(&PARTIES, TEXT, 4);
    other_key.key = Key::new(8);
    other_key.signed = other_key.key.sign(&PARTIES, TEXT, 4);
    other_key.public = Arc::new(other_key.key.public.clone());
    other_key.package = Arc::new(other_key.signed.package.clone());
    for (other, label) in [(&other_message, "signing package"), (&other_key, "key")] {
        let frame = start(other, id(MUTATOR)).outgoing[0].bytes.clone();
        let refused = session.receive(id(MUTATOR), &frame).unwrap_err();
        assert_eq!(refused, Rejected::OtherParameters { which: label });
    }
}

/// A share of another party, for another package; parties that are not the signers; a package of another key.
fn parts_that_do_not_belong_together_are_refused<S: Hostile>() {
    let group = Group::<S>::new(&PARTIES, TEXT, 4);
    let other = Group::<S>::new(&PARTIES, b"another message", 4);
    let stranger = Key::<S>::new(8);
    let start = |me: u16, parties: &Parties, params| {
        let sid = SessionId::new([6; 32]);
        let started = Session::<ShareExchange<S>>::start(sid, id(me), parties, params, &mut rng(7));
        started.map(drop)
    };
    let all = &group.signers;
    let of = |share: usize, package: &Arc<SigningPackage<S>>| {
        ShareExchangeParams::new(
            Arc::clone(&group.public),
            Arc::clone(package),
            group.signed.shares[share],
        )
    };
    assert!(start(1, all, of(0, &group.package)).is_ok());
    let not_his = ParamError::Inconsistent("the share is not this party's for the package");
    assert_eq!(start(1, all, of(1, &group.package)), Err(not_his));
    assert_eq!(start(1, all, of(0, &other.package)), Err(not_his));
    let two = parties([1, MUTATOR]);
    let others = ParamError::Inconsistent("the parties are not the signers of the package");
    assert_eq!(start(1, &two, of(0, &group.package)), Err(others));
    let params = ShareExchangeParams::new(
        Arc::new(stranger.public.clone()),
        Arc::clone(&group.package),
        group.signed.shares[0],
    );
    let another = ParamError::Inconsistent("the package is for another key or epoch");
    assert_eq!(start(1, all, params), Err(another));
}

/// Packages that no coordinator makes: with a signer who is no party of the key, and with too few.
fn packages_that_no_coordinator_makes_are_refused<S: Hostile>() {
    let (dealt, three) = (Key::<S>::new(1), Key::<S>::among(3, &parties(PARTIES), 1));
    let refused = |key: &Key<S>, commitments: &[Commitments<S>]| {
        let package = package_of(&key.public, commitments, TEXT);
        let zero = S::Curve::encode_scalar(&Default::default());
        let own = SignatureShare::from_parts(id(1), &package, zero.as_ref()).unwrap();
        let all = parties(package.signers().iter().map(|one| one.get()));
        let params = ShareExchangeParams::new(key.public.clone().into(), package.into(), own);
        let sid = SessionId::new([6; 32]);
        let started = Session::<ShareExchange<S>>::start(sid, id(1), &all, params, &mut rng(7));
        started.map(drop).unwrap_err()
    };
    let of_two = three.commit(&[1, 5], 4).1;
    assert_eq!(refused(&three, &of_two), ParamError::Threshold);
    let first = dealt.commit(&[1], 4).1[0];
    let name = dealt.public.package_id();
    let points = (first.hiding(), first.binding());
    let stranger = Commitments::from_parts(id(4), name, points.0.as_ref(), points.1.as_ref());
    assert_eq!(refused(&dealt, &[first, stranger.unwrap()]), ParamError::NotAParty(id(4)));
}

/// Opened from its seal again and again, also after the end, it sends nothing but the share that was released.
fn a_restored_session_sends_the_same_share<S: Hostile>() {
    let group = Group::<S>::new(&PARTIES, TEXT, 4);
    let key: SealKey = seal_key();
    let sid = SessionId::new([6; 32]);
    let step = |me: PartyId| {
        let params = group.params(me);
        Session::<ShareExchange<S>>::start(sid, me, &group.signers, params, &mut rng(7)).unwrap()
    };
    let mine = step(id(1));
    let (sealed, sent) = (mine.session.seal(&key), mine.outgoing[0].bytes.clone());
    for seed in [4, 5] {
        let mut again =
            Session::<ShareExchange<S>>::open(&sealed, group.params(id(1)), &key).unwrap();
        assert_eq!(again.outgoing[0].bytes, sent, "{seed}");
        for from in [MUTATOR, 5] {
            let frame = step(id(from)).outgoing[0].bytes.clone();
            again.session.receive(id(from), &frame).unwrap();
        }
        assert!(again.session.advance().is_ok());
    }
}

quorate_testkit::suite_tests!(
    all_have_the_same_signature,
    a_wrong_share_is_its_senders_fault,
    two_cheaters_are_both_named,
    who_is_silent_is_missing_and_a_wrong_share_is_still_named,
    another_package_is_another_run,
    parts_that_do_not_belong_together_are_refused,
    packages_that_no_coordinator_makes_are_refused,
    a_restored_session_sends_the_same_share
);
