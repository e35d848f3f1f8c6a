//! Sessions that are not the share's: another key, sign, threshold or committee, in a list that is consistent in itself.

use k256::{ProjectivePoint, Scalar};
use quorate_frost_secp256k1_tr::bip445::{
    AggregateNonce, Error, PublicNonce, Session, SignatureShare, Signers, sign_deterministically,
};

use super::draft::{coefficient, compressed, point};
use super::group::{Group, negative};

const TEXT: &[u8] = b"for whom?";

/// The errors of the first signer of a group for a list, in both ways of signing.
fn answers(group: &Group, signers: &Signers) -> [Option<Error>; 2] {
    let (own, other) = (group.nonce(0, 1), group.nonce(1, 2));
    let sum = AggregateNonce::sum(&[*own.public(), *other.public()]).unwrap();
    let session = Session::new(signers, &sum, &[], TEXT).unwrap();
    let share = &group.shares[0];
    let alone = sign_deterministically(share, signers, Some(other.public()), &[], TEXT, None);
    [session.sign(share, own).err(), alone.err()]
}

/// Two signers and the key that their public shares make.
fn list(signers: [(u32, [u8; 33]); 2]) -> ([(u32, [u8; 33]); 2], [u8; 33]) {
    let ids = signers.map(|(id, _)| id);
    let weighted = signers.map(|(id, share)| point(&share).unwrap() * coefficient(&ids, id));
    (signers, compressed(&(weighted[0] + weighted[1])))
}

/// The public share of the second signer that makes this key with the first one's.
fn completed(first: (u32, [u8; 33]), second: u32, key: &[u8; 33]) -> (u32, [u8; 33]) {
    let ids = [first.0, second];
    let own = point(&first.1).unwrap() * coefficient(&ids, first.0);
    let rest = point(key).unwrap() - own;
    (second, compressed(&(rest * coefficient(&ids, second).invert().unwrap())))
}

#[test]
fn a_session_for_a_foreign_key_is_refused() {
    let group = Group::new(2, &[1, 2, 3], 1);
    let stranger = Group::new(2, &[1, 2, 3], 2);
    let foreign = Some(Error::ForeignKey);
    let secret = ProjectivePoint::GENERATOR * Scalar::from(77u64);
    for second in [stranger.listed(1).1, compressed(&secret)] {
        // The victim's own public share is right, and the list is consistent.
        let (signers, key) = list([group.listed(0), (1, second)]);
        let signers = Signers::from_untrusted_list(2, 3, &signers, &key).unwrap();
        assert_eq!(answers(&group, &signers), [foreign, foreign]);
    }
    let (signers, key) = list([stranger.listed(0), stranger.listed(1)]);
    assert_eq!(key, stranger.key());
    let signers = Signers::from_untrusted_list(2, 3, &signers, &key).unwrap();
    assert_eq!(answers(&group, &signers), [foreign, foreign]);
    // The key is right, and the share is another's.
    let other = (0, compressed(&secret));
    let signers = [other, completed(other, 1, &group.key())];
    let signers = Signers::from_untrusted_list(2, 3, &signers, &group.key()).unwrap();
    assert_eq!(answers(&group, &signers), [Some(Error::OtherShare); 2]);
}

#[test]
fn key_and_share_have_one_sign_or_nothing_is_signed() {
    let group = Group::new(2, &[2, 5], 3);
    let (id, own) = group.listed(0);
    for (key, share, expected) in [
        (group.key(), own, None),
        (negative(&group.key()), negative(&own), None),
        (group.key(), negative(&own), Some(Error::OtherShare)),
        (negative(&group.key()), own, Some(Error::OtherShare)),
    ] {
        let signers = [(id, share), completed((id, share), 4, &key)];
        let signers = Signers::from_untrusted_list(2, 5, &signers, &key).unwrap();
        assert_eq!(answers(&group, &signers), [expected; 2]);
    }
}

#[test]
fn another_threshold_or_number_of_parties_is_refused() {
    let group = Group::new(2, &[1, 2, 3], 4);
    let signers = [group.listed(0), group.listed(1)];
    for (threshold, parties, expected) in [
        (2, 3, None),
        (1, 3, Some(Error::ForeignCommittee)),
        (2, 2, Some(Error::ForeignCommittee)),
        (2, 4, Some(Error::ForeignCommittee)),
        (2, 128, Some(Error::ForeignCommittee)),
    ] {
        let signers =
            Signers::from_untrusted_list(threshold, parties, &signers, &group.key()).unwrap();
        assert_eq!(answers(&group, &signers), [expected; 2], "{threshold} of {parties}");
    }
}

#[test]
fn a_share_before_a_refresh_does_not_sign_with_the_list_after_it() {
    // The same key, another polynomial.
    let group = Group::new(2, &[1, 2, 3], 5);
    let moved = ProjectivePoint::GENERATOR * Scalar::from(9u64);
    let (_, own) = group.listed(0);
    let own = (0, compressed(&(point(&own).unwrap() + moved)));
    let signers = [own, completed(own, 1, &group.key())];
    let signers = Signers::from_untrusted_list(2, 3, &signers, &group.key()).unwrap();
    assert_eq!(answers(&group, &signers), [Some(Error::OtherShare); 2]);
}

#[test]
fn a_list_of_the_other_sign_gives_the_same_signature_as_its_own() {
    let group = Group::new(2, &[1, 2, 3], 6);
    let even = Signers::of(&group.public, group.shares[..2].iter().map(|one| one.id())).unwrap();
    let odd = even.for_key(&negative(&group.key())).unwrap();
    let part = |signers: &Signers| -> (PublicNonce, SignatureShare) {
        let (own, other) = (group.nonce(0, 1), group.nonce(1, 2));
        let public = *own.public();
        let sum = AggregateNonce::sum(&[public, *other.public()]).unwrap();
        let session = Session::new(signers, &sum, &[], TEXT).unwrap();
        (public, session.sign(&group.shares[0], own).unwrap())
    };
    assert_eq!(part(&even), part(&odd));
}
