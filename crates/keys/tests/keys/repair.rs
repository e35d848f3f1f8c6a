//! Corrupt parties in a repair: helpers 1, 2 and 4 of a key of 1 to 5 with t = 3, target 5.

use quorate_curve::Curve;
use quorate_keys::session::frame;
use quorate_keys::session::{Abort, Fault};
use quorate_keys::{Repair, Repaired};

use crate::forge::{Forged, complaint, d_of, pad, place};
use crate::group::{Key, Of, id, sid};
use crate::play::{Ended, Lies, Said, play};
use crate::reshare::{opening, y, zero};

pub const HELPERS: [u16; 3] = [1, 2, 4];
pub const TARGET: u16 = 5;
const T: usize = 3;

pub fn key<C: Curve>() -> Key<C> {
    Key::dealt(&[1, 2, 3, 4, 5], 3, 8)
}

/// Runs a repair. The evidence convicts every blamed party of the same fault, and nobody else.
pub fn repair<C: Curve>(corrupt: &[u16], mut lies: impl Lies) -> Ended<Repaired<Of<C>>> {
    let key = key::<C>();
    let plan = key.repair_plan(&HELPERS, TARGET);
    let all = plan.parties();
    let part = |me| key.repair_part(&HELPERS, TARGET, me);
    let mut silent = false;
    let ended = play::<Repair<Of<C>>>(&all, corrupt, part, |round, from, to, said| {
        let body = lies(round, from, to, said);
        silent |= round == 3 && body.is_none();
        body
    });
    for (party, blame) in ended.all_blames() {
        // A scalar that a helper sealed for the target alone proves nothing to others, unless the target
        // complains. It does not when the run ends in the round before.
        let Some(evidence) = blame.evidence.as_ref() else {
            let ends = silent || ended.blames(party).len() > 1;
            assert!(party == TARGET && blame.round.get() == 3 && ends);
            assert!(blame.fault == Fault::InvalidShare && corrupt.contains(&blame.party.get()));
            continue;
        };
        for suspect in all.iter() {
            let found = plan.convicts(sid(3), evidence, suspect);
            assert!(found.is_none() || corrupt.contains(&suspect.get()));
            if suspect == blame.party {
                assert_eq!(found, Some(blame.fault), "by party {party}");
            }
        }
    }
    ended
}

/// `(x − r)·(a + b·x)`
fn mask<C: Curve>([a, b]: [u64; 2], r: u16) -> Vec<C::Scalar> {
    let (a, b, r) = (C::Scalar::from(a), C::Scalar::from(b), place::<C>(r));
    vec![-(r * a), a - r * b, b]
}

fn forged<'a, C: Curve>(
    dealer: u16,
    said: &Said,
    error: &'a dyn Fn(u16) -> C::Scalar,
) -> Forged<'a, C> {
    let to = HELPERS.into_iter().filter(|to| *to != dealer);
    Forged {
        context: said.context,
        dealer,
        coefficients: mask::<C>([41, 43], TARGET),
        d: C::Scalar::from(u64::from(dealer) * 31),
        to: to.map(|to| (to, said.by(1, to).to_vec())).collect(),
        error,
    }
}

/// The digest of all opening keys and deals.
fn digest(said: &Said) -> [u8; 32] {
    let number = |party: &u16| party.to_be_bytes();
    let mut transcript = frame::transcript(&said.context, "quorate-keys deals");
    transcript.append_list("holders of keys", [1, 2, 4, 5].iter().map(number));
    transcript.append_list("keys", [1, 2, 4, 5].map(|party| said.by(1, party)));
    transcript.append_list("recipients", HELPERS.iter().map(number));
    transcript.append_list("dealers", HELPERS.iter().map(number));
    transcript.append_list("deals", HELPERS.map(|party| said.by(2, party)));
    transcript.finish32()
}

/// The share that `from` has sealed for a corrupt helper.
fn opened<C: Curve>(said: &Said, from: u16, to: u16) -> C::Scalar {
    let deal = said.by(2, from);
    let length = size_of::<C::ScalarBytes>();
    let others: Vec<_> = HELPERS.into_iter().filter(|one| *one != from).collect();
    let back = others.len() - others.iter().position(|one| *one == to).unwrap();
    let start = deal.len() - back * length;
    let sealed = C::decode_scalar(&deal[start..start + length]).unwrap();
    let d = d_of::<C>(deal, T);
    let k = C::encode_point(&C::mul(&C::decode_point(d).unwrap(), &y::<C>(to)));
    sealed - pad::<C>(&said.context, None, [from, to], [d, &opening::<C>(to), k.as_ref()])
}

