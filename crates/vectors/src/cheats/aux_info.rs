//! Cheats in auxiliary information, beside an honest run between two parties or three.

use quorate::ecdsa::{AuxInfoRun, Evidence, NotShown};
use quorate::session::{Check, frame};
use quorate::{Blame, Fault, PartyId};
use quorate_curve::Secp256k1;

use super::ecdsa::verdict;
use super::{broadcast, direct, field, forged};
use crate::aux_info::{level, script};
use crate::cheat::{Stage, Verdict};
use crate::json::{Json, object};
use crate::lies::{Cheat, Edit, Lie, Of};
use crate::record::Detail;
use crate::run::Course;
use crate::seeds::Seeds;

/// The most bytes in which a frame differs from that of the honest run, for the file to have them.
const MOST: usize = 2048;

/// The evidence of a level. `seeds` are those of the honest run between these parties, in the file `honest`.
pub(crate) fn file(bits: u32, numbers: &[u16], honest: &str, seeds: &Seeds<'_>) -> Json {
    let script = || script(bits, numbers, seeds);
    let base = script().honest().course;
    let (sid, parties) = (base.terms.sid, base.terms.parties.clone());
    let [first, culprit] = [0, 1].map(|at: usize| parties.as_slice()[at]);
    let (pair, run) = (parties.count() == 2, AuxInfoRun { sid, parties, level: level(bits) });
    let stage = Stage {
        base: &base.frames,
        script: &script,
        details: [Detail::Beside(&base.frames, MOST); 2],
        verdict: &|blame| if pair { verdict(blame, &run) } else { unshown(blame, &run) },
    };
    let modulus = level(bits).modulus_bytes();
    let (plain, reveals) = if pair {
        (rows(modulus), reveals(modulus))
    } else {
        (Vec::new(), vec![copied(modulus, &base, [first, culprit])])
    };
    let reveals = reveals.into_iter().map(|cheat| committed(cheat, &base, culprit));
    let cheats = plain.into_iter().chain(reveals);
    object! {
        "scheme": "ECDSA",
        "level": bits,
        "detail": "beside",
        "beside_file": honest,
        "ceremonies": Json::list(cheats.map(|cheat| stage.blamed::<Secp256k1>(culprit, &cheat))),
    }
}

fn rows(modulus: usize) -> Vec<Cheat<'static>> {
    use Fault::*;
    vec![
        broadcast(1, "two commitments", Edit::Twice, Equivocation),
        broadcast(1, "a short commitment", Edit::Shorter, WrongLength),
        broadcast(2, "another reveal than committed to", Edit::Flip(0), InvalidDecommitment),
        broadcast(3, "a short Πmod", Edit::Shorter, Malformed),
        broadcast(3, "a wrong w of Πmod", Edit::Flip(modulus - 1), InvalidProof),
        direct(3, "a short Πfac", Edit::Shorter, Malformed),
        direct(3, "a wrong challenge of Πfac", Edit::Flip(0), InvalidProof),
        broadcast(4, "a short confirmation", Edit::Shorter, WrongLength),
        broadcast(4, "a wrong confirmation", Edit::Flip(0), InvalidConfirmation),
    ]
}

/// Reveals to which the culprit has committed.
fn reveals(modulus: usize) -> Vec<Cheat<'static>> {
    use Fault::*;
    let last = |place: usize| Edit::Flip(64 + place * modulus - 1);
    let s = Edit::Zeros(field(64 + 2 * modulus, modulus));
    let proof = 64 + 4 * modulus;
    let response = Edit::Flip(proof + 16 + modulus - 1);
    vec![
        broadcast(2, "a short reveal, committed to", Edit::Shorter, Malformed),
        broadcast(2, "an even N", last(1), InvalidModulus),
        broadcast(2, "an even N̂", last(2), InvalidModulus),
        broadcast(2, "s is zero", s, InvalidModulus),
        broadcast(2, "a wrong challenge of Πprm", Edit::Flip(proof), InvalidProof),
        broadcast(2, "a wrong response of Πprm", response, InvalidProof),
    ]
}

/// A reveal with the N of another party. Further parties cannot know which of the two has copied it.
fn copied(modulus: usize, base: &Course, [from, culprit]: [PartyId; 2]) -> Cheat<'static> {
    let mut reveal = base.body(2, culprit, None).to_vec();
    let place = field(64, modulus);
    reveal[place.clone()].copy_from_slice(&base.body(2, from, None)[place]);
    let edit = forged(move |_| reveal.clone());
    let cheat = broadcast(2, "the N of another party", edit, Fault::InvalidModulus);
    Cheat { bystanders: Some(Check::ResultMismatch), ..cheat }
}

/// A blame that shows nothing to a third party: nobody else has attested to the accuser's moduli yet.
fn unshown(blame: &Blame, run: &AuxInfoRun) -> Verdict {
    let evidence = Evidence::from_blame(blame).expect("evidence");
    assert_eq!(evidence.verify(run), Err(NotShown::InOrder));
    (None, Some(evidence.to_bytes()))
}

/// This cheat with a commitment to the altered reveal in round 1.
fn committed<'a>(cheat: Cheat<'a>, base: &Course, culprit: PartyId) -> Cheat<'a> {
    let mut reveal = base.body(2, culprit, None).to_vec();
    let second = cheat.lies[0].edit.apply::<Secp256k1>(base, &mut reveal, 0);
    assert!(second.is_none(), "one message");
    let edit = forged(move |course| commitment(&course.context, culprit, &reveal).to_vec());
    cheat.with(Lie { round: 1, of: Of::Broadcast, edit })
}

/// V for this reveal.
fn commitment(context: &[u8; 32], party: PartyId, reveal: &[u8]) -> [u8; 32] {
    let mut transcript = frame::transcript(context, "quorate-cggmp aux-info commitment");
    transcript.append_u64("party", party.get().into());
    transcript.append("reveal", reveal);
    transcript.finish32()
}
