//! Cheats in presigning and signing, beside honest runs between two signers.

use quorate::ecdsa::{
    AggregateError, DerivationPath, Ecdsa, EcdsaCurve, MessageDigest, Presignature, ShareFault,
    SigningGoal, SigningRun,
};
use quorate::keys::Family as _;
use quorate::session::Protocol;
use quorate::session::container::Kind;
use quorate::{Fault, PartyId};

use super::ecdsa::verdict;
use super::{PAIR, broadcast, direct, field};
use crate::cheat::Stage;
use crate::frost::MESSAGE;
use crate::json::{Json, object};
use crate::lies::{Cheat, Edit, Lie, Of, increment};
use crate::record::Detail;
use crate::run::{Course, Script};
use crate::seeds::Seeds;
use crate::signers::{Shares, Signers, digest};

/// The most bytes in which a frame differs from that of the honest run, for the file to have them.
const MOST: usize = 4096;

/// The evidence of a curve and a level. `seeds` are those of the honest runs in `honest`. `alarm`: the file has the messages
/// of one red alert in full.
pub(crate) fn file<C: EcdsaCurve>(
    signers: &Signers<C>,
    (bits, honest, alarm): (u32, &str, bool),
    seeds: &Seeds<'_>,
) -> Json {
    let presigning = || signers.presigning(seeds);
    let signing = || signers.signing(seeds);
    let (one, signed) = (presigning().honest(), signing().honest().course);
    let modulus = signers.first_aux().level().modulus_bytes();
    let play = |most, cheats| {
        let goal = SigningGoal::Presignature;
        cheated(signers, (&one.course, &presigning), goal, most, cheats)
    };
    let mut ceremonies = play(MOST, rows(modulus));
    let mut alerts = alerts(modulus);
    let further = alerts.split_off(1);
    ceremonies.extend(play(if alarm { usize::MAX } else { MOST }, alerts));
    ceremonies.extend(play(MOST, further));
    let goal = SigningGoal::Signature(digest::<C>());
    ceremonies.extend(cheated(signers, (&signed, &signing), goal, MOST, signing_rows()));
    ceremonies.push(share_alone(signers, one.into_results()));
    object! {
        "scheme": "ECDSA",
        "curve": C::NAME,
        "level": bits,
        "detail": "beside",
        "beside_file": honest,
        "ceremonies": ceremonies,
    }
}

/// These cheats in a run, beside the honest one. `most` is the limit of [`Detail::Beside`] for the culprit's messages.
fn cheated<C: EcdsaCurve, P: Protocol>(
    signers: &Signers<C>,
    (base, script): (&Course, &dyn Fn() -> Script<P>),
    goal: SigningGoal,
    most: usize,
    cheats: Vec<Cheat<'_>>,
) -> Vec<Json> {
    let run = SigningRun {
        sid: base.terms.sid,
        signers: base.terms.parties.clone(),
        key: signers.public().clone(),
        aux: signers.first_aux().public().clone(),
        goal,
    };
    let stage = Stage {
        base: &base.frames,
        script,
        details: [MOST, most].map(|most| Detail::Beside(&base.frames, most)),
        verdict: &|blame| verdict(blame, &run),
    };
    cheats.iter().map(|cheat| stage.blamed::<C>(PAIR.second(), cheat)).collect()
}