/// The masked share that a corrupt helper gives the target, with an error added.
pub fn given<C: Curve>(said: &Said, helper: u16, error: u64) -> Vec<u8> {
    let others = HELPERS.into_iter().filter(|one| *one != helper);
    let masks = others.map(|from| opened::<C>(said, from, helper));
    let masks = masks.fold(C::Scalar::default(), |sum, one| sum + one);
    let own = crate::forge::at::<C>(&mask::<C>([41, 43], TARGET), helper);
    let value =
        *key::<C>().shares[&helper].secret().expose() + masks + own + C::Scalar::from(error);
    let d = C::Scalar::from(u64::from(helper) * 31);
    let target = said.by(1, TARGET);
    let k = C::encode_point(&C::mul(&C::decode_point(target).unwrap(), &d));
    let point = C::encode_point(&C::mul_base(&d));
    let parts = [point.as_ref(), target, k.as_ref()];
    let sealed = value + pad::<C>(&said.context, Some(&digest(said)), [helper, TARGET], parts);
    [&[0], C::encode_scalar(&sealed).as_ref()].concat()
}

/// A repair in which helper 1 is corrupt, with its deal and its masked share.
fn helped<C: Curve>(
    deal: impl Fn(&Said) -> Vec<u8>,
    give: impl Fn(&Said) -> Vec<u8>,
) -> Ended<Repaired<Of<C>>> {
    repair::<C>(&[1], |round, _, _, said| match round {
        1 => Some(opening::<C>(1)),
        2 => Some(deal(said)),
        3 => Some(give(said)),
        _ => Some(vec![]),
    })
}

/// The mask of a corrupt helper, made by the rules.
pub fn deal<C: Curve>(from: u16, said: &Said) -> Vec<u8> {
    forged::<C>(from, said, &zero::<C>).body()
}

/// Another mask, equally valid.
pub fn other_deal<C: Curve>(from: u16, said: &Said) -> Vec<u8> {
    let mut other = forged::<C>(from, said, &zero::<C>);
    other.coefficients = mask::<C>([51, 53], TARGET);
    other.body()
}

/// A mask with errors in its sealed scalars.
pub fn wrong_deal<C: Curve>(from: u16, said: &Said, error: &dyn Fn(u16) -> C::Scalar) -> Vec<u8> {
    forged::<C>(from, said, error).body()
}

fn good_deal<C: Curve>(said: &Said) -> Vec<u8> {
    deal::<C>(1, said)
}

/// Checks that the second implementation of the formats is right.
fn forged_help_is_good<C: Curve>() {
    let mut ended = helped::<C>(good_deal::<C>, |said| given::<C>(said, 1, 0));
    let Ok(Repaired::Share(share)) = ended.results.remove(&TARGET).unwrap() else { panic!() };
    assert!(share.secret().expose() == key::<C>().shares[&TARGET].secret().expose());
    assert!(ended.results.into_values().all(|result| matches!(result, Ok(Repaired::Helped))));
}

/// A wrong masked share: everybody names the helper.
fn a_wrong_gift_names_its_helper<C: Curve>() {
    let ended = helped::<C>(good_deal::<C>, |said| given::<C>(said, 1, 1));
    ended.named(&[(1, Fault::InvalidShare)]);
    assert!(ended.unconfirmed(TARGET).is_none());
}

/// Helpers whose errors would cancel in the interpolation are still both named, because each masked share is
/// checked alone.
fn two_wrong_gifts_are_both_named<C: Curve>() {
    let ended = repair::<C>(&[1, 2], |round, from, _, said| match round {
        1 => Some(opening::<C>(from)),
        2 => Some(forged::<C>(from, said, &zero::<C>).body()),
        3 => Some(given::<C>(said, from, u64::from(from))),
        _ => Some(vec![]),
    });
    ended.named(&[(1, Fault::InvalidShare), (2, Fault::InvalidShare)]);
}

/// A wrong mask for one helper or both: everybody names its dealer.
fn a_wrong_mask_names_its_dealer<C: Curve>() {
    for victims in [&[2][..], &[4], &[2, 4]] {
        let wrong = |to| C::Scalar::from(u64::from(victims.contains(&to)));
        let ended =
            helped::<C>(|said| forged::<C>(1, said, &wrong).body(), |said| given::<C>(said, 1, 0));
        ended.named(&[(1, Fault::InvalidShare)]);
    }
}

