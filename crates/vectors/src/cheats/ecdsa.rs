//! Cheats in the key generation of threshold ECDSA; in refresh and repair.

use quorate::ecdsa::evidence::PublicRun;
use quorate::ecdsa::{EcdsaCurve, Evidence, KeygenRun};
use quorate::{Blame, Fault};

use super::{OF_THREE, PAIR, TRIO, broadcast, direct, field, life, unblamed, unjudged};
use crate::cheat::{Stage, Verdict};
use crate::ecdsa::{generated, generation, group};
use crate::json::{Json, object};
use crate::keys::GENERATION;
use crate::lies::{Cheat, Edit};
use crate::record::Detail;
use crate::seeds::Seeds;

/// The evidence of a curve.
pub(crate) fn file<C: EcdsaCurve>(seeds: &Seeds<'_>) -> Json {
    let pair = || generation::<C>(GENERATION, PAIR, seeds);
    let three = || generation::<C>(OF_THREE, TRIO, seeds);
    let (base, trace) = (pair().honest(), three().honest());
    let run = KeygenRun::<C>::new(base.course.terms.sid, PAIR.parties(), PAIR.threshold);
    let judged = |blame: &_| verdict(blame, &run);
    let stage = Stage { verdict: &judged, ..unjudged(&base.course.frames, &pair) };
    let mut ceremonies = vec![base.json(Detail::Full, generated)];
    ceremonies.extend(rows().iter().map(|cheat| stage.blamed::<C>(PAIR.second(), cheat)));
    ceremonies.push(trace.json(Detail::Full, generated));
    ceremonies.extend(unblamed::<C, _>(&unjudged(&trace.course.frames, &three)));
    ceremonies.extend(life::ceremonies(seeds, &group(trace)));
    object! { "scheme": "ECDSA", "curve": C::NAME, "detail": "full", "ceremonies": ceremonies }
}

fn rows() -> Vec<Cheat<'static>> {
    use Fault::*;
    let (a, z) = (|| field(96, 33), || field(33, 32));
    vec![
        broadcast(1, "two commitments", Edit::Twice, Equivocation),
        broadcast(1, "a short commitment", Edit::Shorter, WrongLength),
        broadcast(2, "a short reveal", Edit::Shorter, WrongLength),
        broadcast(2, "a neutral point", Edit::Zeros(a()), IdentityCommitment),
        broadcast(2, "a point that is none", Edit::Ones(a()), InvalidPoint),
        broadcast(2, "another reveal than committed to", Edit::Flip(0), InvalidDecommitment),
        direct(2, "a short share", Edit::Shorter, WrongLength),
        direct(2, "a share that is no scalar", Edit::Ones(0..32), InvalidScalar),
        direct(2, "a wrong share", Edit::Next(0..32), InvalidShare),
        broadcast(3, "a short proof", Edit::Shorter, WrongLength),
        broadcast(3, "a nonce that is no point", Edit::Ones(0..33), InvalidPoint),
        broadcast(3, "a response that is no scalar", Edit::Ones(z()), InvalidScalar),
        broadcast(3, "a wrong response", Edit::Next(z()), InvalidProof),
        broadcast(4, "a short confirmation", Edit::Shorter, WrongLength),
        broadcast(4, "a wrong confirmation", Edit::Flip(0), InvalidConfirmation),
    ]
}

/// A third party's verdict on a blame of threshold ECDSA.
pub(super) fn verdict(blame: &Blame, run: &impl PublicRun) -> Verdict {
    let evidence = Evidence::from_blame(blame).expect("evidence");
    let shown = evidence.verify(run).expect("it shows the fault");
    (Some(shown), Some(evidence.to_bytes()))
}