fn rows(modulus: usize) -> Vec<Cheat<'static>> {
    use Fault::*;
    let y = || field(4 * modulus, 33);
    let (elog, digests) = (33, 33 + 96);
    vec![
        broadcast(1, "two openings", Edit::Twice, Equivocation),
        broadcast(1, "a short opening", Edit::Shorter, Malformed),
        broadcast(1, "K is zero", Edit::Zeros(0..2 * modulus), Malformed),
        broadcast(1, "G is out of range", Edit::Ones(field(2 * modulus, 2 * modulus)), Malformed),
        broadcast(1, "a neutral Y", Edit::Zeros(y()), IdentityCommitment),
        broadcast(1, "a Y that is no point", Edit::Ones(y()), InvalidPoint),
        direct(1, "a short Πenc-elg", Edit::Shorter, Malformed),
        direct(1, "a wrong seed of Πenc-elg", Edit::Flip(0), InvalidProof),
        broadcast(2, "a short broadcast", Edit::Shorter, Malformed),
        broadcast(2, "a neutral Γ", Edit::Zeros(0..33), IdentityCommitment),
        broadcast(2, "a Γ that is no point", Edit::Ones(0..33), InvalidPoint),
        broadcast(2, "a wrong seed of Πelog", Edit::Flip(elog), InvalidProof),
        broadcast(2, "another digest of the products", Edit::Flip(digests), InvalidDecommitment),
        direct(2, "short products", Edit::Shorter, Malformed),
        direct(2, "D is zero", Edit::Zeros(0..2 * modulus), Malformed),
        direct(2, "a wrong seed of Πaff-g", Edit::Flip(8 * modulus), InvalidProof),
        broadcast(3, "short sums", Edit::Shorter, Malformed),
        broadcast(3, "a δ that is no scalar", Edit::Ones(0..32), InvalidScalar),
        broadcast(3, "a neutral S", Edit::Zeros(field(32, 33)), IdentityCommitment),
        broadcast(3, "an S that is no point", Edit::Ones(field(32, 33)), InvalidPoint),
        broadcast(3, "a wrong challenge of Πelog", Edit::Flip(98), InvalidProof),
        broadcast(4, "a confirmation that is not empty", Edit::Longer, WrongLength),
    ]
}

/// Red alerts: a wrong sum in round 3, and a further lie about it in round 4.
fn alerts(modulus: usize) -> Vec<Cheat<'static>> {
    use Fault::*;
    // On both ways: so that the culprit raises the alarm as well.
    let alert = |what, edit, fault| {
        Cheat::new(what, Lie { round: 3, of: Of::BothWays, edit }, fault).found(4)
    };
    let further = |edit| Lie { round: 4, of: Of::Broadcast, edit };
    let (delta, s) = (|| Edit::Next(0..32), Edit::Moved(field(32, 33)));
    let product = further(Edit::Flip(2 * modulus - 1));
    let another = "red alert: another product than announced";
    vec![
        alert("red alert: a wrong δ", delta(), InvalidProof),
        alert("red alert: a wrong S", s, InvalidProof),
        alert("red alert: a short message", delta(), Malformed).with(further(Edit::Shorter)),
        alert(another, delta(), InvalidDecommitment).with(product),
    ]
}

fn signing_rows() -> Vec<Cheat<'static>> {
    use Fault::*;
    vec![
        broadcast(4, "a short share", Edit::Shorter, WrongLength),
        broadcast(4, "a share that is no scalar", Edit::Ones(0..32), InvalidScalar),
        broadcast(4, "a wrong share", Edit::Next(0..32), InvalidSignatureShare),
    ]
}

/// A wrong share of a signature from a presignature, which convicts its sender by itself.
fn share_alone<C: EcdsaCurve>(
    signers: &Signers<C>,
    made: impl Iterator<Item = (PartyId, Presignature<C>)>,
) -> Json {
    let (digest, path) = (MessageDigest::sha256(MESSAGE), DerivationPath::default());
    let Shares { info, mut sent, .. } = signers.shares(made.map(|(_, one)| one), &path);
    let (culprit, last) = sent.last_mut().expect("a share");
    let culprit = *culprit;
    wrong::<C>(last);
    let child = signers.public().derivation(&path).expect("the key itself");
    let found = info.aggregate(&child, digest, sent.clone()).expect_err("a wrong share");
    assert_eq!(found, AggregateError::Cheaters(vec![(culprit, ShareFault::Equation)]));
    let players = sent.iter().map(|(from, share)| {
        object! { "party": from.get(), "signature_share": Json::hex(share), "valid": *from != culprit }
    });
    object! {
        "ceremony": "signing: a wrong share",
        "kind": "call",
        "public": Json::hex(signers.public().to_bytes()),
        "presignature_public": Json::hex(info.to_bytes()),
        "message": MESSAGE,
        "digest": Json::hex(digest.as_bytes()),
        "players": Json::list(players),
        "error": "Cheaters",
        "culprits": Json::list([culprit.get()]),
    }
}

/// One more in the place of σ, in a container whose digest fits.
fn wrong<C: EcdsaCurve>(share: &mut Vec<u8>) {
    let label = Ecdsa::<C>::label(Kind { code: 0, name: "", version: 1 });
    *share = label.altered(share, |bytes| {
        let sigma = bytes.len() - 32;
        increment::<C>(&mut bytes[sigma..]);
    });
}