/// A party that lies twice is named once. The target also names another helper, which lied to the target alone.
fn the_target_names_who_lied_to_it_alone<C: Curve>() {
    let wrong = |to| C::Scalar::from(u64::from(to == 4));
    let ended = repair::<C>(&[1, 2], |round, from, _, said| match (round, from) {
        (1, _) => Some(opening::<C>(from)),
        (2, 1) => Some(forged::<C>(1, said, &wrong).body()),
        (2, _) => Some(forged::<C>(2, said, &zero::<C>).body()),
        (3, 1) => Some(given::<C>(said, 1, 0)),
        (3, _) => Some(given::<C>(said, 2, 1)),
        _ => Some(vec![]),
    });
    assert_eq!(ended.blames(4), [(1, Fault::InvalidShare)]);
    assert_eq!(ended.blames(TARGET), [(1, Fault::InvalidShare), (2, Fault::InvalidShare)]);
    let all = ended.all_blames().into_iter();
    let by_target = all.filter(|(party, _)| *party == TARGET).map(|(_, blame)| blame);
    let shown: Vec<_> = by_target.map(|blame| blame.evidence.is_some()).collect();
    assert_eq!(shown, [true, false]);
}

/// A run that waits for a helper and is given up: the target opens what is there, and names who lied to it alone. For the other
/// helper nobody but the silent one is missing.
fn the_target_that_gives_up_names_who_lied_to_it_alone<C: Curve>() {
    for error in [0, 1] {
        let ended = repair::<C>(&[1, 2], |round, from, _, said| match (round, from) {
            (1, _) => Some(opening::<C>(from)),
            (2, _) => Some(forged::<C>(from, said, &zero::<C>).body()),
            (3, 1) => Some(given::<C>(said, 1, error)),
            _ => None,
        });
        let missing = |party| {
            let why = &ended.results[&party].as_ref().unwrap_err().abort;
            matches!(why, Abort::Missing { parties, .. } if *parties == [id(2)])
        };
        assert!(missing(4));
        if error == 0 {
            assert!(missing(TARGET));
        } else {
            assert_eq!(ended.blames(TARGET), [(1, Fault::InvalidShare)]);
            assert!(ended.all_blames().iter().all(|(_, blame)| blame.evidence.is_none()));
        }
        assert!(ended.unconfirmed(TARGET).is_none());
    }
}

/// A dealer of a wrong mask is silent after that. The complaint about it stands in the run that is given up: all name the dealer, with
/// evidence. The target names a helper that lied to it alone beside the dealer.
fn a_complaint_stands_in_a_run_that_is_given_up<C: Curve>() {
    let wrong = |to| C::Scalar::from(u64::from(to == 4));
    let (dealer, helper) = ((1, Fault::InvalidShare), (2, Fault::InvalidShare));
    for error in [0, 1] {
        let ended = repair::<C>(&[1, 2], |round, from, _, said| match (round, from) {
            (1, _) => Some(opening::<C>(from)),
            (2, 1) => Some(forged::<C>(1, said, &wrong).body()),
            (2, _) => Some(forged::<C>(2, said, &zero::<C>).body()),
            (3, 2) => Some(given::<C>(said, 2, error)),
            _ => None,
        });
        assert_eq!(ended.blames(4), [dealer]);
        let named = if error == 0 { vec![dealer] } else { vec![dealer, helper] };
        assert_eq!(ended.blames(TARGET), named);
        for (_, blame) in ended.all_blames() {
            assert_eq!(blame.evidence.is_some(), blame.party == id(1));
        }
    }
}

/// A mask that is not zero at the target's place would shift the share.
fn a_mask_that_shifts_is_named<C: Curve>() {
    for coefficients in [mask::<C>([41, 43], 3), vec![C::Scalar::from(1); 3]] {
        let ended = helped::<C>(
            |said| {
                let mut forged = forged::<C>(1, said, &zero::<C>);
                forged.coefficients.clone_from(&coefficients);
                forged.body()
            },
            |_| vec![],
        );
        ended.named(&[(1, Fault::InvalidSum)]);
    }
}

/// A helper's complaint without ground.
fn a_false_complaint_names_its_author<C: Curve>() {
    let (one, none) = (C::Scalar::from(1), C::Scalar::default());
    let about = |said: &Said, dealer: u16, shift: &C::Scalar| {
        let d = d_of::<C>(said.by(2, dealer), T);
        [&[1][..], &complaint::<C>(&said.context, [dealer, 1], d, &y::<C>(1), shift)].concat()
    };
    let lied = |give: &dyn Fn(&Said) -> Vec<u8>, fault| {
        let ended = helped::<C>(good_deal::<C>, give);
        ended.named(&[(1, fault)]);
    };
    lied(&|said| about(said, 2, &none), Fault::FalseComplaint);
    lied(&|said| about(said, 2, &one), Fault::InvalidProof);
    lied(
        &|said| [&[1u8][..], &5u16.to_be_bytes(), &about(said, 2, &none)[3..]].concat(),
        Fault::Malformed,
    );
    lied(
        &|said| [&[1u8][..], &1u16.to_be_bytes(), &about(said, 2, &none)[3..]].concat(),
        Fault::Malformed,
    );
}

