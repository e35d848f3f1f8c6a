//! Corrupt parties in a resharing.
//!
//! Old committee 1, 2, 3 with t = 2; dealers 1 and 3; new committee 2, 3, 4 with t = 2. Party 1 leaves, 3 stays and deals,
//! 2 stays and does not, 4 joins.

use quorate_curve::Curve;
use quorate_keys::session::{Abort, Fault};
use quorate_keys::{Reshare, ResharePlan, Reshared, ShareState};
use quorate_sharing::lagrange;

use crate::forge::{Forged, complaint, d_of, place};
use crate::group::{Key, Of, id, sid};
use crate::play::{Ended, Lies, Said, play};

pub struct Case<C: Curve> {
    pub key: Key<C>,
    pub plan: ResharePlan<Of<C>>,
}

pub const NEW: [u16; 3] = [2, 3, 4];

impl<C: Curve> Case<C> {
    pub fn new() -> Self {
        let key = Key::<C>::dealt(&[1, 2, 3], 2, 6);
        let plan = key.plan(&[1, 3], &NEW, 2);
        Self { key, plan }
    }

    /// Plays a resharing. The evidence convicts every blamed party of the same fault, and nobody else.
    pub fn play(&self, corrupt: &[u16], lies: impl Lies) -> Ended<Reshared<Of<C>>> {
        let all = self.plan.parties();
        let ended = play::<Reshare<Of<C>>>(&all, corrupt, |me| self.key.part(&self.plan, me), lies);
        for (party, blame) in ended.all_blames() {
            let evidence = blame.evidence.as_ref().unwrap();
            for suspect in all.iter() {
                let found = self.plan.convicts(sid(3), evidence, suspect);
                assert!(found.is_none() || corrupt.contains(&suspect.get()));
                if suspect == blame.party {
                    assert_eq!(found, Some(blame.fault), "by party {party}");
                }
            }
        }
        ended
    }

    /// `λ_i·s_i`
    pub fn constant(&self, dealer: u16) -> C::Scalar {
        let ids = self.plan.dealers().as_slice();
        let lambda = lagrange::one_at_zero::<C>(ids, id(dealer)).unwrap();
        lambda * *self.key.shares[&dealer].secret().expose()
    }

    /// The deal of a corrupt dealer, made by the rules except for `error`.
    pub fn forged<'a>(
        &self,
        dealer: u16,
        said: &Said,
        error: &'a dyn Fn(u16) -> C::Scalar,
    ) -> Forged<'a, C> {
        let to = NEW.into_iter().filter(|to| *to != dealer);
        Forged {
            context: said.context,
            dealer,
            coefficients: vec![self.constant(dealer), C::Scalar::from(77)],
            d: C::Scalar::from(u64::from(dealer) * 31),
            to: to.map(|to| (to, said.by(1, to).to_vec())).collect(),
            error,
        }
    }
}

/// The opening key of a corrupt party.
pub fn y<C: Curve>(party: u16) -> C::Scalar {
    C::Scalar::from(1000 + u64::from(party))
}

pub fn opening<C: Curve>(party: u16) -> Vec<u8> {
    C::encode_point(&C::mul_base(&y::<C>(party))).as_ref().to_vec()
}

pub fn zero<C: Curve>(_: u16) -> C::Scalar {
    C::Scalar::default()
}

/// The confirmation of an honest party.
pub fn confirmation(said: &Said) -> Vec<u8> {
    let mut all = said.rounds[2].values();
    all.find(|body| body[0] == 0).cloned().unwrap_or_else(|| vec![0; 33])
}

/// A resharing in which party 1 deals what `lie` returns.
fn dealt<C: Curve>(lie: impl Fn(&Case<C>, &Said) -> Vec<u8>) -> Ended<Reshared<Of<C>>> {
    let case = Case::<C>::new();
    case.play(&[1], |round, _, _, said| match round {
        1 => Some(vec![]),
        2 => Some(lie(&case, said)),
        _ => Some(confirmation(said)),
    })
}

