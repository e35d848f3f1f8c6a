//! Trust in a directory: the first, later ones, and none that is older. Rotation and revocation of keys.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use quorate_envelope::*;
use quorate_testkit::rng;

/// The records of a node: an id that no backup restores, and the bytes beside it.
#[derive(Default)]
struct Disk {
    id: Option<DirectoryId>,
    directory: Vec<u8>,
}

impl Disk {
    fn write(&mut self, record: &TrustRecord) -> Result<(), &'static str> {
        if self.id != record.replaces {
            return Err("another id is recorded");
        }
        (self.id, self.directory) = (Some(record.id), record.directory.clone());
        Ok(())
    }

    fn reopen(&self) -> Result<TrustedDirectory, TrustError> {
        TrustedDirectory::reopen(&self.directory, self.id.unwrap())
    }
}

fn next(directory: &Directory) -> Directory {
    directory.next_version().remove(&name("gw")).finish().unwrap()
}

fn refused(result: Result<NewDirectory, TrustError>) -> TrustError {
    result.unwrap_err()
}

#[test]
fn a_first_directory_is_trusted_if_it_is_the_one_that_operators_have_compared() {
    let mut disk = Disk::default();
    let (one, other) = (directory(), next(&directory()));
    let error = refused(TrustedDirectory::confirm(other.clone(), one.id()));
    assert_eq!(error, TrustError::OtherDirectory { expected: one.id(), got: other.id() });
    let new = TrustedDirectory::confirm(one.clone(), one.id()).unwrap();
    assert_eq!((new.id(), new.directory()), (one.id(), &one));
    let trusted = new.record(|record| disk.write(record)).unwrap();
    assert_eq!((trusted.id(), disk.reopen().unwrap().directory()), (one.id(), &one));
}

#[test]
fn a_directory_that_cannot_be_recorded_is_not_trusted() {
    let mut disk = Disk::default();
    let one = directory();
    let confirm = || TrustedDirectory::confirm(one.clone(), one.id()).unwrap();
    let trusted = confirm().record(|record| disk.write(record)).unwrap();
    let two = signed(next(&one));
    trusted.update(two.clone()).unwrap().record(|record| disk.write(record)).unwrap();
    // A start from the configuration of the first day does not overwrite what the update has recorded.
    let error = confirm().record(|record| disk.write(record)).unwrap_err();
    assert_eq!((error, disk.id), ("another id is recorded", Some(two.id())));
}

#[test]
fn a_later_version_needs_the_signatures_of_the_threshold() {
    let trusted = trusted(directory());
    let two = next(trusted.directory());
    let [first, second, third] = [1, 2, 3].map(administrator);
    let too_few = |got| TrustError::TooFewSignatures { needed: 2, got };
    assert_eq!(refused(trusted.update(two.clone())), too_few(0));
    assert_eq!(refused(trusted.update(two.clone().sign(&first).unwrap())), too_few(1));
    // One administrator who signs twice is one.
    assert_eq!(
        refused(trusted.update(two.clone().sign(&first).unwrap().sign(&first).unwrap())),
        too_few(1)
    );
    assert_eq!(too_few(1).to_string(), "expected the signatures of 2 administrators, got 1");
    for pair in [[&first, &second], [&first, &third], [&third, &second]] {
        let signed = pair.into_iter().fold(two.clone(), |two, one| two.sign(one).unwrap());
        assert_eq!(recorded(trusted.update(signed).unwrap()).id(), two.id());
    }
    // Members, strangers, and administrators with another key are none.
    for other in [identity("n1", 1), identity("stranger", 1), identity("admin3", 77)] {
        let signed = signed(two.clone()).sign(&other).unwrap();
        assert_eq!(refused(trusted.update(signed)), TrustError::Signature(other.name().clone()));
    }
    // Signatures of another directory, also of the same version.
    let other = trusted.directory().next_version().remove(&name("n1")).finish().unwrap();
    let bytes = [signed(two.clone()), signed(other)].map(|directory| directory.to_bytes());
    let signatures = 1 + 2 * (1 + 6 + 64);
    let [two, other] = bytes.map(|bytes| bytes[12..bytes.len() - 32].to_vec());
    let mixed = [&two[..two.len() - signatures], &other[other.len() - signatures..]].concat();
    let label = quorate_session::container::Label {
        kind: quorate_session::container::Kind { code: 120, name: "", version: 1 },
        curve: quorate_session::container::NO_CURVE,
        family: "quorate-envelope",
        family_code: 0,
    };
    let mut container = label.start(mixed.len());
    container.extend_from_slice(&mixed);
    let mixed = Directory::from_bytes(&label.end_public(container)).unwrap();
    assert_eq!(refused(trusted.update(mixed)), TrustError::Signature(name("admin1")));
}