/// The target claims that a helper gave it a wrong masked share, which is false.
fn a_target_that_lies_is_named<C: Curve>() {
    let (one, none) = (C::Scalar::from(1), C::Scalar::default());
    let about = |said: &Said, helper: u16, shift: &C::Scalar| {
        let d = d_of::<C>(said.by(2, helper), T);
        [&[1][..], &complaint::<C>(&said.context, [helper, TARGET], d, &y::<C>(TARGET), shift)]
            .concat()
    };
    let lied = |end: &dyn Fn(&Said) -> Vec<u8>, fault| {
        let ended = repair::<C>(&[TARGET], |round, _, _, said| match round {
            1 => Some(opening::<C>(TARGET)),
            4 => Some(end(said)),
            _ => Some(vec![]),
        });
        ended.named(&[(TARGET, fault)]);
    };
    for helper in HELPERS {
        lied(&|said| about(said, helper, &none), Fault::FalseComplaint);
        lied(&|said| about(said, helper, &one), Fault::InvalidProof);
    }
    lied(
        &|said| [&[1u8][..], &3u16.to_be_bytes(), &about(said, 2, &none)[3..]].concat(),
        Fault::Malformed,
    );
    lied(&|_| vec![1], Fault::WrongLength);
    lied(&|_| vec![], Fault::WrongLength);
    lied(&|_| vec![2], Fault::Malformed);
    lied(&|_| vec![0, 0], Fault::WrongLength);
}

/// Messages of the target after its first lie are ignored.
fn nothing_after_a_lie_of_the_target_is_judged<C: Curve>() {
    let lied = |helper: u16, named: &[(u16, Fault)]| {
        let ended = repair::<C>(&[helper, TARGET], |round, from, _, said| match (round, from) {
            (1, _) => Some(opening::<C>(from)),
            (2, TARGET) | (3, TARGET) => Some(vec![]),
            (2, _) => Some(deal::<C>(from, said)),
            (3, _) => Some(given::<C>(said, from, 1)),
            (_, TARGET) => {
                let none = C::Scalar::default();
                let about = HELPERS.map(|helper| {
                    let d = d_of::<C>(said.by(2, helper), T);
                    complaint::<C>(&said.context, [helper, TARGET], d, &y::<C>(TARGET), &none)
                });
                Some([vec![1], about.concat()].concat())
            }
            _ => Some(vec![]),
        });
        ended.named(named);
    };
    lied(1, &[(1, Fault::InvalidShare), (TARGET, Fault::FalseComplaint)]);
    lied(2, &[(TARGET, Fault::FalseComplaint)]);
}

/// After the target has its share, a helper's last message or its silence takes nothing from it.
fn the_last_word_costs_nothing<C: Curve>() {
    for last in [None, Some(vec![7])] {
        let silent = last.is_none();
        let ended = repair::<C>(&[1], |round, _, _, said| match round {
            1 => Some(opening::<C>(1)),
            2 => Some(good_deal::<C>(said)),
            3 => Some(given::<C>(said, 1, 0)),
            _ => last.clone(),
        });
        let Some(Repaired::Share(share)) = ended.unconfirmed(TARGET) else { panic!() };
        share.check_belongs_to(&key::<C>().public).unwrap();
        if silent {
            let why = &ended.results[&TARGET].as_ref().unwrap_err().abort;
            assert!(matches!(why, Abort::Missing { .. }));
        } else {
            ended.named(&[(1, Fault::WrongLength)]);
        }
    }
}

every_group! {
    forged_help_is_good a_wrong_gift_names_its_helper two_wrong_gifts_are_both_named a_wrong_mask_names_its_dealer
    the_target_names_who_lied_to_it_alone the_target_that_gives_up_names_who_lied_to_it_alone
    a_complaint_stands_in_a_run_that_is_given_up
    a_mask_that_shifts_is_named a_false_complaint_names_its_author
    a_target_that_lies_is_named nothing_after_a_lie_of_the_target_is_judged the_last_word_costs_nothing
}