/// Checks that the second implementation of the formats is right.
fn forged_deals_are_good<C: Curve>() {
    let ended = dealt::<C>(|case, said| case.forged(1, said, &zero::<C>).body());
    let mut results = ended.results.into_values().map(Result::unwrap);
    let first = results.next().unwrap();
    assert!(first.share.is_some_and(|share| share.state() == ShareState::Pending));
    assert!(results.all(|one| one.public == first.public));
}

/// The recipient of a wrong share opens it, and everybody names the dealer.
fn a_wrong_share_names_its_dealer<C: Curve>() {
    for victims in [&[2][..], &[3], &[4], &[2, 4], &[2, 3, 4]] {
        let wrong = |to| C::Scalar::from(u64::from(victims.contains(&to)));
        let ended = dealt::<C>(|case, said| case.forged(1, said, &wrong).body());
        ended.named(&[(1, Fault::InvalidShare)]);
        for party in NEW {
            // The result of this party is good, and marked.
            match ended.unconfirmed(party) {
                Some(result) => {
                    let share = result.share.as_ref().unwrap();
                    assert_eq!(share.state(), ShareState::Unconfirmed);
                    share.check_belongs_to(&result.public).unwrap();
                }
                None => assert!(victims.contains(&party)),
            }
            assert_eq!(ended.unconfirmed(party).is_none(), victims.contains(&party));
        }
    }
}

/// Two dealers lie to two parties. Everybody names both.
fn two_liars_are_both_named<C: Curve>() {
    let case = Case::<C>::new();
    let to_two = |to| C::Scalar::from(u64::from(to == 2));
    let to_four = |to| C::Scalar::from(u64::from(to == 4));
    let ended = case.play(&[1, 3], |round, from, _, said| match (round, from) {
        (1, 1) => Some(vec![]),
        (1, _) => Some(opening::<C>(3)),
        (2, 1) => Some(case.forged(1, said, &to_two).body()),
        (2, _) => Some(case.forged(3, said, &to_four).body()),
        // No corrupt party confirms. Otherwise they send nothing wrong, as far as they can.
        _ => None,
    });
    // By its own share, and by the complaint of the other party.
    ended.named(&[(1, Fault::InvalidShare), (3, Fault::InvalidShare)]);
}

/// Errors of opposite sign for one party. Its share is right, and nothing happens.
fn errors_that_cancel_do_no_harm<C: Curve>() {
    let case = Case::<C>::new();
    let plus = |to| C::Scalar::from(u64::from(to == 2));
    let minus = |to| -C::Scalar::from(u64::from(to == 2));
    let ended = case.play(&[1, 3], |round, from, _, said| match (round, from) {
        (1, 1) => Some(vec![]),
        (1, _) => Some(opening::<C>(3)),
        (2, 1) => Some(case.forged(1, said, &plus).body()),
        (2, _) => Some(case.forged(3, said, &minus).body()),
        _ => Some(confirmation(said)),
    });
    for result in ended.results.into_values() {
        let Reshared { public, share } = result.unwrap();
        share.unwrap().check_belongs_to(&public).unwrap();
    }
}

fn a_wrong_constant_is_named<C: Curve>() {
    // Another constant, that of another set of dealers (a wrong λ), of another share, the negative.
    type Lie<C> = fn(&Case<C>) -> <C as Curve>::Scalar;
    let lies: [Lie<C>; 5] = [
        |case| case.constant(1) + C::Scalar::from(1),
        |case| {
            let lambda = lagrange::one_at_zero::<C>(&[id(1), id(2)], id(1)).unwrap();
            lambda * *case.key.shares[&1].secret().expose()
        },
        |case| *case.key.shares[&1].secret().expose(),
        |case| case.constant(3),
        |case| -case.constant(1),
    ];
    for lie in lies {
        let ended = dealt::<C>(|case, said| {
            let mut forged = case.forged(1, said, &zero::<C>);
            forged.coefficients[0] = lie(case);
            forged.body()
        });
        ended.named(&[(1, Fault::InvalidSum)]);
        assert!(NEW.iter().all(|party| ended.unconfirmed(*party).is_none()));
    }
}

