//! Three parties, a gateway and three administrators, and envelopes that are made here byte by byte.
#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use core::convert::Infallible;

use ed25519_dalek::{Signer, SigningKey};
use hpke::inout::InOutBuf;
use hpke::{Deserializable, Serializable};
use quorate_envelope::*;
use quorate_session::{PartyId, Transcript};
use quorate_testkit::rng;

pub const FRAME: u16 = 1;
pub const ORDER: u16 = 2;

pub fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

pub fn party(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// Keys that follow from a byte.
pub fn identity(text: &str, seed: u8) -> Identity {
    Identity::from_seed(name(text), &[seed; 32])
}

pub fn administrator(number: u8) -> Identity {
    identity(&format!("admin{number}"), 100 + number)
}

/// The first directory: n1, n2, n3, gw; two of three administrators.
pub fn directory() -> Directory {
    let mut draft = Directory::first(name("test")).threshold(2);
    for number in 1..=3 {
        let administrator = administrator(number);
        draft = draft.administrator(administrator.name(), administrator.public());
    }
    for number in 1..=3_u8 {
        let member =
            Member::new(name(&format!("n{number}")), identity("x", number).public().clone());
        draft = draft.member(member.with_party(party(number.into())));
    }
    draft.member(Member::new(name("gw"), identity("x", 9).public().clone())).finish().unwrap()
}

/// Trust in a directory, of a test that records nothing.
pub fn trusted(directory: Directory) -> TrustedDirectory {
    let id = directory.id();
    recorded(TrustedDirectory::confirm(directory, id).unwrap())
}

pub fn recorded(new: NewDirectory) -> TrustedDirectory {
    new.record(|_| Ok::<(), Infallible>(())).unwrap()
}

/// The next version, signed by two administrators.
pub fn signed(directory: Directory) -> Directory {
    directory.sign(&administrator(1)).unwrap().sign(&administrator(2)).unwrap()
}

pub struct World {
    pub n1: Identity,
    pub n2: Identity,
    pub n3: Identity,
    pub gw: Identity,
    pub directory: TrustedDirectory,
}

impl World {
    pub fn new() -> Self {
        Self {
            n1: identity("n1", 1),
            n2: identity("n2", 2),
            n3: identity("n3", 3),
            gw: identity("gw", 9),
            directory: trusted(directory()),
        }
    }

    pub fn seal(&self, from: &Identity, to: &str, messages: &[&[u8]]) -> Vec<u8> {
        let to = name(to);
        let envelope = Envelope::to(&to, FRAME).messages(messages.iter().copied());
        envelope.seal(from, &self.directory, &mut rng(7)).unwrap()
    }

    pub fn open(&self, me: &Identity, envelope: &[u8]) -> Result<Opened, EnvelopeError> {
        Opener::new(me, &self.directory).open(envelope)
    }

    pub fn check(&self, me: &Identity, envelope: &[u8]) -> Check {
        self.open(me, envelope).unwrap_err().check
    }
}

/// Messages without their wrappers.
pub fn plain(messages: &Messages) -> Vec<&[u8]> {
    messages.iter().map(|message| message.as_slice()).collect()
}

/// The two secret keys of a seed byte, derived here and not by the code under test.
fn keys(seed: u8) -> (SigningKey, [u8; 32]) {
    let mut transcript = Transcript::new("envelope identity");
    transcript.append("seed", &[seed; 32]);
    let keys = transcript.finish();
    (SigningKey::from_bytes(&keys[..32].try_into().unwrap()), keys[32..].try_into().unwrap())
}

/// Signs the bytes of an envelope as the holder of a seed byte does.
pub fn sign(seed: u8, bytes: &[u8]) -> Vec<u8> {
    let mut transcript = Transcript::new("envelope signature");
    transcript.append("deployment", b"test");
    transcript.append("envelope", bytes);
    let signature = keys(seed).0.sign(&transcript.finish());
    [bytes, &signature.to_bytes()].concat()
}

/// A header from n1 to n2, with directory 1, as bytes.
pub fn header(world: &World) -> Vec<u8> {
    let mut header = b"QRTV\x01\x01\x01\x01\0\x01".to_vec();
    header.extend_from_slice(&world.directory.id().to_bytes());
    for identity in [&world.n1, &world.n2] {
        header.extend_from_slice(b"\x02");
        header.extend_from_slice(identity.name().as_str().as_bytes());
        header.extend_from_slice(identity.id().as_bytes());
    }
    header.push(0);
    header
}

/// An envelope with this header for n2 that holds this list, signed by n1, made here and not by the code under test.
pub fn by_hand(header: &[u8], list: &[u8]) -> Vec<u8> {
    type Kem = hpke::kem::X25519HkdfSha256;
    let (_, recipient) = <Kem as hpke::Kem>::derive_keypair(&keys(2).1);
    let mut content = list.to_vec();
    let (encapsulated, tag) = hpke::single_shot_seal_inout_detached_with_rng::<
        hpke::aead::ChaCha20Poly1305,
        hpke::kdf::HkdfSha256,
        Kem,
    >(
        &hpke::OpModeS::Base,
        &recipient,
        b"quorate envelope 1 test",
        InOutBuf::from(content.as_mut_slice()),
        header,
        &mut rng(5),
    )
    .unwrap();
    sign(1, &[header, &encapsulated.to_bytes(), &content, &tag.to_bytes()].concat())
}

/// Opens an envelope for n2 with the keys of this file.
pub fn opened_by_hand(header: &[u8], envelope: &[u8]) -> Vec<u8> {
    type Kem = hpke::kem::X25519HkdfSha256;
    let (secret, _) = <Kem as hpke::Kem>::derive_keypair(&keys(2).1);
    let rest = &envelope[header.len()..envelope.len() - 64];
    assert_eq!(sign(1, &envelope[..envelope.len() - 64]), envelope);
    let (encapsulated, rest) = rest.split_at(32);
    let (content, tag) = rest.split_at(rest.len() - 16);
    let mut content = content.to_vec();
    hpke::single_shot_open_inout_detached::<
        hpke::aead::ChaCha20Poly1305,
        hpke::kdf::HkdfSha256,
        Kem,
    >(
        &hpke::OpModeR::Base,
        &secret,
        &<Kem as hpke::Kem>::EncappedKey::from_bytes(encapsulated).unwrap(),
        b"quorate envelope 1 test",
        InOutBuf::from(content.as_mut_slice()),
        header,
        &hpke::aead::AeadTag::from_bytes(tag).unwrap(),
    )
    .unwrap();
    content
}