#[test]
fn an_older_directory_is_refused_and_another_of_the_same_version_is_a_fork() {
    let one = trusted(directory());
    let two = signed(next(one.directory()));
    let three = signed(two.next_version().remove(&name("n3")).finish().unwrap());
    // A node that has missed version 2 takes version 3, and then never version 2.
    let node = recorded(one.update(three.clone()).unwrap());
    let rollback = TrustError::Rollback { trusted: 3, got: 2 };
    assert_eq!(refused(node.update(two.clone())), rollback);
    assert_eq!(refused(node.update_by_hand(two.clone(), two.id())), rollback);
    assert_eq!(
        rollback.to_string(),
        "expected a directory after version 3, which is trusted, got version 2"
    );
    assert_eq!(refused(node.update(three.clone())), TrustError::AlreadyTrusted);
    let other = signed(two.next_version().remove(&name("n2")).finish().unwrap());
    let fork = TrustError::Fork { trusted: three.id(), got: other.id() };
    assert_eq!(refused(node.update(other)), fork);
}

#[test]
fn a_restored_directory_is_refused_by_the_recorded_id() {
    let mut disk = Disk::default();
    let one = directory();
    let new = TrustedDirectory::confirm(one.clone(), one.id()).unwrap();
    let trusted = new.record(|record| disk.write(record)).unwrap();
    let backup = disk.directory.clone();
    let two = signed(next(&one));
    trusted.update(two.clone()).unwrap().record(|record| disk.write(record)).unwrap();
    disk.directory = backup;
    assert_eq!(disk.reopen().unwrap_err(), TrustError::Rollback { trusted: 2, got: 1 });
    // Bytes ahead of the id, as a crash between the two leaves them, and bytes of no directory.
    disk.directory = two.next_version().finish().unwrap().to_bytes();
    assert!(matches!(disk.reopen(), Err(TrustError::OtherDirectory { .. })));
    disk.directory.clear();
    assert!(matches!(disk.reopen(), Err(TrustError::Directory(_))));
}

#[test]
fn other_administrators_and_deployments_are_confirmed_by_hand_or_not_at_all() {
    let one = trusted(directory());
    let other = one.directory().next_version();
    let other = other.administrator(&name("admin4"), identity("x", 60).public()).finish().unwrap();
    let lower = one.directory().next_version().threshold(1).finish().unwrap();
    for changed in [&other, &lower] {
        let error = refused(one.update(signed(changed.clone())));
        assert_eq!(error, TrustError::OtherAdministrators);
        let by_hand = recorded(one.update_by_hand(changed.clone(), changed.id()).unwrap());
        assert_eq!(by_hand.id(), changed.id());
        assert!(matches!(
            refused(one.update_by_hand(changed.clone(), one.id())),
            TrustError::OtherDirectory { .. }
        ));
    }
    // Without administrators there is no other way.
    let none = one.directory().next_version().without_administrators().finish().unwrap();
    let none = recorded(one.update_by_hand(none.clone(), none.id()).unwrap());
    let later = none.directory().next_version().finish().unwrap();
    assert_eq!(refused(none.update(signed(later.clone()))), TrustError::NoAdministrators);
    assert!(none.update_by_hand(later.clone(), later.id()).is_ok());
    // A directory of another deployment that the same administrators run.
    let mut staging = Directory::first(name("staging")).threshold(2);
    for number in 1..=3 {
        let administrator = administrator(number);
        staging = staging.administrator(administrator.name(), administrator.public());
    }
    let staging = signed(staging.finish().unwrap().next_version().finish().unwrap());
    assert_eq!(refused(one.update(staging)), TrustError::OtherDeployment(name("staging")));
}

