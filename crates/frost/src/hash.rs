//! The two ways in which RFC 9591's suites hash: a wide digest reduced modulo the group order
//! (Ed25519, Ristretto255, Ed448), and `hash_to_field` with `expand_message_xmd` (P-256,
//! secp256k1; RFC 9380 §5.2 and §5.3.1).

use quorate_curve::Curve;
use sha2::{Digest, Sha256, Sha512};
use shake::{ExtendableOutput, Shake256, Update, XofReader};

/// A hash to scalars, ready to absorb its message. `Clone` keeps a midstate: the prefix that all
/// binding factors of a signing package share is absorbed once.
pub trait SuiteHash: Clone {
    /// The output of H4 and H5.
    type Digest: AsRef<[u8]>;

    /// Starts a hash to a scalar, separated by the suite's context string and a tag.
    fn new(context: &'static str, tag: &'static str) -> Self;

    /// Absorbs a piece of the message.
    fn update(&mut self, bytes: &[u8]);

    /// The scalar.
    fn finish<C: Curve>(self) -> C::Scalar;

    /// The digest of `context ‖ tag ‖ message`, as in H4 and H5.
    fn digest<'a>(
        context: &str,
        tag: &str,
        message: impl IntoIterator<Item = &'a [u8]>,
    ) -> Self::Digest;
}

/// SHA-512, reduced from 64 bytes (RFC 9591 §6.1, §6.2).
#[derive(Clone)]
pub struct WideSha512(Sha512);

impl SuiteHash for WideSha512 {
    type Digest = [u8; 64];

    fn new(context: &'static str, tag: &'static str) -> Self {
        Self(Sha512::new().chain_update(context).chain_update(tag))
    }

    fn update(&mut self, bytes: &[u8]) {
        Digest::update(&mut self.0, bytes);
    }

    fn finish<C: Curve>(self) -> C::Scalar {
        C::scalar_from_wide(&self.0.finalize())
    }

    fn digest<'a>(
        context: &str,
        tag: &str,
        message: impl IntoIterator<Item = &'a [u8]>,
    ) -> Self::Digest {
        let mut hash = Sha512::new().chain_update(context).chain_update(tag);
        message.into_iter().for_each(|part| Digest::update(&mut hash, part));
        hash.finalize().into()
    }
}

/// SHAKE256 with 114 bytes of output (RFC 9591 §6.3).
#[derive(Clone)]
pub struct WideShake256(Shake256);

impl SuiteHash for WideShake256 {
    type Digest = [u8; 114];

    fn new(context: &'static str, tag: &'static str) -> Self {
        Self(Shake256::default().chain(context).chain(tag))
    }

    fn update(&mut self, bytes: &[u8]) {
        Update::update(&mut self.0, bytes);
    }

    fn finish<C: Curve>(self) -> C::Scalar {
        C::scalar_from_wide(&squeeze(self.0))
    }

    fn digest<'a>(
        context: &str,
        tag: &str,
        message: impl IntoIterator<Item = &'a [u8]>,
    ) -> Self::Digest {
        let mut hash = Shake256::default().chain(context).chain(tag);
        message.into_iter().for_each(|part| Update::update(&mut hash, part));
        squeeze(hash)
    }
}

fn squeeze(hash: Shake256) -> [u8; 114] {
    let mut output = [0; 114];
    hash.finalize_xof().read(&mut output);
    output
}

/// `hash_to_field` of RFC 9380 with SHA-256, one element of L = 48 bytes, the separation tag
/// being `context ‖ tag` (RFC 9591 §6.4, §6.5).
#[derive(Clone)]
pub struct XmdSha256 {
    state: Sha256,
    context: &'static str,
    tag: &'static str,
}

impl XmdSha256 {
    /// Bytes that are reduced: ⌈(256 + 128) / 8⌉.
    const L: u8 = 48;

    /// `DST ‖ I2OSP(len(DST), 1)`, the tail of every hash of `expand_message_xmd`. A tag of more than 255 bytes is hashed
    /// first (RFC 9380 §5.3.3).
    fn tail(&self, hash: Sha256) -> [u8; 32] {
        let tagged = |hash: Sha256| hash.chain_update(self.context).chain_update(self.tag);
        let length = self.context.len() + self.tag.len();
        let hash = match u8::try_from(length) {
            Ok(length) => tagged(hash).chain_update([length]),
            Err(_) => {
                let short = tagged(Sha256::new().chain_update("H2C-OVERSIZE-DST-")).finalize();
                hash.chain_update(short).chain_update([32])
            }
        };
        hash.finalize().into()
    }
}

impl SuiteHash for XmdSha256 {
    type Digest = [u8; 32];

    fn new(context: &'static str, tag: &'static str) -> Self {
        let z_pad = [0u8; 64];
        Self { state: Sha256::new().chain_update(z_pad), context, tag }
    }

    fn update(&mut self, bytes: &[u8]) {
        Digest::update(&mut self.state, bytes);
    }

    fn finish<C: Curve>(self) -> C::Scalar {
        let b_0 = self.tail(self.state.clone().chain_update([0, Self::L, 0]));
        let b_1 = self.tail(Sha256::new().chain_update(b_0).chain_update([1]));
        let mut mixed = b_0;
        mixed.iter_mut().zip(b_1).for_each(|(x, y)| *x ^= y);
        let b_2 = self.tail(Sha256::new().chain_update(mixed).chain_update([2]));
        let both = [b_1, b_2];
        C::scalar_from_wide(both.as_flattened().split_at(Self::L.into()).0)
    }

    fn digest<'a>(
        context: &str,
        tag: &str,
        message: impl IntoIterator<Item = &'a [u8]>,
    ) -> Self::Digest {
        let mut hash = Sha256::new().chain_update(context).chain_update(tag);
        message.into_iter().for_each(|part| Digest::update(&mut hash, part));
        hash.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use quorate_curve::P256;

    use super::*;

    /// `expand_message_xmd` with a tag of at most 255 bytes (RFC 9380 §5.3.1), as a scalar.
    fn expanded(message: &[u8], tag: &[u8]) -> <P256 as Curve>::Scalar {
        let tail = |hash: Sha256| {
            let length = u8::try_from(tag.len()).unwrap();
            <[u8; 32]>::from(hash.chain_update(tag).chain_update([length]).finalize())
        };
        let first = Sha256::new().chain_update([0; 64]).chain_update(message);
        let b_0 = tail(first.chain_update([0, 48, 0]));
        let b_1 = tail(Sha256::new().chain_update(b_0).chain_update([1]));
        let mixed: Vec<u8> = b_0.iter().zip(&b_1).map(|(x, y)| x ^ y).collect();
        let b_2 = tail(Sha256::new().chain_update(mixed).chain_update([2]));
        P256::scalar_from_wide(&[&b_1[..], &b_2[..16]].concat())
    }

    #[test]
    fn a_tag_longer_than_its_length_can_say_is_hashed_first() {
        const LONG: &str = match core::str::from_utf8(&[b'x'; 255]) {
            Ok(text) => text,
            Err(_) => "",
        };
        let hashed = |context, tag| {
            let mut hash = XmdSha256::new(context, tag);
            hash.update(b"message");
            hash.finish::<P256>()
        };
        assert!(hashed(LONG, "") == expanded(b"message", LONG.as_bytes()));
        let long = [LONG, "rho"].concat();
        let short = Sha256::new().chain_update("H2C-OVERSIZE-DST-").chain_update(long).finalize();
        assert!(hashed(LONG, "rho") == expanded(b"message", &short));
        assert!(hashed(LONG, "rho") != hashed(LONG, "nonce"));
    }
}
