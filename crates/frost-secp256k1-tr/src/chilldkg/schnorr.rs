//! BIP-340's signatures, with its tags and with those of the proofs of possession.

use quorate_curve::{Curve, Secp256k1, Secret};
use quorate_declassify::declassify;
use quorate_frost::session::wire::joined;

use super::{Point, Scalar};
use crate::taproot::{Sign, tagged_bytes, tagged_hash, x_only};

/// The names of a signature's three hashes.
pub(super) struct Tags {
    aux: &'static str,
    nonce: &'static str,
    challenge: &'static str,
}

/// BIP-340's own.
pub(super) const BIP_340: Tags =
    Tags { aux: "BIP0340/aux", nonce: "BIP0340/nonce", challenge: "BIP0340/challenge" };

/// The tags of a proof of possession.
pub(super) const POSSESSION: Tags = Tags {
    aux: "BIP DKG/pop message/aux",
    nonce: "BIP DKG/pop message/nonce",
    challenge: "BIP DKG/pop message/challenge",
};

/// A signature, R ‖ s.
pub(super) type Signature = [u8; 64];

/// *Sign* of a message in parts. `None` for a hash that is zero, or if a fault has spoilt it: nothing then leaves.
pub(super) fn sign(
    tags: &Tags,
    secret: &Secret<Scalar>,
    message: &[&[u8]],
    random: &[u8; 32],
) -> Option<Signature> {
    // The public key.
    let key = declassify(Secp256k1::encode_point(&Secp256k1::mul_base(secret.expose())));
    let d = Secret::make(|| Sign::of_y(&key).scalar(*secret.expose()));
    let masked = Secret::make(|| {
        let mut masked = tagged_bytes(tags.aux, [random.as_slice()]);
        let d = Secp256k1::encode_scalar(d.expose());
        masked.iter_mut().zip(d).for_each(|(to, from)| *to ^= from);
        masked
    });
    let key = x_only(&key);
    let nonce = Secret::make(|| {
        let first = [masked.expose().as_slice(), key];
        tagged_hash(tags.nonce, first.into_iter().chain(message.iter().copied()))
    });
    // R is a part of the signature; its sign says nothing about d.
    let r = declassify(Secp256k1::encode_point(&Secp256k1::mul_base(nonce.expose())));
    let k = Secret::make(|| Sign::of_y(&r).scalar(*nonce.expose()));
    let e = challenge(tags, x_only(&r), key, message);
    let s = declassify(Secp256k1::encode_scalar(&(*k.expose() + e * *d.expose())));
    let signature = joined(&[x_only(&r), &s]);
    verify_vartime(tags, key, message, &signature).then_some(signature)
}

/// *Verify*, by an x-only key.
pub(super) fn verify_vartime(
    tags: &Tags,
    key: &[u8; 32],
    message: &[&[u8]],
    signature: &Signature,
) -> bool {
    let Some((r, s)) = signature.split_first_chunk::<32>() else { return false };
    let (Some(point), Some(lifted), Some(s)) =
        (lift_x(key), lift_x(r), Secp256k1::decode_scalar(s))
    else {
        return false;
    };
    Secp256k1::verify_vartime(&point, &lifted, &s, &challenge(tags, r, key, message))
}

fn challenge(tags: &Tags, r: &[u8; 32], key: &[u8; 32], message: &[&[u8]]) -> Scalar {
    let first = [r.as_slice(), key];
    tagged_hash(tags.challenge, first.into_iter().chain(message.iter().copied()))
}

/// The point with this x-coordinate and an even y-coordinate.
fn lift_x(x: &[u8; 32]) -> Option<Point> {
    Secp256k1::decode_point(&joined::<33>(&[&[2], x]))
}
