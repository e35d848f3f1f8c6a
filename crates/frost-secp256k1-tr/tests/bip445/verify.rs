//! *PartialSigVerify* and *PartialSigAgg* beside the draft's equations over the arithmetic of another library.

use k256::elliptic_curve::PrimeField as _;
use k256::{ProjectivePoint, Scalar};
use quorate_frost_secp256k1_tr::bip445::{
    AggregateNonce, Culprit, Error, PublicNonce, Session, SignatureShare, Signers, Tweak,
};
use quorate_testkit::Lcg;

use super::draft::{Context, Values, coefficient, compressed, point, scalar};
use super::group::{Group, negative};

/// A lie in a session before anybody signs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lie {
    Nothing,
    /// The last signer publishes a nonce that is not its own.
    Nonce,
    /// The last signer publishes the negative of the other nonces, or of one half of them.
    Cancels(usize),
    /// The last two public shares are moved against each other, so that the key stays the same.
    List,
}

const LIES: [Lie; 8] = [
    Lie::Nothing,
    Lie::Nothing,
    Lie::Nothing,
    Lie::Nonce,
    Lie::Cancels(2),
    Lie::Cancels(1),
    Lie::Cancels(0),
    Lie::List,
];

/// A session of some signers, as both sides have it, and the shares of the parties that could sign.
struct Case {
    session: Session,
    context: Context,
    values: Values,
    nonces: Vec<PublicNonce>,
    parts: Vec<Option<SignatureShare>>,
}

fn tweaks(random: &mut Lcg) -> Vec<Tweak> {
    let one = |random: &mut Lcg| {
        let small = u64::try_from(random.below(3)).unwrap();
        let scalar = if random.below(2) == 0 { Scalar::from(small) } else { any_scalar(random) };
        Tweak { scalar: scalar.to_repr().into(), is_x_only: random.below(2) == 0 }
    };
    (0..random.below(4)).map(|_| one(random)).collect()
}

fn any_scalar(random: &mut Lcg) -> Scalar {
    loop {
        if let Some(found) = scalar(&random.bytes(32)) {
            return found;
        }
    }
}

/// The signers of a session: some places of the group, in any order.
fn places(group: &Group, random: &mut Lcg) -> Vec<usize> {
    let mut all: Vec<_> = (0..group.shares.len()).collect();
    for at in (1..all.len()).rev() {
        all.swap(at, random.below(at + 1));
    }
    let threshold = usize::from(group.public.threshold());
    all.truncate(threshold + random.below(all.len() - threshold + 1));
    all
}

fn lie_with_nonces(lie: Lie, nonces: &mut [PublicNonce], random: &mut Lcg) {
    let (last, others) = nonces.split_last_mut().unwrap();
    match lie {
        Lie::Nothing | Lie::List => {}
        Lie::Nonce => {
            let foreign = compressed(&(ProjectivePoint::GENERATOR * any_scalar(random)));
            last[33..].copy_from_slice(&foreign);
        }
        Lie::Cancels(half) => {
            let sum = AggregateNonce::sum(others).unwrap();
            for at in (0..2).filter(|at| half == 2 || half == *at) {
                let part: [u8; 33] = sum.as_bytes()[33 * at..33 * (at + 1)].try_into().unwrap();
                last[33 * at..33 * (at + 1)].copy_from_slice(&negative(&part));
            }
        }
    }
}

fn lie_with_list(lie: Lie, listed: &mut [(u32, [u8; 33])], random: &mut Lcg) {
    if lie != Lie::List {
        return;
    }
    let ids: Vec<_> = listed.iter().map(|(id, _)| *id).collect();
    let mut pair = listed.iter_mut().rev();
    let (Some(one), Some(two)) = (pair.next(), pair.next()) else { return };
    let by = ProjectivePoint::GENERATOR * any_scalar(random);
    let [to_one, to_two] = [two.0, one.0].map(|id| by * coefficient(&ids, id));
    one.1 = compressed(&(point(&one.1).unwrap() + to_one));
    two.1 = compressed(&(point(&two.1).unwrap() - to_two));
}

