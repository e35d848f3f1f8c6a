//! Envelopes, directories and answers to challenges.

use std::sync::OnceLock;

use ed25519_dalek::{Signer, SigningKey};
use hpke::inout::InOutBuf;
use hpke::{Kem, Serializable};
use quorate_envelope::{
    Author, Challenge, ChallengeBounds, Challenges, Check, Directory, Envelope, Header, Identity,
    Member, Name, Opener, Rotation, SenderDirectory, TrustedDirectory,
};
use quorate_session::container::{HEADER, Kind, Label, NO_CURVE, without_digest};
use quorate_session::{PartyId, Transcript};
use quorate_testkit::rng;

use crate::decoders::strict;
use crate::seeds::Seed;

type X25519 = hpke::kem::X25519HkdfSha256;

const KIND: u16 = 7;
const BOUNDS: ChallengeBounds = ChallengeBounds { lifetime: 10, total: 8, each: 8 };

/// Two members and an administrator.
struct World {
    n1: Identity,
    n2: Identity,
    administrator: Identity,
    directory: TrustedDirectory,
    /// The second version, which the administrator has signed.
    next: Directory,
    rotation: Rotation,
}

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn identity(text: &str, seed: u8) -> Identity {
    Identity::from_seed(name(text), &[seed; 32])
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let [n1, n2, administrator] =
            [("n1", 1), ("n2", 2), ("a", 3)].map(|(text, seed)| identity(text, seed));
        let member = |of: &Identity| Member::new(of.name().clone(), of.public().clone());
        let first = Directory::first(name("fuzz"))
            .threshold(1)
            .administrator(administrator.name(), administrator.public())
            .member(member(&n1).with_party(PartyId::new(1).expect("not 0")))
            .member(member(&n2))
            .finish()
            .expect("a directory");
        let rotation = Rotation::announce(&name("fuzz"), &n1, identity("n1", 9).public());
        let next = first.next_version().rotate(&rotation).finish().expect("a directory");
        let id = first.id();
        let directory = TrustedDirectory::confirm(first, id).expect("the same");
        let directory = directory.record(|_| Ok::<(), ()>(())).expect("recorded");
        World {
            next: next.sign(&administrator).unwrap(),
            n1,
            n2,
            administrator,
            directory,
            rotation,
        }
    })
}

fn keys(seed: u8) -> (SigningKey, [u8; 32]) {
    let mut transcript = Transcript::new("envelope identity");
    transcript.append("seed", &[seed; 32]);
    let keys = transcript.finish();
    let half = |at: usize| keys[at..at + 32].try_into().expect("32 bytes");
    (SigningKey::from_bytes(&half(0)), half(32))
}

fn sign(bytes: &[u8]) -> Vec<u8> {
    let mut transcript = Transcript::new("envelope signature");
    transcript.append("deployment", b"fuzz");
    transcript.append("envelope", bytes);
    [bytes, &keys(1).0.sign(&transcript.finish()).to_bytes()].concat()
}

/// An honest header from n1 to n2.
fn header() -> Vec<u8> {
    let sealed = seal(&[b""]);
    let header = Header::peek(&sealed).expect("an envelope");
    let names = header.sender.name.as_str().len() + header.recipient.name.as_str().len();
    sealed[..4 + 1 + 3 + 2 + 40 + names + 2 * 17 + 1].to_vec()
}

fn seal(messages: &[&[u8]]) -> Vec<u8> {
    let (world, to) = (world(), name("n2"));
    let envelope = Envelope::to(&to, KIND).messages(messages.iter().copied());
    envelope.seal(&world.n1, &world.directory, &mut rng(1)).expect("sealed")
}

/// A list of messages under n1's seal and signature, whatever it is.
fn seal_list(list: &[u8]) -> Vec<u8> {
    let (header, mut content) = (header(), list.to_vec());
    let (_, recipient) = X25519::derive_keypair(&keys(2).1);
    let (encapsulated, tag) = hpke::single_shot_seal_inout_detached_with_rng::<
        hpke::aead::ChaCha20Poly1305,
        hpke::kdf::HkdfSha256,
        X25519,
    >(
        &hpke::OpModeS::Base,
        &recipient,
        b"quorate envelope 1 fuzz",
        InOutBuf::from(content.as_mut_slice()),
        &header,
        &mut rng(2),
    )
    .expect("a good key");
    sign(&[&header[..], &encapsulated.to_bytes(), &content, &tag.to_bytes()].concat())
}

