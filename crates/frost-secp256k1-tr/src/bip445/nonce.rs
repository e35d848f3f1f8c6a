//! Nonces: one's own, and their sum.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secp256k1, Secret};
use quorate_frost::session::rand_core::CryptoRng;
use quorate_frost::session::wire::{bounded, joined, narrow, wide};
use quorate_frost::{KeyShare, KeySuite};
use zeroize::Zeroizing;

use super::error::Error;
use super::{Point, Scalar, Sign};
use crate::taproot::tagged_bytes;

/// A signer's public nonce, R_1 ‖ R_2 in compressed form: for the coordinator.
pub type PublicNonce = [u8; 66];

/// The data that is mixed into a nonce besides the share and the generator's bytes, if it is known when the nonce is
/// made. It is a last defence against a generator that repeats itself.
#[derive(Clone, Copy, Default, Debug)]
pub struct NonceInputs<'a> {
    key: Option<&'a [u8; 32]>,
    message: Option<&'a [u8]>,
    extra: &'a [u8],
    /// The length of `extra`.
    length: u32,
}

impl<'a> NonceInputs<'a> {
    /// Adds the x-only key that will sign, tweaked: 32 bytes.
    #[must_use]
    pub const fn with_key(self, key: &'a [u8; 32]) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Adds the message.
    #[must_use]
    pub const fn with_message(self, message: &'a [u8]) -> Self {
        Self { message: Some(message), ..self }
    }

    /// Adds anything that changes from session to session.
    ///
    /// # Errors
    /// [`Error::ExtraTooLong`] for more than 2^32 − 1 bytes.
    pub fn with_extra(self, extra: &'a [u8]) -> Result<Self, Error> {
        Ok(Self { extra, length: extra_length(extra.len())?, ..self })
    }
}

/// The length of the extra input, which the BIP gives four bytes.
fn extra_length(got: usize) -> Result<u32, Error> {
    narrow(got).map_err(|_| Error::ExtraTooLong { got })
}

/// A signer's secret nonce (k_1, k_2). It is spent by value, and cannot be copied, stored or printed.
pub struct SecretNonce {
    first: Secret<Scalar>,
    second: Secret<Scalar>,
    public: PublicNonce,
}

impl SecretNonce {
    /// *NonceGen*, with the share and its public share.
    pub fn generate<S: KeySuite<Curve = Secp256k1>>(
        share: &KeyShare<S>,
        inputs: NonceInputs<'_>,
        rng: &mut impl CryptoRng,
    ) -> Self {
        let secret = share.secret_share().secret();
        Self::draw(Some((secret, share.verifying_share())), inputs, rng)
    }

    /// *NonceGen*; the BIP lets the share be absent.
    pub(super) fn draw(
        share: Option<(&Secret<Scalar>, &[u8; 33])>,
        inputs: NonceInputs<'_>,
        rng: &mut impl CryptoRng,
    ) -> Self {
        let mut random = Zeroizing::new([0; 32]);
        rng.fill_bytes(random.as_mut());
        let random = match share {
            Some((secret, _)) => masked(secret, &random),
            None => random,
        };
        let public = share.map_or(&[][..], |(_, public)| public.as_slice());
        let key = inputs.key.map_or(&[][..], <[u8; 32]>::as_slice);
        let mut input = Vec::new();
        for part in [public, key] {
            // Nothing, 32 or 33 bytes.
            input.push(bounded(part.len()));
            input.extend_from_slice(part);
        }
        match inputs.message {
            None => input.push(0),
            Some(message) => {
                input.push(1);
                input.extend_from_slice(&encoded_length(message));
                input.extend_from_slice(message);
            }
        }
        input.extend_from_slice(&inputs.length.to_be_bytes());
        input.extend_from_slice(inputs.extra);
        Self::hashed("BIP0445/nonce", &random, &input)
    }

    /// k_i = hash(secret ‖ input ‖ i − 1), for i = 1, 2.
    pub(super) fn hashed(tag: &str, secret: &[u8; 32], input: &[u8]) -> Self {
        let draw = |last: u8| {
            let hash = Zeroizing::new(tagged_bytes(tag, [secret, input, &[last]]));
            Secret::new(Secp256k1::scalar_from_wide(hash.as_slice()))
        };
        Self::of(draw(0), draw(1))
    }