impl Case {
    fn new(group: &Group, lie: Lie, random: &mut Lcg) -> Self {
        let places = places(group, random);
        let made: Vec<_> = places.iter().map(|at| group.nonce(*at, random.number())).collect();
        let mut nonces: Vec<_> = made.iter().map(|nonce| *nonce.public()).collect();
        lie_with_nonces(lie, &mut nonces, random);
        let mut listed: Vec<_> = places.iter().map(|at| group.listed(*at)).collect();
        lie_with_list(lie, &mut listed, random);
        let mut key = group.key();
        if random.below(2) == 0 {
            key = negative(&key);
            listed.iter_mut().for_each(|(_, share)| *share = negative(share));
        }
        let parties = group.public.parties().iter().map(|party| u32::from(party.get())).max();
        let threshold = u32::from(group.public.threshold());
        let signers =
            Signers::from_untrusted_list(threshold, parties.unwrap(), &listed, &key).unwrap();
        let (tweaks, length) = (tweaks(random), random.below(40));
        let message = random.bytes(length);
        let sum = AggregateNonce::sum(&nonces).unwrap();
        let session = Session::new(&signers, &sum, &tweaks, &message).unwrap();
        let (ids, shares) = listed.into_iter().unzip();
        let tweaks = tweaks.iter().map(|tweak| (tweak.scalar, tweak.is_x_only)).collect();
        let context = Context { ids, shares, key, tweaks, sum: *sum.as_bytes(), message };
        let values = context.values().unwrap();
        let signed = places.iter().zip(made);
        let parts = signed.map(|(at, nonce)| session.sign(&group.shares[*at], nonce).ok());
        let parts = parts.collect();
        Self { session, context, values, nonces, parts }
    }

    /// Right and wrong shares of the signer at a place.
    fn shares(&self, at: usize, random: &mut Lcg) -> Vec<[u8; 32]> {
        const ORDER: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
        let honest = self.parts[at].unwrap_or([7; 32]);
        let s = scalar(&honest).unwrap();
        let bytes = |scalar: Scalar| <[u8; 32]>::from(scalar.to_repr());
        let order = quorate_testkit::unhex(ORDER).try_into().unwrap();
        let mut flipped = honest;
        flipped[random.below(32)] ^= 1 << random.below(8);
        let mut all = vec![honest, bytes(s + Scalar::ONE), bytes(-s), flipped, [0; 32], order];
        all.push(bytes(any_scalar(random)));
        all.extend(self.parts.iter().flatten());
        all
    }

    /// Compares the judgements of both sides on a share, and gives them.
    fn agreed(&self, share: &[u8; 32], at: usize, expected: &ProjectivePoint) -> bool {
        let ours = self.session.verify_share(share, &self.nonces, at);
        let theirs = scalar(share)
            .is_some_and(|s| ProjectivePoint::mul_by_generator_vartime(&s) == *expected);
        if let Err(why) = ours {
            assert!(matches!(why, Error::WrongShare { .. } | Error::BadShare { .. }), "{why:?}");
            assert_eq!(why.culprit(), Some(Culprit::Signer(at)));
        }
        assert_eq!(ours.is_ok(), theirs, "the signer at {at}");
        theirs
    }

    /// The share that each signer has to have, times the generator.
    fn expected(&self) -> Vec<ProjectivePoint> {
        let nonces = self.nonces.iter().enumerate();
        let one = |(at, nonce)| self.context.expected(&self.values, nonce, at).unwrap();
        nonces.map(one).collect()
    }

    /// The key and the signature of both sides.
    fn signs(&self, expected: &[ProjectivePoint]) {
        assert_eq!(self.session.key().plain(), &compressed(&self.values.q));
        let parts: Vec<_> = self.parts.iter().map(|part| part.unwrap_or([7; 32])).collect();
        let mut judged = parts.iter().zip(expected).enumerate();
        let all = judged.all(|(at, (part, expected))| self.agreed(part, at, expected));
        let signature = self.session.aggregate(&parts);
        assert_eq!(signature.is_ok(), all);
        if let Ok(signature) = signature {
            assert_eq!(signature, self.context.aggregate(&self.values, &parts).unwrap());
            let key = k256::schnorr::VerifyingKey::from_slice(self.session.key().x_only()).unwrap();
            let signature = k256::schnorr::Signature::from_slice(&signature).unwrap();
            key.verify_raw(&self.context.message, &signature).unwrap();
        }
    }
}

#[test]
fn shares_are_judged_as_by_the_drafts_equations() {
    let groups = [
        Group::new(2, &[1, 2, 3], 11),
        Group::new(2, &[1, 4, 7], 12),
        Group::new(3, &[2, 3, 5, 128], 13),
        Group::new(2, &[1, 2], 14),
    ];
    let mut random = Lcg(15);
    let (mut judged, mut right) = (0, 0);
    for round in 0..96 {
        let lie = LIES[round / groups.len() % LIES.len()];
        let case = Case::new(&groups[round % groups.len()], lie, &mut random);
        let expected = case.expected();
        for (at, expected) in expected.iter().enumerate() {
            for share in case.shares(at, &mut random) {
                judged += 1;
                right += usize::from(case.agreed(&share, at, expected));
            }
        }
        case.signs(&expected);
    }
    assert!(judged > 2000 && right > 200, "{judged} judged, {right} right");
}