/// The first byte chooses: an envelope as it is, one that n1 signs, or a list that n1 seals and signs.
pub(crate) fn open(data: &[u8]) -> bool {
    let Some((what, rest)) = data.split_first() else { return false };
    let envelope = match what % 3 {
        0 => rest.to_vec(),
        1 => sign(rest),
        _ => seal_list(rest),
    };
    let world = world();
    match Opener::new(&world.n2, &world.directory).open(&envelope) {
        Ok(opened) => {
            assert_eq!(opened.sender(), world.n1.name());
            assert_eq!(opened.header.recipient.name, *world.n2.name());
            assert_eq!(Header::peek(&envelope).as_ref(), Some(&opened.header));
            let same = opened.header.directory == world.directory.id();
            assert_eq!(same, opened.sender_directory == SenderDirectory::Same);
            let messages = opened.replayable();
            if what % 3 == 2 {
                // One encoding for each list.
                let count = u32::try_from(messages.len()).expect("few").to_be_bytes();
                let each = messages.iter().flat_map(|message| {
                    let length = u32::try_from(message.len()).expect("short").to_be_bytes();
                    [&length[..], message].concat()
                });
                assert_eq!(count.into_iter().chain(each).collect::<Vec<_>>(), rest);
            }
            true
        }
        Err(error) => {
            // A list under an honest seal is refused as a list, by the name of its author.
            assert!(
                what % 3 != 2 || (error.check == Check::List && error.author() == Author::Sender)
            );
            false
        }
    }
}

fn label(code: u8) -> Label {
    let kind = Kind { code, name: "an object of quorate-envelope", version: 1 };
    Label { kind, curve: NO_CURVE, family: "quorate-envelope", family_code: 0 }
}

/// The first byte chooses: a directory or a rotation, and whether its length and digest are made to fit.
pub(crate) fn directory(data: &[u8]) -> bool {
    let Some((what, rest)) = data.split_first() else { return false };
    let code = if what & 2 == 0 { 120 } else { 122 };
    let bytes = if what & 1 == 1 {
        rest.to_vec()
    } else {
        if without_digest(rest).is_none() {
            return false;
        }
        label(code).altered(rest, |_| {})
    };
    if code == 120 { is_directory(&bytes) } else { is_rotation(&bytes) }
}

fn is_directory(bytes: &[u8]) -> bool {
    let Some(directory) = strict(bytes, Directory::from_bytes, Directory::to_bytes) else {
        return false;
    };
    let world = world();
    assert_eq!(directory.id().version(), directory.version());
    let honest = [world.directory.id(), world.next.id()].contains(&directory.id());
    let trusted = world.directory.update(directory.clone()).is_ok();
    assert!(!trusted || directory.id() == world.next.id(), "nobody has signed it");
    // Behind the administrator's own signature it is an update, or is refused for what it says.
    drop(world.directory.update(directory.clone().sign(&world.administrator).unwrap()));
    if !honest {
        assert!(TrustedDirectory::confirm(directory.clone(), world.next.id()).is_err());
    }
    assert!(directory.next_version().finish().is_ok() || directory.version() == u64::MAX);
    true
}

fn is_rotation(bytes: &[u8]) -> bool {
    let Some(rotation) = strict(bytes, Rotation::from_bytes, Rotation::to_bytes) else {
        return false;
    };
    let world = world();
    let applied = world.directory.directory().next_version().rotate(&rotation).finish();
    assert_eq!(applied.is_ok(), rotation == world.rotation);
    true
}

/// An envelope of n1 that answers whatever it takes for a challenge of n2 is fresh if n2 has issued that, and once.
pub(crate) fn answer(data: &[u8]) -> bool {
    let world = world();
    let mut challenges = Challenges::new(BOUNDS);
    let issued = challenges.issue(world.n1.name(), KIND, 0, &mut rng(5)).expect("room");
    drop(challenges.issue(world.n2.name(), KIND, 0, &mut rng(6)));
    let third = challenges.issue(world.n1.name(), KIND + 1, 0, &mut rng(7)).expect("room");
    let Ok(challenge) = Challenge::from_bytes(world.n2.name(), data) else { return false };
    let to_others = challenge.addressee != *world.n1.name();
    let sealed =
        Envelope::answer(challenge).message(b"x").seal(&world.n1, &world.directory, &mut rng(8));
    let Ok(sealed) = sealed else {
        assert!(to_others);
        return true;
    };
    let mut fresh = || {
        let opened = Opener::new(&world.n2, &world.directory).open(&sealed).expect("honest");
        opened.fresh(&mut challenges, 1).is_ok()
    };
    assert_eq!(fresh(), data == issued || data == third);
    assert!(!fresh(), "accepted twice");
    true
}

