//! Cheats in a suite of FROST: key generation, exchange of shares, shares for a coordinator; refresh and repair.

use quorate::Fault;
use quorate::frost::generic::{
    AggregateError, Ciphersuite, PointBytes, ScalarBytes, SignatureShare,
};

use super::{OF_THREE, PAIR, TRIO, broadcast, direct, field, life, unblamed, unjudged};
use crate::frost::{MESSAGE, Signed, exchange, exchanged, generated, generation, group, sign};
use crate::json::{Json, object};
use crate::keys::GENERATION;
use crate::lies::{Cheat, Edit, increment};
use crate::record::Detail;
use crate::seeds::Seeds;

/// The evidence of a suite.
pub(crate) fn file<S: Ciphersuite>(seeds: &Seeds<'_>) -> Json {
    let pair = || generation::<S>(GENERATION, PAIR, seeds);
    let three = || generation::<S>(OF_THREE, TRIO, seeds);
    let (base, trace) = (pair().honest(), three().honest());
    let stage = unjudged(&base.course.frames, &pair);
    let mut ceremonies = vec![base.json(Detail::Full, generated)];
    let cheats = rows::<S>();
    ceremonies.extend(cheats.iter().map(|cheat| stage.blamed::<S::Curve>(PAIR.second(), cheat)));
    let (jsons, signed) = sign("", seeds, &group(base), &PAIR.signers());
    ceremonies.extend(jsons);
    ceremonies.extend(exchanges(seeds, &signed));
    ceremonies.push(coordinated(&signed));
    ceremonies.push(trace.json(Detail::Full, generated));
    ceremonies.extend(unblamed::<S::Curve, _>(&unjudged(&trace.course.frames, &three)));
    ceremonies.extend(life::ceremonies(seeds, &group(trace)));
    object! { "scheme": "FROST", "suite": S::CONTEXT, "detail": "full", "ceremonies": ceremonies }
}

fn rows<S: Ciphersuite>() -> Vec<Cheat<'static>> {
    use Fault::*;
    let (point, scalar) = (size_of::<PointBytes<S>>(), size_of::<ScalarBytes<S>>());
    let (z, second) = (|| field(3 * point, scalar), Edit::Ones(field(point, point)));
    vec![
        broadcast(1, "two announcements", Edit::Twice, Equivocation),
        broadcast(1, "a short announcement", Edit::Shorter, WrongLength),
        broadcast(1, "a coefficient that is no point", second, InvalidPoint),
        broadcast(1, "a response that is no scalar", Edit::Ones(z()), InvalidScalar),
        broadcast(1, "a wrong response", Edit::Next(z()), InvalidProofOfPossession),
        direct(2, "a short share", Edit::Shorter, WrongLength),
        direct(2, "a share that is no scalar", Edit::Ones(0..scalar), InvalidScalar),
        direct(2, "a wrong share", Edit::Next(0..scalar), InvalidShare),
        broadcast(3, "a short confirmation", Edit::Shorter, WrongLength),
        broadcast(3, "a wrong confirmation", Edit::Flip(0), InvalidConfirmation),
    ]
}

/// An exchange of shares, and party 2 cheating in it.
fn exchanges<S: Ciphersuite>(seeds: &Seeds<'_>, signed: &Signed<S>) -> Vec<Json> {
    use Fault::*;
    let scalar = size_of::<ScalarBytes<S>>();
    let script = || exchange(seeds, signed);
    let base = script().honest();
    let stage = unjudged(&base.course.frames, &script);
    let cheats = [
        broadcast(1, "two shares", Edit::Twice, Equivocation),
        broadcast(1, "a short share", Edit::Shorter, WrongLength),
        broadcast(1, "a share that is no scalar", Edit::Ones(0..scalar), InvalidScalar),
        broadcast(1, "a wrong share", Edit::Next(0..scalar), InvalidSignatureShare),
    ];
    let cheated = cheats.iter().map(|cheat| stage.blamed::<S::Curve>(PAIR.second(), cheat));
    core::iter::once(base.json(Detail::Full, exchanged)).chain(cheated).collect()
}

/// Party 2 sends a wrong share to a coordinator.
fn coordinated<S: Ciphersuite>(signed: &Signed<S>) -> Json {
    let (mut shares, culprit) = (signed.shares.clone(), PAIR.second());
    let mut z = shares[&culprit].scalar();
    increment::<S::Curve>(z.as_mut());
    let wrong = SignatureShare::from_parts(culprit, &signed.package, z.as_ref()).expect("a share");
    shares.insert(culprit, wrong);
    let all: Vec<_> = shares.values().cloned().collect();
    let found = signed.public.aggregate(&signed.package, &all);
    assert_eq!(found.err(), Some(AggregateError::Cheaters(vec![culprit])));
    let players = shares.iter().map(|(party, share)| {
        let right = signed.public.verify_share(&signed.package, share).is_ok();
        let share = Json::hex(share.to_bytes());
        object! { "party": party.get(), "signature_share": share, "valid": right }
    });
    object! {
        "ceremony": "signing: a wrong share",
        "kind": "call",
        "public": Json::hex(signed.public.to_bytes()),
        "message": MESSAGE,
        "signing_package": Json::hex(signed.package.to_bytes()),
        "players": Json::list(players),
        "error": "Cheaters",
        "culprits": Json::list([culprit.get()]),
    }
}
