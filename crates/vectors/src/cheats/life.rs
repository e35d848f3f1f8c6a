//! Cheats in a refresh and in a repair, of any family.

use quorate::keys::{PointBytes, RepairPlan, ResharePlan, Reshared, Scalar};
use quorate::session::{Evidence, Protocol, Transcript};
use quorate::{Blame, Fault, PartyId};
use quorate_curve::{Curve, random_nonzero_scalar};
use quorate_sharing::lagrange::one_at_zero;
use quorate_testkit::forge::{Forged, complaint, d_of, place};

use super::{TRIO, broadcast, field, forged, unjudged};
use crate::cheat::Stage;
use crate::json::Json;
use crate::keys::{Group, Keys, repaired, repairing, resharing, stored};
use crate::lies::{Cheat, Edit};
use crate::record::Detail;
use crate::run::{Course, Frames, Script};
use crate::seeds::{Seeds, generator};

/// The ceremonies, in a group of three of which the second cheats; in some repairs the third, which is repaired.
pub(crate) fn ceremonies<F: Keys>(seeds: &Seeds<'_>, group: &Group<F>) -> Vec<Json> {
    let mut all = refreshes(seeds, group);
    all.extend(repairs(seeds, group));
    all
}

/// The cheats of a culprit in a run. `convicts` is what a third party finds by evidence against a party.
fn blamed<C: Curve, P: Protocol>(
    base: &Frames,
    script: &dyn Fn() -> Script<P>,
    convicts: impl Fn(&Evidence, PartyId) -> Option<Fault>,
    cheats: &[(PartyId, Vec<Cheat<'_>>)],
) -> Vec<Json> {
    let verdict = |blame: &Blame| {
        let fault = convicts(blame.evidence.as_ref().expect("evidence"), blame.party);
        assert!(fault.is_some() || blame.fault == Fault::Equivocation, "it convicts");
        (fault, None)
    };
    let stage = Stage { verdict: &verdict, ..unjudged(base, script) };
    let all = cheats.iter().flat_map(|(culprit, of)| of.iter().map(move |one| (*culprit, one)));
    all.map(|(culprit, cheat)| stage.blamed::<C>(culprit, cheat)).collect()
}

/// The lengths of an encoded point and scalar.
fn lengths<F: Keys>() -> (usize, usize) {
    (size_of::<PointBytes<F>>(), size_of::<<F::Curve as Curve>::ScalarBytes>())
}

/// The changes of a deal of two points that every check refuses.
fn deals<F: Keys>() -> Vec<Cheat<'static>> {
    use Fault::*;
    let (point, scalar) = lengths::<F>();
    let z = || field(4 * point, scalar);
    vec![
        broadcast(2, "a short deal", Edit::Shorter, WrongLength),
        broadcast(2, "a commitment that is no point", Edit::Ones(0..point), InvalidPoint),
        broadcast(2, "a response that is no scalar", Edit::Ones(z()), InvalidScalar),
        broadcast(2, "a wrong response", Edit::Next(z()), InvalidProofOfPossession),
    ]
}

/// A deal with this polynomial, and with an error in the share that a victim gets.
fn deal<F: Keys>(
    course: &Course,
    coefficients: Vec<Scalar<F>>,
    to: impl IntoIterator<Item = PartyId>,
    (error, victim): (u64, PartyId),
) -> Vec<u8> {
    let culprit = TRIO.second();
    let to = to.into_iter().filter(|to| *to != culprit);
    let deal = Forged::<F::Curve> {
        context: course.context,
        dealer: culprit.get(),
        coefficients,
        d: Scalar::<F>::from(9),
        to: to.map(|to| (to.get(), course.body(1, to, None).to_vec())).collect(),
        error: &|to| Scalar::<F>::from(if to == victim.get() { error } else { 0 }),
    };
    deal.body()
}

/// A complaint about the first party. `K` is not `y·D` if there is a shift.
fn accusation<F: Keys>(course: &Course, by: PartyId, shift: u64) -> Vec<u8> {
    let first = TRIO.parties().as_slice()[0];
    let d = d_of::<F::Curve>(course.body(2, first, None), TRIO.threshold.into());
    let (y, shift) = (opening_key::<F::Curve>(course, by), Scalar::<F>::from(shift));
    let parties = [first, by].map(PartyId::get);
    [vec![1], complaint::<F::Curve>(&course.context, parties, d, &y, &shift)].concat()
}

/// The secret of a party's opening key, drawn as `docs/spec/determinism.md` says.
fn opening_key<C: Curve>(course: &Course, party: PartyId) -> C::Scalar {
    let mut transcript = Transcript::new("randomness");
    transcript.append("context", &course.context);
    transcript.append("seed", &course.players[&party].seed);
    transcript.append_u64("rounds completed", 0);
    transcript.append("received", &[0; 32]);
    transcript.append("purpose", b"opening key");
    transcript.append_u64("peer", 0);
    random_nonzero_scalar::<C>(&mut generator(transcript.finish32())).expect("not zero")
}

fn refreshes<F: Keys>(seeds: &Seeds<'_>, group: &Group<F>) -> Vec<Json> {
    let plan = ResharePlan::new(group.shared(), TRIO.first(), TRIO.committee()).expect("a plan");
    let script = || resharing("refresh", seeds, group, &plan);
    let base = script().honest();
    let honest = |one: &Reshared<F>| stored::<F>(&one.public, one.share.as_ref());
    let json = base.json(Detail::Full, honest);
    let sid = base.course.terms.sid;
    let mut cheats = in_refresh::<F>();
    cheats.extend(forged_in_refresh(group));
    let cheats = [(TRIO.second(), cheats)];
    let convicts = |evidence: &Evidence, party| plan.convicts(sid, evidence, party);
    let cheated = blamed::<F::Curve, _>(&base.course.frames, &script, convicts, &cheats);
    [vec![json], cheated].concat()
}

fn in_refresh<F: Keys>() -> Vec<Cheat<'static>> {
    use Fault::*;
    let (point, _) = lengths::<F>();
    let openings = vec![
        broadcast(1, "two opening keys", Edit::Twice, Equivocation),
        broadcast(1, "a short opening key", Edit::Shorter, WrongLength),
        broadcast(1, "an opening key that is no point", Edit::Ones(0..point), InvalidPoint),
    ];
    let confirmations = vec![
        broadcast(3, "a short confirmation", Edit::Shorter, WrongLength),
        broadcast(3, "a confirmation of no kind", Edit::Byte(0, 2), Malformed),
        broadcast(3, "a wrong confirmation", Edit::Flip(1), InvalidConfirmation),
    ];
    openings.into_iter().chain(deals::<F>()).chain(confirmations).collect()
}