/// A commitment of t − 1 or t + 1 points, shares to match.
fn another_threshold_is_named<C: Curve>() {
    for coefficients in [1, 3] {
        let ended = dealt::<C>(|case, said| {
            let mut forged = case.forged(1, said, &zero::<C>);
            forged.coefficients.resize(coefficients, C::Scalar::from(3));
            forged.body()
        });
        for party in NEW {
            // A body longer than the round allows is not accepted at all, and is in the list of rejected frames.
            match &ended.results[&party].as_ref().unwrap_err().abort {
                Abort::Missing { parties, rejected, .. } => {
                    assert_eq!((coefficients, &parties[..]), (3, &[id(1)][..]));
                    assert_eq!(rejected.len(), 1);
                }
                _ => assert_eq!(ended.blames(party), [(1, Fault::WrongLength)]),
            }
        }
    }
}

/// A deal is signed by its dealer, so a copy of somebody else's is not its own.
fn another_dealers_deal_is_refused<C: Curve>() {
    let case = Case::<C>::new();
    let ended = case.play(&[1], |round, _, _, said| match round {
        1 => Some(vec![]),
        // Without the share for the dealer, and with an arbitrary one for 3.
        _ => {
            let scalar = size_of::<C::ScalarBytes>();
            let mut body = said.by(2, 3).to_vec();
            body.extend_from_within(body.len() - scalar..);
            Some(body)
        }
    });
    ended.named(&[(1, Fault::InvalidProofOfPossession)]);
}

/// A dealer that has seen the commitments of the others cancels a coefficient, or one more. It cannot know the
/// shares that go with it.
fn a_rushing_dealer_is_named<C: Curve>() {
    let case = Case::<C>::new();
    let point = size_of::<C::PointBytes>();
    let ended = case.play(&[1], |round, _, _, said| match round {
        1 => Some(vec![]),
        2 => {
            let mut forged = case.forged(1, said, &zero::<C>);
            forged.coefficients[1] = C::Scalar::from(5);
            let mut body = forged.body();
            // F_1 = −F_3 but for the constant: the sum has a neutral coefficient.
            let theirs = C::decode_point(&said.by(2, 3)[point..2 * point]).unwrap();
            body[point..2 * point].copy_from_slice(C::encode_point(&-theirs).as_ref());
            Some(resigned::<C>(&case, said, body))
        }
        _ => None,
    });
    ended.named(&[(1, Fault::InvalidShare)]);
}

/// A deal whose commitment was changed, with a new proof.
fn resigned<C: Curve>(case: &Case<C>, said: &Said, body: Vec<u8>) -> Vec<u8> {
    let (point, scalar) = (size_of::<C::PointBytes>(), size_of::<C::ScalarBytes>());
    let forged = case.forged(1, said, &zero::<C>);
    let (commitment, rest) = body.split_at(2 * point);
    let (head, sealed) = rest.split_at(2 * point + scalar);
    let mut transcript =
        quorate_keys::session::frame::transcript(&said.context, "quorate-keys deal");
    transcript.append("curve", C::NAME.as_bytes());
    transcript.append_u64("dealer", 1);
    transcript.append_list("commitment", commitment.chunks(point));
    transcript.append("D", &head[..point]);
    transcript.append_list("sealed", sealed.chunks(scalar));
    transcript.append("R", &head[point..2 * point]);
    let e = C::scalar_from_wide(&transcript.finish());
    let z = forged.d + C::Scalar::from(5) + e * forged.d;
    [commitment, &head[..2 * point], C::encode_scalar(&z).as_ref(), sealed].concat()
}

