//! The messages whose encoding is measured, each in its two ways.

use quorate::Parties;
use quorate::frost::ed25519::{Coordinator, Dealing, SigningPackage};
use quorate_cggmp::keys::Family as _;
use quorate_cggmp::session::container::Kind;
use quorate_cggmp::session::frame::{Header, VERSION};
use quorate_cggmp::session::{PartyId, Round};
use quorate_cggmp::{Ecdsa, PartialSignature, Secp256k1};
use quorate_curve::Ed25519;
use quorate_sharing::{Commitment, Polynomial};

use crate::{MESSAGE, generator};

/// The name of the largest message, which peers encode too.
pub(super) const PACKAGE: &str = "package of all signers";
/// That of the message in the summary.
pub(super) const SHARE: &str = "share of a signature";

/// Makes a message's bytes.
type Fresh = Box<dyn Fn() -> Vec<u8>>;
/// Appends them to a buffer.
type Appended = Box<dyn Fn(&mut Vec<u8>)>;

/// A message: its bytes in a vector of their own, and in a buffer of the caller.
pub struct Message {
    /// The message in words.
    pub name: &'static str,
    /// Its bytes in a new vector.
    pub fresh: Fresh,
    /// Its bytes behind those of the buffer.
    pub into: Appended,
}

macro_rules! message {
    ($name:expr, $value:expr) => {{
        let value = std::rc::Rc::new($value);
        let again = std::rc::Rc::clone(&value);
        Message {
            name: $name,
            fresh: Box::new(move || value.to_bytes()),
            into: Box::new(move |out| again.encode_into(out)),
        }
    }};
}

/// All of them, for t signers.
#[must_use]
pub fn messages(t: u16) -> Vec<Message> {
    let mut all = signing(t);
    all.push(message!("share of an ECDSA signature", partial()));
    all.push(commitment(t));
    all.push(frame());
    all
}

/// The messages of a signature of FROST.
fn signing(t: u16) -> Vec<Message> {
    let parties = Parties::numbered(t).expect("a valid size");
    let mut rng = generator(2);
    let Dealing { shares, public } = Dealing::new(t, &parties, &mut rng).expect("a valid size");
    let signers: Vec<_> =
        shares.into_iter().map(|share| share.accept(t, &public).expect("honest")).collect();
    let (mut nonces, mut commitments) = (Vec::new(), Vec::new());
    for signer in &signers {
        let (secret, public) = signer.commit(&mut rng);
        nonces.push(secret);
        commitments.push((signer.id(), public.to_bytes()));
    }
    let first = signers[0].commit(&mut rng).1;
    let session = Coordinator::new(public).start(commitments, MESSAGE).expect("valid commitments");
    let package = SigningPackage::from_bytes(&session.package().to_bytes()).expect("valid bytes");
    let share = nonces.into_iter().next().map(|nonces| signers[0].sign(&package, nonces));
    let share = share.expect("a signer").expect("a valid package");
    vec![
        message!("commitments of a signer", first),
        message!(PACKAGE, package),
        message!(SHARE, share),
    ]
}

/// A share of a signature as it comes from a peer, with zeros in it: what it says plays no part here.
fn partial() -> PartialSignature<Secp256k1> {
    let kind = Kind { code: 37, name: "a share of a signature", version: 1 };
    let mut bytes = Vec::new();
    Ecdsa::<Secp256k1>::label(kind).encode_into(&mut bytes, 200, |body| {
        body.extend_from_slice(&1u16.to_be_bytes());
        body.extend_from_slice(&[0; 36 + 32 + 33 + 32 + 32]);
    });
    PartialSignature::from_bytes(&bytes).expect("a good form")
}

/// The commitment to a polynomial of t coefficients, as key generation sends it.
fn commitment(t: u16) -> Message {
    let polynomial =
        Polynomial::<Ed25519>::random(t, &mut generator(1)).expect("a generator that works");
    let commitment: Commitment<Ed25519> = polynomial.commit();
    let again = commitment.clone();
    Message {
        name: "commitment to a polynomial",
        fresh: Box::new(move || {
            let mut bytes = Vec::new();
            commitment.encode_into(&mut bytes);
            bytes
        }),
        into: Box::new(move |out| again.encode_into(out)),
    }
}

/// A frame around a body of 10 000 bytes, as in presigning.
fn frame() -> Message {
    let from = PartyId::new(1).expect("not zero");
    let header =
        Header { version: VERSION, code: 1, round: Round::FIRST, from, to: None, context: [7; 32] };
    let body = vec![9; 10_000];
    let again = body.clone();
    Message {
        name: "frame of a session, body of 10 kB",
        fresh: Box::new(move || header.frame(Some(&[3; 32]), &body)),
        into: Box::new(move |out| header.frame_into(out, Some(&[3; 32]), &again)),
    }
}