fn forged_in_refresh<F: Keys>(group: &Group<F>) -> Vec<Cheat<'static>> {
    use Fault::*;
    let [_, culprit, last] = *TRIO.parties().as_slice() else { panic!("three parties") };
    let lambda = one_at_zero::<F::Curve>(TRIO.first().as_slice(), culprit).expect("a dealer");
    let constant = lambda * *group.share(culprit).secret().expose();
    let deal = move |shift: u64, error: u64| {
        forged(move |course: &Course| {
            let constant = constant + Scalar::<F>::from(shift);
            let coefficients = vec![constant, Scalar::<F>::from(8)];
            deal::<F>(course, coefficients, TRIO.parties().iter(), (error, last))
        })
    };
    let accuse = |shift| forged(move |course| accusation::<F>(course, culprit, shift));
    let about_no_dealer = forged(move |course| {
        let mut body = accusation::<F>(course, culprit, 0);
        body[1..3].copy_from_slice(&last.get().to_be_bytes());
        body
    });
    vec![
        broadcast(2, "another constant", deal(1, 0), InvalidSum),
        broadcast(2, "a wrong share", deal(0, 1), InvalidShare).found(3),
        broadcast(3, "no complaint", forged(|_| vec![1]), WrongLength),
        broadcast(3, "a false complaint", accuse(0), FalseComplaint),
        broadcast(3, "a complaint with a wrong key", accuse(1), InvalidProof),
        broadcast(3, "a complaint about no dealer", about_no_dealer, Malformed),
    ]
}

fn repairs<F: Keys>(seeds: &Seeds<'_>, group: &Group<F>) -> Vec<Json> {
    let (helpers, target) = TRIO.repair().expect("parties enough");
    let plan = RepairPlan::new(group.shared(), helpers, target).expect("a plan");
    let script = || repairing("repair", seeds, group, &plan);
    let base = script().honest();
    let json = base.json(Detail::Full, repaired::<F>);
    let sid = base.course.terms.sid;
    let cheats = [(TRIO.second(), by_a_helper::<F>()), (target, by_the_target::<F>(target))];
    let convicts = |evidence: &Evidence, party| plan.convicts(sid, evidence, party);
    let cheated = blamed::<F::Curve, _>(&base.course.frames, &script, convicts, &cheats);
    [vec![json], cheated].concat()
}

fn by_a_helper<F: Keys>() -> Vec<Cheat<'static>> {
    use Fault::*;
    let (_, scalar) = lengths::<F>();
    let [first, culprit, target] = *TRIO.parties().as_slice() else { panic!("three parties") };
    // 8·(x − target) and the shift, zero at the target without it.
    let mask = move |shift: u64, error: u64| {
        forged(move |course: &Course| {
            let slope = Scalar::<F>::from(8);
            let constant = Scalar::<F>::from(shift) - slope * place::<F::Curve>(target.get());
            deal::<F>(course, vec![constant, slope], TRIO.first().iter(), (error, first))
        })
    };
    let accuse = |shift| forged(move |course| accusation::<F>(course, culprit, shift));
    let value = || 1..1 + scalar;
    let mut all = deals::<F>();
    all.extend([
        broadcast(3, "a short value", Edit::Shorter, WrongLength),
        broadcast(3, "a value of no kind", Edit::Byte(0, 2), Malformed),
        broadcast(3, "a value that is no scalar", Edit::Ones(value()), InvalidScalar),
        broadcast(4, "a helper that says something", Edit::Longer, WrongLength),
        // It is found a round later, by the party for which it is sealed.
        broadcast(3, "a wrong value", Edit::Next(value()), InvalidShare).found(4),
        broadcast(2, "a mask that moves the share", mask(1, 0), InvalidSum),
        broadcast(2, "a wrong share of a mask", mask(0, 1), InvalidShare).found(3),
        broadcast(3, "a false complaint", accuse(0), FalseComplaint),
        broadcast(3, "a complaint with a wrong key", accuse(1), InvalidProof),
    ]);
    all
}

fn by_the_target<F: Keys>(target: PartyId) -> Vec<Cheat<'static>> {
    use Fault::*;
    let accuse = |shift| forged(move |course| accusation::<F>(course, target, shift));
    vec![
        broadcast(4, "a target that says too much", Edit::Longer, WrongLength),
        broadcast(4, "a target that says another thing", Edit::Byte(0, 2), Malformed),
        broadcast(4, "a false complaint of the target", accuse(0), FalseComplaint),
        broadcast(4, "the target with a wrong key", accuse(1), InvalidProof),
    ]
}