/// A party that deals last and receives gives itself the share zero. Every other party names it, and none has a
/// result.
fn who_deals_itself_a_neutral_share_is_named<C: Curve>() {
    let case = Case::<C>::new();
    let ended = case.play(&[3], |round, from, _, said| match round {
        1 => Some(opening::<C>(from)),
        2 => Some(cancelling::<C>(&case, said, [3, 1], from)),
        _ => Some(confirmation(said)),
    });
    ended.named(&[(3, Fault::IdentityCommitment)]);
    assert!(ended.results.keys().all(|party| ended.unconfirmed(*party).is_none()));
    // The others continue without it.
    case.key.reshared(&[1, 2], &[1, 2, 4], 2, 12).check();
}

/// A dealer gives the share zero to a party that only receives and works with it. That party is named, since it
/// kept silent.
fn who_accepts_a_neutral_share_is_named<C: Curve>() {
    let case = Case::<C>::new();
    let ended = case.play(&[1, 4], |round, from, _, said| match (round, from) {
        (1, 4) => Some(opening::<C>(4)),
        (1, _) | (2, 4) => Some(vec![]),
        (2, _) => Some(cancelling::<C>(&case, said, [1, 3], 4)),
        (_, _) => Some(confirmation(said)),
    });
    ended.named(&[(4, Fault::IdentityCommitment)]);
    assert!(ended.results.keys().all(|party| ended.unconfirmed(*party).is_none()));
}

/// A dealer that aims at an honest party's place does not know the share that goes with it. The honest party
/// complains, and is not named.
fn a_dealer_that_aims_at_an_honest_place_is_named_alone<C: Curve>() {
    let case = Case::<C>::new();
    let point = size_of::<C::PointBytes>();
    for victim in [2, 4] {
        let ended = case.play(&[1], |round, _, _, said| match round {
            1 => Some(vec![]),
            2 => {
                let forged = case.forged(1, said, &zero::<C>);
                let mut body = forged.body();
                let x = place::<C>(victim);
                let theirs = said.by(2, 3);
                let theirs = [&theirs[..point], &theirs[point..2 * point]];
                let [constant, linear] = theirs.map(|one| C::decode_point(one).unwrap());
                let own = C::mul_base(&forged.coefficients[0]);
                let aimed = C::mul(&-(constant + C::mul(&linear, &x) + own), &C::invert(&x));
                body[point..2 * point].copy_from_slice(C::encode_point(&aimed).as_ref());
                Some(resigned::<C>(&case, said, body))
            }
            _ => Some(confirmation(said)),
        });
        ended.named(&[(1, Fault::InvalidShare)]);
    }
}

/// The deal of `dealer` with which its polynomial and the other dealer's cancel at `place_of`. The opening key of
/// that party is that of a corrupt one.
fn cancelling<C: Curve>(
    case: &Case<C>,
    said: &Said,
    [dealer, other]: [u16; 2],
    place_of: u16,
) -> Vec<u8> {
    let theirs = opened::<C>(said, other, place_of);
    let mut forged = case.forged(dealer, said, &zero::<C>);
    // c + x·a = −theirs
    let inverse = C::invert(&place::<C>(place_of));
    forged.coefficients[1] = (-theirs - forged.coefficients[0]) * inverse;
    forged.body()
}

/// The share that a dealer has sealed for a party with a corrupt party's opening key.
fn opened<C: Curve>(said: &Said, dealer: u16, to: u16) -> C::Scalar {
    let (deal, scalar) = (said.by(2, dealer), size_of::<C::ScalarBytes>());
    let after = NEW.iter().filter(|one| **one >= to && **one != dealer).count();
    let sealed = C::decode_scalar(&deal[deal.len() - after * scalar..][..scalar]).unwrap();
    let d = d_of::<C>(deal, 2);
    let k = C::encode_point(&C::mul(&C::decode_point(d).unwrap(), &y::<C>(to)));
    let parts = [d, &opening::<C>(to), k.as_ref()];
    sealed - crate::forge::pad::<C>(&said.context, None, [dealer, to], parts)
}

