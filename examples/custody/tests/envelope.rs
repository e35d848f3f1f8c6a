//! Envelopes, the directory, identities and versions: what is made opens, and everything else is refused by name.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use core::convert::Infallible;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use hpke::rand_core::{TryCryptoRng, TryRng};
use hpke::{Deserializable, Serializable};
use quorate::{PartyId, SealKey};
use quorate_custody::bus::{Kind, Peer, Route};
use quorate_custody::directory::{Directory, DirectoryError, Identity, PublicIdentity};
use quorate_custody::envelope::{
    Check, Dialects, EnvelopeError, Header, LONGEST, MOST, Opened, ROOM, Sealed, Unsealable,
    Versions, open, seal, seal_with_rng,
};
use quorate_examples::files::{fresh_name, hex};

const ROUTE: Route = Route { kind: Kind::Frame, shard: 3 };
const OURS: Versions = Versions::OURS;

fn node(number: u16) -> Peer {
    Peer::Node(PartyId::new(number).unwrap())
}

/// Keys that follow from a number.
fn identity(me: Peer, number: u8) -> Identity {
    let mut keys = [0; 96];
    for (place, byte) in (0_u8..).zip(keys.iter_mut()) {
        *byte = place.wrapping_mul(7) ^ number;
    }
    Identity::from_keys(me, &keys)
}

/// Three nodes and a gateway.
struct World {
    all: BTreeMap<Peer, Identity>,
    directory: Directory,
}

impl World {
    fn new() -> Self {
        let peers = [node(1), node(2), node(3), Peer::Gateway(1)];
        let all: BTreeMap<Peer, Identity> =
            peers.into_iter().zip(1..).map(|(me, number)| (me, identity(me, number))).collect();
        let public = all.iter().map(|(me, identity)| (*me, identity.public().unwrap()));
        let alice = SigningKey::from_bytes(&[9; 32]).verifying_key();
        let directory = Directory::new(public, [("alice".to_owned(), alice)]).unwrap();
        Self { all, directory }
    }

    fn seal(&self, from: Peer, to: Peer, messages: &[&[u8]]) -> Sealed {
        let messages: Vec<_> = messages.iter().map(|message| message.to_vec()).collect();
        seal(&self.all[&from], &self.directory, (to, ROUTE), (1, OURS), &messages).unwrap()
    }

    fn open(&self, me: Peer, bytes: &[u8]) -> Result<Opened, EnvelopeError> {
        open(&self.all[&me], &self.directory, OURS, bytes)
    }

    fn check(&self, me: Peer, bytes: &[u8]) -> Check {
        self.open(me, bytes).unwrap_err().check
    }
}

/// A generator of known bytes.
struct Counting(u8);

impl TryRng for Counting {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_be_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_be_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            *byte = self.0;
            self.0 = self.0.wrapping_add(1);
        }
        Ok(())
    }
}

impl TryCryptoRng for Counting {}

#[test]
fn what_is_sealed_opens_for_the_recipient() {
    let world = World::new();
    let long = vec![7; 100_000];
    let messages: [&[u8]; 4] = [b"one", b"", &long, b"one"];
    let sealed = world.seal(node(1), node(2), &messages);
    let opened = world.open(node(2), &sealed.bytes).unwrap();
    assert_eq!(opened.messages, messages);
    assert_eq!((opened.header.from, opened.header.to), (node(1), node(2)));
    assert_eq!((opened.header.route, opened.header.version), (ROUTE, 1));
    assert_eq!((opened.id, Header::peek(&sealed.bytes)), (sealed.id, Some(opened.header)));
    // To the broker two envelopes of one text are two texts.
    let again = world.seal(node(1), node(2), &messages);
    assert_ne!(again.id, sealed.id);
    assert!(!sealed.bytes.windows(50).any(|window| window == &long[..50]));
    // To a gateway, and to oneself.
    let sealed = world.seal(node(1), Peer::Gateway(1), &[b"x"]);
    assert_eq!(world.open(Peer::Gateway(1), &sealed.bytes).unwrap().messages, [b"x"]);
    let sealed = world.seal(node(1), node(1), &[b"x"]);
    assert_eq!(world.open(node(1), &sealed.bytes).unwrap().header.from, node(1));
}

