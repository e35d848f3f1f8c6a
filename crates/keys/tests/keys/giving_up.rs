//! A round that is given up: the messages that have arrived are judged first, and the silent parties are listed
//! only if no party is found at fault. Also parameters that are refused before anything is sent.

use quorate_curve::{Curve, Ed25519, P256};
use quorate_keys::session::sim::{Delivery, Network};
use quorate_keys::session::wire::Reader;
use quorate_keys::session::{Abort, Fault, ParamError, Parties, PartyId, Session};
use quorate_keys::{
    Acknowledge, AcknowledgeParams, DecodeError, Family, KeyTypes, PlanError, PointBytes, Repair,
    RepairParams, Reshare, ReshareParams, SecretShare, SharedKey,
};
use quorate_sharing::Commitment;

use crate::forge::{complaint, d_of};
use crate::group::{Key, Of, committee, id, parties, rng, sid};
use crate::repair::{HELPERS, TARGET, repair};
use crate::reshare::{Case, opening, y, zero};

/// Party 3 is silent from this round on. Party 1 or 4 lies in it.
fn a_resharing<C: Curve>() {
    let case = Case::<C>::new();
    let wrong = |to| C::Scalar::from(u64::from(to == 2));
    let lies: [(u8, u16, Fault); 4] = [
        (1, 4, Fault::InvalidPoint),
        (2, 1, Fault::InvalidSum),
        (3, 1, Fault::InvalidShare),
        (3, 4, Fault::FalseComplaint),
    ];
    for (bad, liar, fault) in lies {
        let ended = case.play(&[1, 3, 4], |round, from, _, said| match (round, from) {
            (_, 3) if round == bad => None,
            (1, 4) if bad == 1 => Some(vec![0; size_of::<C::PointBytes>()]),
            (1, 1) | (2, 4) => Some(vec![]),
            (1, _) => Some(opening::<C>(from)),
            (2, 1) if bad == 2 => {
                let mut forged = case.forged(1, said, &zero::<C>);
                forged.coefficients[0] = C::Scalar::from(1);
                Some(forged.body())
            }
            (2, 1) if liar == 1 => Some(case.forged(1, said, &wrong).body()),
            (2, _) => Some(case.forged(from, said, &zero::<C>).body()),
            (_, 4) if liar == 4 => {
                let d = d_of::<C>(said.by(2, 1), 2);
                let lie =
                    complaint::<C>(&said.context, [1, 4], d, &y::<C>(4), &C::Scalar::default());
                Some([vec![1], lie].concat())
            }
            _ => Some(said.by(3, 2).to_vec()),
        });
        let found = ended.blames(2);
        assert!(
            found.contains(&(liar, fault)) && found.iter().all(|(party, _)| *party != 3),
            "{bad} {found:?}"
        );
        assert_eq!(ended.unconfirmed(2).is_some(), bad == 3 && liar == 4);
    }
}

fn a_repair<C: Curve>() {
    for bad in 1..=4 {
        let liar = if bad == 4 { TARGET } else { 1 };
        let silent = 2;
        let ended = repair::<C>(&[liar, silent], |round, from, _, said| {
            if round == bad {
                return (from == liar).then(|| vec![9; if round == 4 { 3 } else { 1 }]);
            }
            // Plays up to the bad round with masks that are not theirs. The rounds before it are valid.
            match round {
                1 => Some(opening::<C>(from)),
                2 if from == TARGET => Some(vec![]),
                2 => Some(crate::repair::deal::<C>(from, said)),
                _ if from == TARGET => Some(vec![]),
                _ => Some(crate::repair::given::<C>(said, from, 0)),
            }
        });
        for party in ended.results.keys() {
            let found = ended.blames(*party);
            assert!(
                found.len() == 1 && found[0].0 == liar,
                "round {bad}, party {party}: {found:?}"
            );
        }
    }
    assert_eq!(HELPERS.len(), 3);
}

every_curve! { a_resharing a_repair }

/// A party with one message too many, in an acknowledgement that is not complete.
#[test]
fn an_acknowledgement_with_a_message_too_many_is_judged() {
    let key = Key::<Ed25519>::dealt(&[1, 2, 3], 2, 6);
    let all = parties(&[1, 2, 3]);
    let network = Network::new(1).tamper(|mut delivery: Delivery| match delivery.from.get() {
        1 => {
            delivery.bytes.push(0);
            vec![delivery]
        }
        3 => vec![],
        _ => vec![delivery],
    });
    let report = network.run::<Acknowledge<Of<Ed25519>>>(sid(5), &all, |me| {
        AcknowledgeParams::from_stored(&key.shares[&me.get()].to_bytes(), &key.public.to_bytes())
            .unwrap()
    });
    let results = report.unwrap().results;
    let culprits: Vec<_> = results[&id(2)].as_ref().unwrap_err().culprits().collect();
    assert_eq!(culprits, [id(1)]);
}