/// A world in which n1 rotates to new keys.
struct Rotating {
    world: World,
    next: Identity,
    rotation: Rotation,
    rotated: TrustedDirectory,
}

fn rotating() -> Rotating {
    let world = World::new();
    let next = identity("n1", 51);
    let rotation = Rotation::announce(&name("test"), &world.n1, next.public());
    let rotation = Rotation::from_bytes(&rotation.to_bytes()).unwrap();
    let draft = world.directory.directory().next_version().rotate(&rotation);
    let rotated = world.directory.update(signed(draft.finish().unwrap())).unwrap();
    Rotating { world, next, rotation, rotated: recorded(rotated) }
}

fn seal(from: &Identity, directory: &TrustedDirectory, to: &str) -> Vec<u8> {
    let to = name(to);
    Envelope::to(&to, FRAME).message(b"x").seal(from, directory, &mut rng(1)).unwrap()
}

#[test]
fn both_keys_are_accepted_during_a_rotation_and_one_after_it() {
    let Rotating { world, next, rotated, .. } = rotating();
    let open = |directory: &TrustedDirectory, envelope: &[u8]| {
        Opener::new(&world.n2, directory).open(envelope)
    };
    let (old, new) = (seal(&world.n1, &world.directory, "n2"), seal(&next, &rotated, "n2"));
    let opened = open(&rotated, &old).unwrap();
    assert_eq!(
        (opened.sender(), opened.sender_directory),
        (&name("n1"), SenderDirectory::Older(1))
    );
    assert_eq!(opened.header.sender.key, world.n1.id());
    assert_eq!(open(&rotated, &new).unwrap().sender_directory, SenderDirectory::Same);
    // A node that has not had the update yet is told why.
    let check = Check::SenderKey { key: next.id(), claimed: 2, ours: 1 };
    assert_eq!(open(&world.directory, &new).unwrap_err().check, check);
    // The end of the rotation: the old key is refused at once, by name, and cannot be used by mistake.
    let end = rotated.directory().next_version().end_rotation(&name("n1")).finish().unwrap();
    let ended = recorded(rotated.update(signed(end)).unwrap());
    let error = open(&ended, &old).unwrap_err();
    assert_eq!(error.check, Check::SenderKey { key: world.n1.id(), claimed: 1, ours: 3 });
    assert_eq!(error.sender, Some(name("n1")));
    assert!(open(&ended, &new).is_ok());
    let to = name("n2");
    let sealed = Envelope::to(&to, FRAME).message(b"x").seal(&world.n1, &ended, &mut rng(1));
    assert!(matches!(sealed, Err(Unsealable::OtherKeys(_))));
}

#[test]
fn a_recipient_opens_under_both_keys_while_it_has_them() {
    let Rotating { world, next, rotated, .. } = rotating();
    let (old, new) = (seal(&world.n2, &world.directory, "n1"), seal(&world.n2, &rotated, "n1"));
    let both = Opener::new(&next, &rotated).with_other_keys(&world.n1);
    assert!(both.open(&old).is_ok() && both.open(&new).is_ok());
    // Before its own update has come, too.
    let early = Opener::new(&world.n1, &world.directory).with_other_keys(&next);
    assert_eq!(early.open(&new).unwrap().sender_directory, SenderDirectory::Newer(2));
    let error = Opener::new(&next, &rotated).open(&old).unwrap_err();
    assert_eq!(
        (error.check.clone(), error.author()),
        (Check::RecipientKey(world.n1.id()), Author::Sender)
    );
    // Keys of another name are not tried.
    let other = identity("n3", 1);
    let wrong = Opener::new(&next, &rotated).with_other_keys(&other).open(&old).unwrap_err();
    assert_eq!(wrong.check, Check::RecipientKey(world.n1.id()));
}