#[test]
fn no_bit_can_be_altered_and_no_byte_left_out_or_added() {
    let world = World::new();
    let sealed = world.seal(node(1), node(2), &[b"pay", b"bob"]).bytes;
    let mut seen = Vec::new();
    for place in 0..sealed.len() {
        for bit in 0..8 {
            let mut altered = sealed.clone();
            altered[place] ^= 1 << bit;
            let check = world.check(node(2), &altered);
            let allowed = match place {
                0..4 => matches!(check, Check::Form),
                4..15 => matches!(check, Check::Form | Check::UnknownSender | Check::Signature),
                _ => check == Check::Signature,
            };
            assert!(allowed, "byte {place}, bit {bit}: {check:?}");
            seen.push(check);
        }
    }
    assert!(seen.contains(&Check::UnknownSender) && seen.contains(&Check::Form));
    for length in 0..sealed.len() {
        let check = world.check(node(2), &sealed[..length]);
        assert!(matches!(check, Check::Form | Check::Signature), "{length}: {check:?}");
    }
    assert_eq!(world.check(node(2), &[sealed.as_slice(), &[0]].concat()), Check::Signature);
    assert_eq!(world.check(node(2), &[&[0], sealed.as_slice()].concat()), Check::Form);
}

#[test]
fn senders_and_recipients_are_who_they_say() {
    let world = World::new();
    let sealed = world.seal(node(1), node(2), &[b"x"]).bytes;
    assert_eq!(world.check(node(3), &sealed), Check::Recipient(node(2)));
    assert_eq!(
        world.open(node(3), &sealed).unwrap_err().to_string(),
        "envelope of n1: it is for n2"
    );

    // Somebody else's signature under n1's name; and somebody who is not in the directory.
    let thief = Identity::from_keys(node(1), &[5; 96]);
    let forged = seal(&thief, &world.directory, (node(2), ROUTE), (1, OURS), &[b"x".to_vec()]);
    let refused = world.open(node(2), &forged.unwrap().bytes).unwrap_err();
    assert_eq!(refused, EnvelopeError { from: Some(node(1)), check: Check::Signature });
    assert_eq!(refused.to_string(), "envelope of n1: its signature does not verify");
    let stranger = identity(node(9), 9);
    let forged = seal(&stranger, &world.directory, (node(2), ROUTE), (1, OURS), &[b"x".to_vec()]);
    assert_eq!(world.check(node(2), &forged.unwrap().bytes), Check::UnknownSender);

    // n3 takes n1's text for its own, or sends it on: under its own signature.
    let resigned = |from: Peer, to: Peer, signer: Peer| {
        let mut bytes = sealed[..sealed.len() - 64].to_vec();
        let peer = |peer: Peer| match peer {
            Peer::Node(party) => [1, 0, u8::try_from(party.get()).unwrap()],
            Peer::Gateway(number) => [2, 0, u8::try_from(number).unwrap()],
        };
        bytes[9..12].copy_from_slice(&peer(from));
        bytes[12..15].copy_from_slice(&peer(to));
        sign(&world, signer, bytes)
    };
    assert_eq!(resigned(node(1), node(2), node(1)), sealed);
    assert_eq!(world.check(node(2), &resigned(node(3), node(2), node(3))), Check::Seal);
    assert_eq!(world.check(node(3), &resigned(node(1), node(3), node(1))), Check::Seal);

    // The signature is verified before anything is opened.
    let mut both = sealed.clone();
    both[50] ^= 1;
    assert_eq!(world.check(node(2), &both), Check::Signature);
    assert_eq!(
        world.check(node(2), &sign(&world, node(1), both[..both.len() - 64].to_vec())),
        Check::Seal
    );
}

fn sign(world: &World, signer: Peer, bytes: Vec<u8>) -> Vec<u8> {
    let text = [b"quorate custody envelope signature".as_slice(), &bytes].concat();
    let signature = world.all[&signer].signing().sign(&text);
    [bytes, signature.to_bytes().to_vec()].concat()
}