/// A resharing in which party 4 sends the accusation that `lie` returns.
fn accused<C: Curve>(lie: impl Fn(&Said) -> Vec<u8>) -> Ended<Reshared<Of<C>>> {
    let case = Case::<C>::new();
    case.play(&[4], |round, _, _, said| match round {
        1 => Some(opening::<C>(4)),
        2 => Some(vec![]),
        _ => Some([vec![1], lie(said)].concat()),
    })
}

/// A party that complains without ground is named by everybody, and no other party loses its share.
fn a_false_complaint_names_its_author<C: Curve>() {
    let (one, none) = (C::Scalar::from(1), C::Scalar::default());
    let about = |said: &Said, dealer: u16, y: &C::Scalar, shift: &C::Scalar| {
        complaint::<C>(&said.context, [dealer, 4], d_of::<C>(said.by(2, dealer), 2), y, shift)
    };
    let mine = y::<C>(4);
    let other = |said: &Said, context: &[u8; 32], between: [u16; 2], dealer: u16| {
        complaint::<C>(context, between, d_of::<C>(said.by(2, dealer), 2), &mine, &none)
    };
    let named = |said: &Said, dealer: u16| {
        [&dealer.to_be_bytes(), &about(said, 1, &mine, &none)[2..]].concat()
    };
    type Lie<'a> = Box<dyn Fn(&Said) -> Vec<u8> + 'a>;
    let lies: Vec<(Fault, Lie<'_>)> = vec![
        // Everything is valid, but the share is good.
        (Fault::FalseComplaint, Box::new(|said| about(said, 1, &mine, &none))),
        (Fault::FalseComplaint, Box::new(|said| about(said, 3, &mine, &none))),
        (
            Fault::FalseComplaint,
            Box::new(|said| [about(said, 1, &mine, &none), about(said, 3, &mine, &none)].concat()),
        ),
        // Another K, another y, the key of another party.
        (Fault::InvalidProof, Box::new(|said| about(said, 1, &mine, &one))),
        (Fault::InvalidProof, Box::new(|said| about(said, 1, &(mine + one), &none))),
        // Read as a complaint of another party, about another dealer, in another run.
        (Fault::InvalidProof, Box::new(|said| other(said, &said.context, [1, 2], 1))),
        (Fault::InvalidProof, Box::new(|said| other(said, &[5; 32], [1, 4], 1))),
        (Fault::InvalidProof, Box::new(|said| other(said, &said.context, [1, 4], 3))),
        // About a party that deals nothing, about itself, about nobody; twice; out of order; none.
        (Fault::Malformed, Box::new(|said| named(said, 2))),
        (Fault::Malformed, Box::new(|said| named(said, 4))),
        (Fault::Malformed, Box::new(|said| named(said, 9))),
        (Fault::Malformed, Box::new(|said| named(said, 0))),
        (
            Fault::Malformed,
            Box::new(|said| [about(said, 1, &mine, &none), about(said, 1, &mine, &none)].concat()),
        ),
        (
            Fault::Malformed,
            Box::new(|said| [about(said, 3, &mine, &none), about(said, 1, &mine, &none)].concat()),
        ),
        (Fault::WrongLength, Box::new(|_| vec![])),
        (Fault::WrongLength, Box::new(|said| about(said, 1, &mine, &none)[1..].to_vec())),
    ];
    for (fault, lie) in lies {
        let ended = accused::<C>(lie);
        ended.named(&[(4, fault)]);
        for party in [2, 3] {
            assert!(ended.unconfirmed(party).unwrap().share.is_some());
        }
        assert!(ended.unconfirmed(1).unwrap().share.is_none());
    }
}