#[test]
fn a_revoked_key_is_refused_by_name() {
    let world = World::new();
    let envelope = world.seal(&world.n1, "n2", &[b"x"]);
    let next = identity("n1", 51);
    let draft = || world.directory.directory().next_version();
    let replaced = draft().replace(&name("n1"), next.public()).finish().unwrap();
    let replaced = recorded(world.directory.update(signed(replaced)).unwrap());
    let error = Opener::new(&world.n2, &replaced).open(&envelope).unwrap_err();
    assert_eq!(error.check, Check::SenderKey { key: world.n1.id(), claimed: 1, ours: 2 });
    assert!(
        error.to_string().contains("in the name of n1")
            && error.to_string().contains("directory 2 has no key")
    );
    let removed = draft().remove(&name("n1")).finish().unwrap();
    let removed = recorded(world.directory.update(signed(removed)).unwrap());
    let error = Opener::new(&world.n2, &removed).open(&envelope).unwrap_err();
    assert_eq!((error.sender, error.check), (Some(name("n1")), Check::UnknownSender));
}

#[test]
fn a_rotation_needs_the_current_key_of_that_member_in_that_deployment() {
    let Rotating { world, next, rotation, rotated } = rotating();
    let refused = |directory: &Directory, rotation: &Rotation| {
        directory.next_version().rotate(rotation).finish().unwrap_err()
    };
    let first = world.directory.directory();
    // Applied already: the key that it replaces is not the current one any more.
    let again = DirectoryError::OtherRotation { name: name("n1"), replaces: world.n1.id() };
    assert_eq!(refused(rotated.directory(), &rotation), again);
    // For another deployment, in another member's name, under another key, with other next keys.
    let elsewhere = Rotation::announce(&name("other"), &world.n1, next.public());
    assert_eq!(refused(first, &elsewhere), again);
    let mut renamed = rotation.clone();
    renamed.name = name("n2");
    let other = DirectoryError::OtherRotation { name: name("n2"), replaces: world.n1.id() };
    assert_eq!(refused(first, &renamed), other);
    let mut stolen = rotation.clone();
    stolen.next = identity("x", 66).public().clone();
    assert_eq!(refused(first, &stolen), DirectoryError::RotationSignature(name("n1")));
    let mut forged = Rotation::announce(&name("test"), &identity("n1", 66), next.public());
    forged.replaces = world.n1.id();
    assert_eq!(refused(first, &forged), DirectoryError::RotationSignature(name("n1")));
    let unknown = Rotation::announce(&name("test"), &identity("n9", 66), next.public());
    assert_eq!(refused(first, &unknown), DirectoryError::UnknownMember(name("n9")));
    // To keys that somebody has.
    let shared = Rotation::announce(&name("test"), &world.n1, world.n2.public());
    assert!(matches!(refused(first, &shared), DirectoryError::SharedKey { .. }));
    // The first change that is not possible is the error.
    let draft = first.next_version().remove(&name("n8")).remove(&name("n9"));
    assert_eq!(draft.finish(), Err(DirectoryError::UnknownMember(name("n8"))));
    let bytes = rotation.to_bytes();
    for place in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[place] ^= 1;
        assert!(
            Rotation::from_bytes(&altered).is_err()
                && Rotation::from_bytes(&bytes[..place]).is_err()
        );
    }
}

#[test]
fn a_signature_beyond_the_most_administrators_is_refused() {
    let most = Administrators::MAX;
    let signed = (0..most).fold(next(&directory()), |directory, number| {
        directory.sign(&identity(&format!("a{number}"), 9)).unwrap()
    });
    // A full one is read again, and takes a second signature of the same name.
    assert_eq!(Directory::from_bytes(&signed.to_bytes()).as_ref(), Ok(&signed));
    assert_eq!(signed.clone().sign(&identity("a0", 9)).as_ref(), Ok(&signed));
    assert_eq!(signed.sign(&identity("one-more", 9)), Err(DirectoryError::TooMany));
}