/// An envelope from n1 to n2 that holds this, made here and not by the code under test.
fn by_hand(world: &World, head: [u8; 15], plaintext: &[u8]) -> Vec<u8> {
    type Kem = hpke::kem::X25519HkdfSha256;
    let key = &world.directory.peer(node(2)).unwrap().sealing;
    let key = <Kem as hpke::Kem>::PublicKey::from_bytes(key).unwrap();
    let info = [b"quorate custody envelope".as_slice(), &[head[4]]].concat();
    let (encapsulated, sealed) = hpke::single_shot_seal_with_rng::<
        hpke::aead::ChaCha20Poly1305,
        hpke::kdf::HkdfSha256,
        Kem,
    >(
        &hpke::OpModeS::Base,
        &key,
        &info,
        plaintext,
        &head,
        &mut Counting(1),
    )
    .unwrap();
    sign(world, node(1), [head.as_slice(), &encapsulated.to_bytes(), &sealed].concat())
}

const HEAD: [u8; 15] = *b"QCEV\x01\x01\x01\x02\x03\x01\0\x01\x01\0\x02";

#[test]
fn only_whole_lists_are_read() {
    let world = World::new();
    let good = b"\0\0\0\x02\0\0\0\x01a\0\0\0\0";
    let opened = world.open(node(2), &by_hand(&world, HEAD, good)).unwrap();
    assert_eq!(opened.messages, [b"a".as_slice(), b""]);
    let many = u32::try_from(MOST + 1).unwrap().to_be_bytes();
    let lists: [&[u8]; 8] = [
        b"",
        b"\0\0\0\0",
        &good[..good.len() - 1],
        b"\0\0\0\x01\0\0\0\x01ab",
        b"\0\0\0\x01\xff\xff\xff\xffa",
        b"\xff\xff\xff\xff",
        b"\0\0\0\x03\0\0\0\x01a\0\0\0\0",
        &[many.as_slice(), &vec![0; 4 * (MOST + 1)]].concat(),
    ];
    for list in lists {
        assert_eq!(world.check(node(2), &by_hand(&world, HEAD, list)), Check::List, "{list:?}");
    }
}

#[test]
fn other_versions_kinds_and_peers_are_refused_by_name() {
    let world = World::new();
    let with = |place: usize, byte: u8| {
        let mut head = HEAD;
        head[place] = byte;
        world.check(node(2), &by_hand(&world, head, b"\0\0\0\x01\0\0\0\0"))
    };
    // Kinds, tags of peers, the peer of number 0, a version outside of its own range, ranges that are none.
    for (place, byte) in
        [(7, 0), (7, 4), (9, 0), (9, 3), (11, 0), (4, 2), (4, 0), (5, 0), (5, 2), (6, 0)]
    {
        assert_eq!(with(place, byte), Check::Form, "byte {place} is {byte}");
    }
    let mut newer = HEAD;
    (newer[4], newer[6]) = (2, 2);
    let newer = by_hand(&world, newer, b"\0\0\0\x01\0\0\0\0");
    let refused = world.open(node(2), &newer).unwrap_err();
    assert_eq!(refused.check, Check::Version { spoken: 2, ours: OURS });
    assert_eq!(
        refused.to_string(),
        "envelope of n1: it is in version 2, and versions 1 to 1 are understood"
    );
    // Who has left version 1 behind refuses it; the version is bound into the seal.
    let later = Versions::new(2, 3).unwrap();
    let old = by_hand(&world, HEAD, b"\0\0\0\x01\0\0\0\0");
    let refused = open(&world.all[&node(2)], &world.directory, later, &old).unwrap_err();
    assert_eq!(refused.check, Check::Version { spoken: 1, ours: later });
    assert!(open(&world.all[&node(2)], &world.directory, later, &newer).is_ok());
}

#[test]
fn sizes_are_bounded() {
    let world = World::new();
    let seal = |to, messages: &[Vec<u8>]| {
        let identity = &world.all[&node(1)];
        seal(identity, &world.directory, (to, ROUTE), (1, OURS), messages)
    };
    assert_eq!(seal(node(7), &[vec![]]), Err(Unsealable::Unknown(node(7))));
    for messages in [vec![], vec![vec![]; MOST + 1], vec![vec![0; ROOM - 3]]] {
        assert!(matches!(seal(node(2), &messages), Err(Unsealable::Size { .. })));
    }
    let most = seal(node(2), &vec![vec![]; MOST]).unwrap();
    assert_eq!(world.open(node(2), &most.bytes).unwrap().messages.len(), MOST);
    let longest = seal(node(2), &[vec![1; ROOM - 4]]).unwrap();
    assert!(longest.bytes.len() <= LONGEST);
    assert_eq!(world.open(node(2), &longest.bytes).unwrap().messages[0].len(), ROOM - 4);
    let refused = world.open(node(2), &vec![0; LONGEST + 1]).unwrap_err();
    assert_eq!(refused, EnvelopeError { from: None, check: Check::TooLong(LONGEST + 1) });
}