fn start<P: quorate_keys::session::Protocol>(
    me: u16,
    all: &Parties,
    params: P::Params,
) -> Result<(), ParamError> {
    Session::<P>::start(sid(1), id(me), all, params, &mut rng(1)).map(drop)
}

/// The plan decides who takes part, and each party has its own part.
#[test]
fn other_parties_and_parts() {
    let case = Case::<Ed25519>::new();
    let key = crate::repair::key::<Ed25519>();
    let part = || case.key.part(&case.plan, id(2));
    let reshare = |me, all: &[u16]| start::<Reshare<Of<Ed25519>>>(me, &parties(all), part());
    assert_eq!(reshare(2, &[1, 2, 3, 4]), Ok(()));
    for (me, all) in
        [(2, &[1, 2, 3][..]), (2, &[1, 2, 3, 4, 5]), (3, &[1, 2, 3, 4]), (1, &[1, 2, 3, 4])]
    {
        assert!(matches!(reshare(me, all), Err(ParamError::Inconsistent(_))));
    }
    let part = || key.repair_part(&HELPERS, TARGET, id(2));
    let repair = |me, all: &[u16]| start::<Repair<Of<Ed25519>>>(me, &parties(all), part());
    assert_eq!(repair(2, &[1, 2, 4, 5]), Ok(()));
    for (me, all) in
        [(2, &[1, 2, 5][..]), (2, &[1, 2, 3, 4, 5]), (1, &[1, 2, 4, 5]), (5, &[1, 2, 4, 5])]
    {
        assert!(matches!(repair(me, all), Err(ParamError::Inconsistent(_))));
    }
    let share = key.shares[&1].to_bytes();
    let part =
        || AcknowledgeParams::<Of<Ed25519>>::from_stored(&share, &key.public.to_bytes()).unwrap();
    let acknowledge =
        |me| start::<Acknowledge<Of<Ed25519>>>(me, &parties(&[1, 2, 3, 4, 5]), part());
    assert_eq!(acknowledge(1), Ok(()));
    assert!(matches!(acknowledge(2), Err(ParamError::Inconsistent(_))));
}

/// An unconfirmed share is not used for anything.
#[test]
fn unconfirmed_shares_take_no_part() {
    let old = Key::<Ed25519>::dealt(&[1, 2, 3], 2, 6);
    let network = Network::new(3).tamper(|delivery: Delivery| {
        let last = delivery.to == id(2) && delivery.round.get() == 3;
        if last { vec![] } else { vec![delivery] }
    });
    let plan = old.plan(&[1, 3], &[1, 2, 3], 2);
    let mut report = old.run(network, &plan);
    assert!(matches!(report.results[&id(2)], Err(Abort::Missing { .. })));
    let kept = report.unconfirmed.remove(&id(2)).unwrap();
    let (public, mut share) = (kept.public, kept.share.unwrap());
    let next = quorate_keys::ResharePlan::refresh(&public, parties(&[1, 2])).unwrap();
    let deals = |share: &SecretShare<_>| ReshareParams::dealer(&next, share).map(drop);
    let plan = quorate_keys::RepairPlan::new(&public, parties(&[1, 2]), id(3)).unwrap();
    let helps = |share: &SecretShare<_>| RepairParams::helper(&plan, share).map(drop);
    assert_eq!(
        (deals(&share), helps(&share)),
        (Err(PlanError::Unconfirmed), Err(PlanError::Unconfirmed))
    );
    share.confirm();
    assert_eq!((deals(&share), helps(&share)), (Ok(()), Ok(())));
}

/// A family whose keys are even, as Taproot's are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Even;

impl Family for Even {
    type Curve = P256;
    type Extra = ();

    const NAME: &'static str = "even";
    const CODE: u8 = 77;

    fn put_extra((): &(), _: &mut Vec<u8>) {}

    fn read_extra(_: &mut Reader<'_>) -> Option<()> {
        Some(())
    }

    fn accepts(key: &PointBytes<Self>) -> bool {
        key.as_ref()[0] == 2
    }
}

impl KeyTypes for Even {
    type Public = SharedKey<Self>;
    type Share = SecretShare<Self>;

    fn public(shared: SharedKey<Self>) -> SharedKey<Self> {
        shared
    }

    fn key_share(share: SecretShare<Self>, _: &SharedKey<Self>) -> SecretShare<Self> {
        share
    }
}

#[test]
fn a_family_says_which_keys_it_has() {
    let new = |points: [<P256 as Curve>::Point; 2]| {
        let commitment = Commitment::<P256>::from_points(points.to_vec());
        SharedKey::<Even>::new(committee(&[1, 2], 2), 0, commitment, ()).map(drop)
    };
    let (one, two) = (P256::generator(), P256::generator() + P256::generator());
    let results = [new([one, two]), new([-one, -two])];
    let refused = Err(DecodeError::Inconsistent("the family has no key with this encoding"));
    assert!(results == [Ok(()), refused] || results == [refused, Ok(())]);
    let ids: Vec<PartyId> = parties(&[1, 2]).iter().collect();
    assert_eq!(ids.len(), 2);
}