    pub(super) fn of(first: Secret<Scalar>, second: Secret<Scalar>) -> Self {
        let points = [&first, &second].map(|secret| Secp256k1::mul_base(secret.expose()));
        let public = encode(&points);
        Self { first, second, public }
    }

    /// The public nonce, for the coordinator.
    #[must_use]
    pub const fn public(&self) -> &PublicNonce {
        &self.public
    }

    #[cfg(test)]
    pub(super) fn exposed(&self) -> [Scalar; 2] {
        [*self.first.expose(), *self.second.expose()]
    }

    /// Returns whether one of the two is zero.
    pub(super) fn is_zero(&self) -> bool {
        let zero = Scalar::default();
        *self.first.expose() == zero || *self.second.expose() == zero
    }

    /// k_1 + b·k_2, times a sign: the nonces are spent.
    pub(super) fn spend(self, b: &Scalar, sign: Sign) -> Secret<Scalar> {
        Secret::new(sign.scalar(*self.first.expose() + *b * *self.second.expose()))
    }
}

impl fmt::Debug for SecretNonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretNonce").finish_non_exhaustive()
    }
}

/// The sum of all signers' public nonces: the BIP's *aggnonce*.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AggregateNonce {
    pub(super) points: [Point; 2],
    bytes: [u8; 66],
}

impl AggregateNonce {
    /// *NonceAgg*: the nonces in the order of the signers.
    ///
    /// # Errors
    /// [`Error::BadNonce`] with the place of the first signer whose nonce is no two points.
    pub fn sum(nonces: &[PublicNonce]) -> Result<Self, Error> {
        let mut points = [Secp256k1::identity(); 2];
        // The BIP looks at all first halves, and at all second ones after that.
        for half in [0, 1] {
            for (at, nonce) in nonces.iter().enumerate() {
                let [first, second] =
                    decode(nonce, false).map(|one| one.ok_or(Error::BadNonce { at }));
                let [one, two] = &mut points;
                if half == 0 { *one = *one + first? } else { *two = *two + second? }
            }
        }
        Ok(Self { points, bytes: encode(&points) })
    }

    /// Reads a sum that the coordinator sent.
    ///
    /// # Errors
    /// [`Error::BadSum`] if a half is neither a compressed point nor zeros, which stand for infinity.
    pub fn from_bytes(bytes: &[u8; 66]) -> Result<Self, Error> {
        let [Some(first), Some(second)] = decode(bytes, true) else { return Err(Error::BadSum) };
        Ok(Self { points: [first, second], bytes: *bytes })
    }

    /// The sum as the coordinator sends it.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 66] {
        &self.bytes
    }
}

/// The two points of a nonce; zeros are infinity where that is allowed.
pub(super) fn decode(nonce: &[u8; 66], infinity: bool) -> [Option<Point>; 2] {
    let (first, second) = nonce.split_at(33);
    [first, second].map(|half| {
        if infinity && half.iter().all(|byte| *byte == 0) {
            return Some(Secp256k1::identity());
        }
        Secp256k1::decode_point(half)
    })
}

fn encode(points: &[Point; 2]) -> [u8; 66] {
    let [first, second] = points.each_ref().map(Secp256k1::encode_point);
    joined(&[&first, &second])
}

/// The share ⊕ hash of the random bytes.
pub(super) fn masked(secret: &Secret<Scalar>, random: &[u8; 32]) -> Zeroizing<[u8; 32]> {
    let mut masked = Zeroizing::new(tagged_bytes("BIP0445/aux", [random.as_slice()]));
    let share = Zeroizing::new(Secp256k1::encode_scalar(secret.expose()));
    masked.iter_mut().zip(share.as_slice()).for_each(|(to, from)| *to ^= from);
    masked
}

/// The length of a message, eight bytes.
pub(super) fn encoded_length(message: &[u8]) -> [u8; 8] {
    wide(message.len()).to_be_bytes()
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::{Error, extra_length};

    #[test]
    fn extra_input_that_four_bytes_cannot_count_is_refused() {
        assert_eq!(extra_length(0xffff_ffff), Ok(u32::MAX));
        let got = 0x1_0000_0000;
        assert_eq!(extra_length(got), Err(Error::ExtraTooLong { got }));
    }
}