/// Valid inputs.
pub(crate) fn seeds() -> Vec<Seed> {
    let world = world();
    let mut seeds = Vec::new();
    let mut add = |target, name: &str, parts: &[&[u8]]| {
        seeds.push(Seed { target, name: name.into(), bytes: parts.concat() });
    };
    let envelopes: [(&str, &[&[u8]]); 3] =
        [("one", &[b"a"]), ("two", &[b"ab", b""]), ("empty", &[b""])];
    for (part, messages) in envelopes {
        let sealed = seal(messages);
        add("envelope_open", part, &[&[0], &sealed]);
        add("envelope_open", &format!("{part}_signed"), &[&[1], &sealed[..sealed.len() - 64]]);
    }
    add("envelope_open", "list", &[&[2], b"\0\0\0\x02\0\0\0\x01a\0\0\0\0"]);
    let first = world.directory.directory();
    let alone = Directory::first(name("x")).finish().expect("a directory");
    for (part, directory) in [("first", first), ("next", &world.next), ("alone", &alone)] {
        add("envelope_directory", &format!("{part}_fitting"), &[&[0], &directory.to_bytes()]);
        add("envelope_directory", part, &[&[1], &directory.to_bytes()]);
    }
    add("envelope_directory", "rotation_fitting", &[&[2], &world.rotation.to_bytes()]);
    add("envelope_directory", "rotation", &[&[3], &world.rotation.to_bytes()]);
    for (part, to, kind, seed) in [
        ("issued", "n1", KIND, 5),
        ("to_another", "n2", KIND, 6),
        ("of_another_kind", "n1", KIND + 1, 7),
        ("never_issued", "n1", KIND, 50),
        ("to_a_stranger", "n9", KIND, 51),
        ("of_kind_0", "n1", 0, 52),
        ("long_name", &"x".repeat(64), KIND, 53),
    ] {
        let mut challenges = Challenges::new(BOUNDS);
        let bytes = challenges.issue(&name(to), kind, 0, &mut rng(seed)).expect("room");
        add("envelope_answer", part, &[&bytes]);
    }
    seeds
}

/// Inputs that are refused: each differs from a valid one in one respect.
pub(crate) fn refused() -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |target, name: &str, bytes: Vec<u8>| {
        seeds.push(Seed { target, name: name.into(), bytes });
    };
    let with = |bytes: &[u8], place: usize, byte: u8| {
        let mut bytes = bytes.to_vec();
        bytes[place] = byte;
        bytes
    };
    let sealed = [&[1], &seal(&[b"a"])[..]].concat();
    let sealed = &sealed[..sealed.len() - 64];
    add("envelope_open", "format", with(sealed, 5, 2));
    add("envelope_open", "version", with(sealed, 6, 2));
    add("envelope_open", "recipient", with(sealed, 72, b'9'));
    add("envelope_open", "tag", with(sealed, sealed.len() - 1, sealed[sealed.len() - 1] ^ 1));
    add("envelope_open", "trailing", [&[2], &b"\0\0\0\x01\0\0\0\x01ab"[..]].concat());
    add("envelope_open", "no_message", vec![2, 0, 0, 0, 0]);
    let alone = Directory::first(name("x")).finish().expect("a directory").to_bytes();
    let alone = [&[0], &alone[..]].concat();
    add("envelope_directory", "version_0", with(&alone, 1 + HEADER + 2 + 7, 0));
    add("envelope_directory", "threshold", with(&alone, 1 + HEADER + 10, 1));
    add("envelope_directory", "capital", with(&alone, 1 + HEADER + 1, b'X'));
    add("envelope_answer", "version", [&[2][..], &[0; 34], b"\x02n1"].concat());
    add("envelope_answer", "trailing", [&[1][..], &[0; 34], b"\x02n1x"].concat());
    seeds
}