#[test]
fn the_bytes_of_an_envelope_are_known() {
    let world = World::new();
    let header = Header::peek(&HEAD).unwrap();
    let messages = [b"known".to_vec(), b"answer".to_vec()];
    let sealed =
        seal_with_rng(&world.all[&node(1)], &world.directory, &header, &messages, &mut Counting(1));
    let sealed = sealed.unwrap();
    let by_hand = by_hand(&world, HEAD, b"\0\0\0\x02\0\0\0\x05known\0\0\0\x06answer");
    assert_eq!(sealed.bytes, by_hand);
    // The digest of the directory, the envelope, and its name. QUORATE_BLESS=1 writes them anew.
    let found =
        [world.directory.digest().as_slice(), &sealed.bytes, &sealed.id].map(hex).join("\n");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/envelope.known");
    if std::env::var_os("QUORATE_BLESS").is_some() {
        fs::write(path, format!("{found}\n")).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap().trim(), found);
}

/// A node in an upgrade: what it understands, and what it has heard.
struct Speaker<'a>(&'a World, Peer, Dialects);

impl Speaker<'_> {
    fn say(&self, to: Peer) -> Sealed {
        let version = (self.2.version(to), self.2.ours());
        seal(&self.0.all[&self.1], &self.0.directory, (to, ROUTE), version, &[b"x".to_vec()])
            .unwrap()
    }

    /// The version of what was heard.
    fn hear(&mut self, sealed: &Sealed) -> Result<u8, Check> {
        match open(&self.0.all[&self.1], &self.0.directory, self.2.ours(), &sealed.bytes) {
            Ok(opened) => {
                self.2.heard(opened.header.from, opened.header.speaks);
                Ok(opened.header.version)
            }
            Err(EnvelopeError { from: Some(from), check: check @ Check::Version { .. } }) => {
                self.2.heard(from, Header::peek(&sealed.bytes).unwrap().speaks);
                Err(check)
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn nodes_are_upgraded_one_by_one_and_back() {
    let world = World::new();
    let speaker = |number, highest| {
        Speaker(&world, node(number), Dialects::new(Versions::new(1, highest).unwrap()))
    };
    let (mut old, mut new, mut other) = (speaker(1, 1), speaker(2, 2), speaker(3, 2));
    // Nobody has heard anybody: the first word is in the version that all understand.
    assert_eq!(old.hear(&new.say(node(1))), Ok(1));
    assert_eq!(new.hear(&old.say(node(2))), Ok(1));
    assert_eq!(other.hear(&new.say(node(3))), Ok(1));
    // The new ones speak the new version with each other, as soon as they know, and the old one with the old node.
    assert_eq!(new.hear(&other.say(node(2))), Ok(2));
    assert_eq!(other.hear(&new.say(node(3))), Ok(2));
    assert_eq!(old.hear(&new.say(node(1))), Ok(1));
    // The old one is replaced, and all speak the new version after a word of each.
    old = speaker(1, 2);
    assert_eq!(new.hear(&old.say(node(2))), Ok(1));
    assert_eq!(old.hear(&new.say(node(1))), Ok(2));
    assert_eq!(new.hear(&old.say(node(2))), Ok(2));
    // It is put back: what was said in the new version is refused by name, and said again in the old one.
    old = speaker(1, 1);
    let refused = Check::Version { spoken: 2, ours: OURS };
    assert_eq!(old.hear(&new.say(node(1))), Err(refused));
    assert_eq!(new.hear(&old.say(node(2))), Ok(1));
    assert_eq!(old.hear(&new.say(node(1))), Ok(1));
    // Nothing in common: the lowest is spoken, for the other to say why it refuses.
    let mut far = Speaker(&world, node(3), Dialects::new(Versions::new(3, 4).unwrap()));
    assert_eq!(far.hear(&old.say(node(3))), Err(Check::Version { spoken: 1, ours: far.2.ours() }));
    assert_eq!(far.2.version(node(1)), 3);
    assert_eq!((Versions::new(0, 1), Versions::new(2, 1)), (None, None));
}

#[test]
fn directories_are_written_and_read_and_their_digest_is_of_everything() {
    let world = World::new();
    let json = world.directory.to_json();
    let read = Directory::from_json(&json).unwrap();
    assert_eq!((read.digest(), &read), (world.directory.digest(), &world.directory));
    assert_eq!(read.peers().count(), 4);
    assert_eq!(read.requesters().map(|(name, _)| name).collect::<Vec<_>>(), ["alice"]);

    let peers = || world.directory.peers().map(|(peer, public)| (peer, public.clone()));
    let requesters = || world.directory.requesters().map(|(name, key)| (name.to_owned(), *key));
    let mut digests = vec![world.directory.digest()];
    let other = Identity::generate(node(1)).public().unwrap();
    for part in 0..3 {
        let with = |(peer, mut public): (Peer, PublicIdentity)| {
            match part {
                _ if peer != node(1) => {}
                0 => public.verifying = other.verifying,
                1 => public.sealing = other.sealing,
                _ => public.nkey.clone_from(&other.nkey),
            }
            (peer, public)
        };
        digests.push(Directory::new(peers().map(with), requesters()).unwrap().digest());
    }
    digests.push(Directory::new(peers().skip(1), requesters()).unwrap().digest());
    digests.push(Directory::new(peers(), []).unwrap().digest());
    let renamed = requesters().map(|(_, key)| ("bob".to_owned(), key));
    digests.push(Directory::new(peers(), renamed).unwrap().digest());
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 7);
}

#[test]
fn bad_directories_are_refused_by_name() {
    let world = World::new();
    let peers = || world.directory.peers().map(|(peer, public)| (peer, public.clone()));
    let alice = *world.directory.requester("alice").unwrap();
    let fresh = |me| (me, Identity::generate(me).public().unwrap());
    let refused = |peers: Vec<(Peer, PublicIdentity)>| Directory::new(peers, []).unwrap_err();

    let twice = peers().chain([fresh(node(2))]).collect();
    assert_eq!(refused(twice), DirectoryError::Twice("n2".into()));
    let mut shared: Vec<_> = peers().collect();
    shared[0].1.sealing = shared[1].1.sealing;
    assert_eq!(refused(shared), DirectoryError::SharedKey("n2".into()));
    // Points of small order, for which anybody can sign and open; a name at the broker that is none.
    let weak = VerifyingKey::from_bytes(
        &[1; 1].iter().chain(&[0; 31]).copied().collect::<Vec<_>>().try_into().unwrap(),
    )
    .unwrap();
    for change in [
        |public: &mut PublicIdentity, weak| public.verifying = weak,
        |public: &mut PublicIdentity, _| public.sealing = [0; 32],
        |public: &mut PublicIdentity, _| public.nkey = "UAAA".into(),
        |public: &mut PublicIdentity, _| public.nkey = nkeys::KeyPair::new_account().public_key(),
    ] {
        let mut bad: Vec<_> = peers().collect();
        change(&mut bad[2].1, weak);
        assert_eq!(refused(bad), DirectoryError::Key("n3".into()));
    }
    let requesters = |names: &[(&str, VerifyingKey)]| {
        let names = names.iter().map(|(name, key)| ((*name).to_owned(), *key));
        Directory::new(peers(), names.collect::<Vec<_>>()).unwrap_err()
    };
    for name in ["", "a b", "é", "a\n", &"a".repeat(65)] {
        assert_eq!(requesters(&[(name, alice)]), DirectoryError::Name(name.into()));
    }
    let bob = SigningKey::from_bytes(&[8; 32]).verifying_key();
    assert_eq!(requesters(&[("a", alice), ("a", bob)]), DirectoryError::Twice("a".into()));
    assert_eq!(requesters(&[("a", alice), ("b", alice)]), DirectoryError::SharedKey("b".into()));
    assert_eq!(requesters(&[("a", weak)]), DirectoryError::Key("a".into()));

    let json = world.directory.to_json();
    for (what, with) in [
        ("custody directory 1", "custody directory 2"),
        ("\"nkey\"", "\"key\""),
        ("\"name\": \"n1\"", "\"name\": \"n01\""),
        ("\"requesters\"", "\"more\": 1, \"requesters\""),
    ] {
        assert!(json.contains(what));
        assert!(Directory::from_json(&json.replacen(what, with, 1)).is_err(), "{with}");
    }
    let key = hex(alice.as_bytes());
    for other in
        [key.to_uppercase(), key[2..].to_owned(), format!("{key}00"), key.replace(&key[..1], "g")]
    {
        assert!(Directory::from_json(&json.replace(&key, &other)).is_err(), "{other}");
    }
    assert!(Directory::from_json("{").unwrap_err().to_string().starts_with("not a directory"));
}

/// A folder, removed in the end.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        let dir = std::env::temp_dir().join(fresh_name("quorate-custody-identity-"));
        fs::create_dir(&dir).unwrap();
        Self(dir)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

#[test]
fn identities_are_kept_in_private_files_under_a_seal() {
    let place = Place::new();
    let (key, other) = (SealKey::new([1; 32]), SealKey::new([2; 32]));
    let refusal =
        |path: &PathBuf, me, seal| Identity::read(me, path, seal).unwrap_err().to_string();

    let sealed = place.0.join("sealed");
    let made = Identity::make(node(1), &sealed, Some(&key)).unwrap();
    let read = Identity::read(node(1), &sealed, Some(&key)).unwrap();
    assert_eq!(read.public().unwrap(), made.public().unwrap());
    let bytes = fs::read(&sealed).unwrap();
    let secret = made.signing().to_bytes();
    assert!(!bytes.windows(32).any(|window| window == secret));
    assert!(refusal(&sealed, node(1), Some(&other)).contains("another seal, or altered"));
    assert!(refusal(&sealed, node(1), None).contains("no key for it"));
    assert!(refusal(&sealed, node(2), Some(&key)).contains("identity of another peer"));
    assert!(Identity::make(node(1), &sealed, Some(&key)).is_err());

    let clear = place.0.join("clear");
    let made = Identity::make(node(1), &clear, None).unwrap();
    assert_eq!(
        Identity::read(node(1), &clear, None).unwrap().public().unwrap(),
        made.public().unwrap()
    );
    assert!(refusal(&clear, node(1), Some(&key)).contains("not under a seal"));
    assert!(refusal(&clear, node(2), None).contains("identity of another peer"));
    for path in [&sealed, &clear] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    fs::set_permissions(&clear, fs::Permissions::from_mode(0o640)).unwrap();
    assert!(refusal(&clear, node(1), None).contains("others may read it"));

    for place in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[place] ^= 1;
        fs::write(&sealed, altered).unwrap();
        assert!(Identity::read(node(1), &sealed, Some(&key)).is_err(), "{place}");
    }
    fs::write(&sealed, b"QCUSTID1short").unwrap();
    assert!(refusal(&sealed, node(1), None).contains("too short"));
    fs::write(&sealed, b"").unwrap();
    assert!(refusal(&sealed, node(1), None).contains("not an identity"));
    // What is printed of one is its name.
    assert_eq!(format!("{made:?}"), "Identity(n1)");
    assert!(made.nkey_seed().unwrap().starts_with("SU"));
}

/// Thousands of envelopes that somebody has altered on their way: each is refused, by a check with a name.
#[test]
fn altered_envelopes_are_refused() {
    let world = World::new();
    let sealed = world.seal(node(1), node(2), &[b"one", b"another message"]).bytes;
    let other = world.seal(node(3), node(2), &[b"of somebody else"]).bytes;
    assert!(world.open(node(2), &sealed).is_ok());
    let mut state = 3_u64;
    let mut below = |of: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 33).unwrap().checked_rem(of).unwrap_or(0)
    };
    for _ in 0..3000 {
        let mut bytes = sealed.clone();
        let at = below(bytes.len());
        match below(4) {
            0 => bytes[at] ^= 1 << below(8),
            1 => bytes.truncate(at),
            2 => bytes.insert(at, u8::try_from(below(256)).unwrap()),
            _ => {
                let end = (at + 1 + below(100)).min(bytes.len()).min(other.len());
                let at = at.min(end);
                bytes[at..end].copy_from_slice(&other[at..end]);
            }
        }
        assert!(bytes == sealed || world.open(node(2), &bytes).is_err());
    }
}