/// The accusations before the first lie of an accuser count. Those after it do not, whatever they are.
fn nothing_after_a_lie_is_judged<C: Curve>() {
    let case = Case::<C>::new();
    let wrong = |to| C::Scalar::from(u64::from(to == 4));
    // The accuser, 4, works with the dealer that has dealt it a wrong share.
    let lied = |dealer: u16, lie: &dyn Fn([Vec<u8>; 2]) -> Vec<u8>| {
        case.play(&[dealer, 4], |round, from, _, said| match (round, from) {
            (1, 1) | (2, 4) => Some(vec![]),
            (1, _) => Some(opening::<C>(from)),
            (2, _) => Some(case.forged(from, said, &wrong).body()),
            (_, 4) => {
                let about = [1, 3].map(|dealer| {
                    let (d, none) = (d_of::<C>(said.by(2, dealer), 2), C::Scalar::default());
                    complaint::<C>(&said.context, [dealer, 4], d, &y::<C>(4), &none)
                });
                Some([vec![1], lie(about)].concat())
            }
            _ => Some(confirmation(said)),
        })
    };
    let ended = lied(1, &|about| about.concat());
    ended.named(&[(1, Fault::InvalidShare), (4, Fault::FalseComplaint)]);
    let ended = lied(3, &|about| about.concat());
    ended.named(&[(4, Fault::FalseComplaint)]);
    // Points are decoded one by one. The length and the order are checked first.
    let ended = lied(3, &|[first, mut second]| {
        second[2..].fill(0xff);
        [first, second].concat()
    });
    ended.named(&[(4, Fault::FalseComplaint)]);
    let ended = lied(1, &|[first, mut second]| {
        second[2..].fill(0xff);
        [first, second].concat()
    });
    ended.named(&[(1, Fault::InvalidShare), (4, Fault::InvalidPoint)]);
    lied(3, &|[first, second]| [second, first].concat()).named(&[(4, Fault::Malformed)]);
}

/// A dealer that leaves holds nothing that could be wrong, so it cannot complain.
fn who_gets_nothing_cannot_complain<C: Curve>() {
    let case = Case::<C>::new();
    let ended = case.play(&[1], |round, _, _, said| match round {
        1 => Some(vec![]),
        2 => Some(case.forged(1, said, &zero::<C>).body()),
        _ => {
            let d = d_of::<C>(said.by(2, 3), 2);
            let lie = complaint::<C>(&said.context, [3, 1], d, &y::<C>(1), &C::Scalar::default());
            Some([vec![1], lie].concat())
        }
    });
    ended.named(&[(1, Fault::Malformed)]);
}

/// A dealer and its accomplice stage a right complaint, to one party. That party keeps its share, and names the
/// dealer, which did deal a wrong share.
fn a_staged_complaint_costs_no_share<C: Curve>() {
    let case = Case::<C>::new();
    let wrong = |to| C::Scalar::from(u64::from(to == 4));
    let ended = case.play(&[1, 4], |round, from, to, said| match (round, from) {
        (1, 1) => Some(vec![]),
        (1, _) => Some(opening::<C>(4)),
        (2, 1) => Some(case.forged(1, said, &wrong).body()),
        (2, _) => Some(vec![]),
        (_, 4) if to == 2 => {
            let d = d_of::<C>(said.by(2, 1), 2);
            let right = complaint::<C>(&said.context, [1, 4], d, &y::<C>(4), &C::Scalar::default());
            Some([vec![1], right].concat())
        }
        _ => Some(confirmation(said)),
    });
    assert_eq!(ended.blames(2), [(1, Fault::InvalidShare)]);
    let kept = ended.unconfirmed(2).unwrap();
    let theirs = ended.results[&3].as_ref().unwrap();
    assert!(kept.public == theirs.public);
    let share = kept.share.as_ref().unwrap();
    assert_eq!(share.state(), ShareState::Unconfirmed);
    share.check_belongs_to(&theirs.public).unwrap();
}

every_group! {
    forged_deals_are_good a_wrong_share_names_its_dealer two_liars_are_both_named errors_that_cancel_do_no_harm
    a_wrong_constant_is_named another_threshold_is_named another_dealers_deal_is_refused a_rushing_dealer_is_named
    who_deals_itself_a_neutral_share_is_named who_accepts_a_neutral_share_is_named
    a_dealer_that_aims_at_an_honest_place_is_named_alone a_false_complaint_names_its_author
    nothing_after_a_lie_is_judged who_gets_nothing_cannot_complain
    a_staged_complaint_costs_no_share
}
