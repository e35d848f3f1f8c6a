//! Withheld messages around a refresh: whichever messages are lost, the honest parties can sign in one of
//! the two epochs.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "a test that fails stops"
)]

use std::collections::BTreeMap;

use quorate::frost::ed25519::Ed25519Sha512 as S;
use quorate::frost::generic::curve::{Curve, Ed25519};
use quorate::frost::generic::keys::DecodeError;
use quorate::frost::generic::{
    Acknowledge, AcknowledgeParams, Dealing, DkgOutput, KeyShare, PublicKeyPackage, Repair,
    RepairParams, RepairPlan, Repaired, Reshare, ReshareParams, ResharePlan, Reshared, ShareState,
    SigningPackage,
};
use quorate::session::sim::{Delivery, Network, Report};
use quorate::{Parties, PartyId, SessionId};
use quorate_testkit::lockstep::{id, parties};
use quorate_testkit::rng;

/// Three of five; 4 and 5 are corrupt.
const NUMBERS: [u16; 5] = [1, 2, 3, 4, 5];

type Shares = BTreeMap<u16, KeyShare<S>>;

fn dealt() -> (PublicKeyPackage<S>, Shares) {
    let Dealing { shares, public } = Dealing::<S>::new(3, &parties(NUMBERS), &mut rng(23)).unwrap();
    let accepted = shares.into_iter().map(|share| {
        let number = share.id().get();
        (number, share.accept(3, &public).unwrap())
    });
    (public.clone(), accepted.collect())
}

/// Returns whether these shares sign together.
fn signs<'s>(
    public: &PublicKeyPackage<S>,
    shares: impl IntoIterator<Item = &'s KeyShare<S>>,
) -> bool {
    let shares: Vec<_> = shares.into_iter().collect();
    let (nonces, sent): (Vec<_>, Vec<_>) =
        shares.iter().map(|share| share.commit(&mut rng(3))).unzip();
    let Ok(package) = SigningPackage::new(public, sent, b"message") else { return false };
    let signed: Result<Vec<_>, _> =
        shares.iter().zip(nonces).map(|(share, nonces)| share.sign(&package, nonces)).collect();
    signed.is_ok_and(|signed| public.aggregate(&package, &signed).is_ok())
}

/// A network in which party 4 withholds its messages of this round from 2 and 3.
fn withheld(round: u8) -> Network<'static> {
    Network::new(1).tamper(move |delivery: Delivery| {
        let hidden = delivery.from == id(4) && [id(2), id(3)].contains(&delivery.to);
        if hidden && delivery.round.get() == round { vec![] } else { vec![delivery] }
    })
}

fn all() -> &'static Parties {
    Box::leak(Box::new(parties(NUMBERS)))
}

fn refreshed(
    network: Network<'static>,
    public: &PublicKeyPackage<S>,
    old: &Shares,
) -> Report<Reshared<S>> {
    let plan = ResharePlan::refresh(public.shared(), all().clone()).unwrap();
    let params = |me: PartyId| ReshareParams::dealer(&plan, old[&me.get()].secret_share()).unwrap();
    network.run::<Reshare<S>>(SessionId::new([1; 32]), all(), params).unwrap()
}

/// A result of a refresh, in which everybody has a share.
fn output((party, one): (PartyId, Reshared<S>)) -> (u16, DkgOutput<S>) {
    (party.get(), DkgOutput { share: one.share.unwrap(), public: one.public })
}

/// The parameters with which a party acknowledges this output, once it has stored it.
fn stored(output: &DkgOutput<S>) -> Result<AcknowledgeParams<S>, DecodeError> {
    AcknowledgeParams::from_stored(&output.share.to_bytes(), &output.public.to_bytes())
}

/// A digest is withheld in the refresh, and then comes an acknowledgement. A party with an unconfirmed share
/// cannot acknowledge it, so the others do not delete shares that this party still needs.
#[test]
fn unconfirmed_shares_are_not_acknowledged() {
    let (public, mut old) = dealt();
    let report = refreshed(withheld(3), &public, &old);
    let done = report.results.into_iter().filter_map(|(party, result)| Some((party, result.ok()?)));
    let mut new: BTreeMap<u16, DkgOutput<S>> = done.chain(report.unconfirmed).map(output).collect();
    for number in [2, 3] {
        let output = new.get_mut(&number).unwrap();
        assert_eq!(output.share.state(), ShareState::Unconfirmed);
        let refused = stored(output).unwrap_err();
        assert!(refused.to_string().contains("confirm and store it before"), "{refused}");
        output.share.confirm();
        assert_eq!(output.share.state(), ShareState::Pending);
    }
    let params = |me: PartyId| stored(&new[&me.get()]).unwrap();
    let report = withheld(1).run::<Acknowledge<S>>(SessionId::new([2; 32]), all(), params);
    let mut results = report.unwrap().results;
    let stored = results.remove(&id(1)).unwrap().unwrap();
    assert!(results[&id(2)].is_err() && results[&id(3)].is_err());
    new.get_mut(&1).unwrap().share.settle(&stored).unwrap();
    assert!(stored.permits_deleting(old[&1].secret_share()));
    old.remove(&1);
    // 4 and 5 are silent from here on.
    assert!(!signs(&public, [2, 3].map(|number| &old[&number])));
    let new_public = new[&1].public.clone();
    assert!(signs(&new_public, [1, 2, 3].map(|number| &new[&number].share)));
}

/// A share that is repaired in an epoch that not all have stored is pending, too: the old one stays.
#[test]
fn a_repaired_share_is_no_more_settled_than_the_others() {
    let (public, old) = dealt();
    let report = refreshed(Network::new(1), &public, &old);
    let new: BTreeMap<u16, DkgOutput<S>> = report
        .results
        .into_iter()
        .map(|(party, result)| output((party, result.unwrap())))
        .collect();
    let new_public = new[&1].public.clone();
    // 1 has stored its new share; 2 and 3 lost theirs before they did.
    let run: &'static Parties = Box::leak(Box::new(parties([1, 2, 4, 5])));
    let plan = RepairPlan::new(new_public.shared(), parties([1, 4, 5]), id(2)).unwrap();
    let params = |me: PartyId| match me.get() {
        2 => RepairParams::target(&plan),
        helper => RepairParams::helper(&plan, new[&helper].share.secret_share()).unwrap(),
    };
    let report = Network::new(1).run::<Repair<S>>(SessionId::new([2; 32]), run, params).unwrap();
    let repaired = report.results.into_iter().find(|(party, _)| *party == id(2)).unwrap().1;
    let Repaired::Share(repaired) = repaired.unwrap() else { panic!("no share") };
    assert_eq!((repaired.state(), repaired.epoch()), (ShareState::Pending, 1));
    let secret = Ed25519::encode_scalar(repaired.secret_share().secret().expose());
    let imported = KeyShare::<S>::import(id(2), &secret, &new_public).unwrap();
    assert_eq!(imported.state(), ShareState::Pending);
    let first = KeyShare::<S>::from_bytes(&old[&2].to_bytes(), &public).unwrap();
    assert_eq!(first.state(), ShareState::Ready);
    assert!(signs(&public, [1, 2, 3].map(|number| &old[&number])));
}
