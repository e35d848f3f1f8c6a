//! The messages whose encoding is measured, each in its two ways.

use std::rc::Rc;

use quorate::frost::ed25519::SigningPackage;
use quorate_cggmp::keys::Family as _;
use quorate_cggmp::session::container::Kind;
use quorate_cggmp::session::frame::{Header, VERSION};
use quorate_cggmp::session::{PartyId, Round};
use quorate_cggmp::{Ecdsa, Secp256k1, SignatureShare};
use quorate_curve::Ed25519;
use quorate_sharing::{Commitment, Polynomial};

use crate::ecdsa::Ledger;
use crate::generator;
use crate::report::committee::Committee;

/// The name of the largest message, which peers encode too.
pub(super) const PACKAGE: &str = "package of all signers";
/// The name of the message in the summary.
pub(super) const SHARE: &str = "share of a signature";

/// Appends a message's bytes to a buffer.
type Appended = Box<dyn Fn(&mut Vec<u8>)>;

/// A message: its bytes in a vector of their own, and in a buffer of the caller.
pub struct Message {
    /// The message in words.
    pub name: &'static str,
    /// Encodes the message in a new vector.
    pub fresh: Box<dyn Fn() -> Vec<u8>>,
    /// Appends the message to a buffer.
    pub into: Appended,
}

impl Message {
    /// The message of a value, in its two ways.
    fn new<T: 'static>(
        name: &'static str,
        value: T,
        fresh: impl Fn(&T) -> Vec<u8> + 'static,
        into: impl Fn(&T, &mut Vec<u8>) + 'static,
    ) -> Self {
        let value = Rc::new(value);
        let again = Rc::clone(&value);
        let fresh = Box::new(move || fresh(&value));
        Self { name, fresh, into: Box::new(move |out| into(&again, out)) }
    }
}

macro_rules! message {
    ($name:expr, $value:expr) => {
        Message::new($name, $value, |value| value.to_bytes(), |value, out| value.encode_into(out))
    };
}

/// The messages that are measured, for t signers.
#[must_use]
pub fn messages(t: u16) -> Vec<Message> {
    let mut all: Vec<Message> = signing(t).into();
    all.push(message!("share of an ECDSA signature", ecdsa_share()));
    all.push(commitment(t));
    all.push(frame());
    all
}

/// The messages of a signature of FROST.
fn signing(t: u16) -> [Message; 3] {
    let mut committee = Committee::new(t, t);
    let (nonces, session) = committee.start(&mut Ledger::timing());
    let package = SigningPackage::from_bytes(&session.package().to_bytes()).expect("valid bytes");
    let Committee { signers, rng, .. } = &mut committee;
    let share = nonces.into_iter().next().map(|nonces| signers[0].sign(&package, nonces));
    let share = share.expect("a signer").expect("a valid package");
    [
        message!("commitments of a signer", signers[0].commit(rng).1),
        message!(PACKAGE, package),
        message!(SHARE, share),
    ]
}

/// A share of a signature as it comes from a peer, with zeros in it: what it says plays no part here.
fn ecdsa_share() -> SignatureShare<Secp256k1> {
    let kind = Kind { code: 37, name: "a share of a signature", version: 1 };
    let sender = PartyId::new(1).expect("not zero");
    let mut bytes = Vec::new();
    Ecdsa::<Secp256k1>::label(kind).encode_into(&mut bytes, 200, |body| {
        body.extend_from_slice(&sender.get().to_be_bytes());
        body.extend_from_slice(&[0; 36 + 32 + 33 + 32 + 32]);
    });
    SignatureShare::from_bytes(sender, &bytes).expect("a good form")
}

/// The commitment to a polynomial of t coefficients, as key generation sends it.
fn commitment(t: u16) -> Message {
    let polynomial =
        Polynomial::<Ed25519>::random(t, &mut generator(1)).expect("a generator that works");
    let commitment: Commitment<Ed25519> = polynomial.commit();
    let fresh = |value: &Commitment<_>| {
        let mut bytes = Vec::new();
        value.encode_into(&mut bytes);
        bytes
    };
    let into = |value: &Commitment<_>, out: &mut _| value.encode_into(out);
    Message::new("commitment to a polynomial", commitment, fresh, into)
}

/// A frame around a body of 10 000 bytes, as in presigning.
fn frame() -> Message {
    let from = PartyId::new(1).expect("not zero");
    let header =
        Header { version: VERSION, code: 1, round: Round::FIRST, from, to: None, context: [7; 32] };
    let fresh = move |body: &Vec<u8>| header.frame(Some(&[3; 32]), body);
    let into = move |body: &Vec<u8>, out: &mut _| header.frame_into(out, Some(&[3; 32]), body);
    Message::new("frame of a session, body of 10 kB", vec![9; 10_000], fresh, into)
}
