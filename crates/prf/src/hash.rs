//! Hashes, and the expansion of messages that hashing to a curve begins with (RFC 9380 section 5.3.1).

use alloc::vec::Vec;

use quorate_session::wire::bounded;
use sha2::{Digest, Sha256, Sha512};
use zeroize::{Zeroize, Zeroizing};

/// The hash function of a suite: SHA-256 or SHA-512.
pub trait SuiteDigest: Clone + Send + Sync + 'static {
    /// The digest.
    type Output: AsRef<[u8]> + AsMut<[u8]> + Copy + Eq + Send + Sync + Zeroize;

    /// The bytes that the compression function takes.
    const BLOCK: usize;

    /// An empty hash.
    fn start() -> Self;

    /// Absorbs a piece of the message.
    fn absorb(&mut self, bytes: &[u8]);

    /// The digest of everything absorbed.
    fn digest(self) -> Self::Output;

    /// The digest of these parts, one after the other.
    fn of(parts: &[&[u8]]) -> Self::Output {
        let mut hash = Self::start();
        parts.iter().for_each(|part| hash.absorb(part));
        hash.digest()
    }
}

macro_rules! suite_digest {
    ($hash:ty, $output:literal, $block:literal) => {
        impl SuiteDigest for $hash {
            type Output = [u8; $output];
            const BLOCK: usize = $block;

            fn start() -> Self {
                Self::new()
            }

            fn absorb(&mut self, bytes: &[u8]) {
                self.update(bytes);
            }

            fn digest(self) -> Self::Output {
                self.finalize().into()
            }
        }
    };
}

suite_digest!(Sha256, 32, 64);
suite_digest!(Sha512, 64, 128);

/// `expand_message_xmd` (RFC 9380 section 5.3.1): `length` bytes of a message and a tag, both in parts. The input of an OPRF is
/// a secret of the client, so the result is wiped.
///
/// At most 255 digests. All lengths here are constants of a suite.
pub(crate) fn expand<D: SuiteDigest>(
    message: &[&[u8]],
    tag: &[&[u8]],
    length: usize,
) -> Zeroizing<Vec<u8>> {
    let tag = tag_of::<D>(tag);
    // A suite's length is below 2^16.
    let wanted: u16 = bounded(length);
    let mut hash = D::start();
    hash.absorb([0; 128].get(..D::BLOCK).unwrap_or_default());
    message.iter().for_each(|part| hash.absorb(part));
    hash.absorb(&wanted.to_be_bytes());
    hash.absorb(&[0]);
    hash.absorb(&tag);
    let first = Zeroizing::new(hash.digest());
    let mut out = Zeroizing::new(Vec::with_capacity(length.saturating_add(128)));
    let mut mixed = *first;
    for number in 1..=u8::MAX {
        let block = Zeroizing::new(D::of(&[mixed.as_ref(), &[number], &tag]));
        out.extend_from_slice((*block).as_ref());
        if out.len() >= length {
            break;
        }
        // The next block hashes the first digest, mixed with this one.
        mixed = *first;
        mixed.as_mut().iter_mut().zip((*block).as_ref()).for_each(|(a, b)| *a ^= b);
    }
    mixed.zeroize();
    out.truncate(length);
    out
}

/// `DST_prime`: the tag and its length. A tag of more than 255 bytes is hashed first (RFC 9380 section 5.3.3).
fn tag_of<D: SuiteDigest>(parts: &[&[u8]]) -> Vec<u8> {
    let mut tag = parts.concat();
    let length = u8::try_from(tag.len()).unwrap_or_else(|_| {
        let short = D::of(&[b"H2C-OVERSIZE-DST-", &tag]);
        tag = short.as_ref().to_vec();
        bounded(tag.len())
    });
    tag.push(length);
    tag
}

/// HMAC (RFC 2104) of a message in parts.
pub(crate) fn hmac<D: SuiteDigest>(key: &[u8], message: &[&[u8]]) -> Zeroizing<D::Output> {
    let mut block = Zeroizing::new([0u8; 128]);
    let short;
    let key = if key.len() > D::BLOCK {
        short = Zeroizing::new(D::of(&[key]));
        (*short).as_ref()
    } else {
        key
    };
    block.iter_mut().zip(key).for_each(|(byte, key)| *byte = *key);
    let keyed = |with: u8| {
        let pad = Zeroizing::new(block.map(|byte| byte ^ with));
        let mut hash = D::start();
        hash.absorb(pad.get(..D::BLOCK).unwrap_or_default());
        hash
    };
    let mut inner = keyed(0x36);
    message.iter().for_each(|part| inner.absorb(part));
    let inner = Zeroizing::new(inner.digest());
    let mut outer = keyed(0x5c);
    outer.absorb((*inner).as_ref());
    Zeroizing::new(outer.digest())
}

/// HKDF (RFC 5869): `length` bytes, at most 255 digests. `None` for more.
pub(crate) fn hkdf<D: SuiteDigest>(
    salt: &[u8],
    secret: &[u8],
    info: &[&[u8]],
    length: usize,
) -> Option<Zeroizing<Vec<u8>>> {
    if length.div_ceil(size_of::<D::Output>()) > usize::from(u8::MAX) {
        return None;
    }
    let key = hmac::<D>(salt, &[secret]);
    let mut out = Zeroizing::new(Vec::with_capacity(length.saturating_add(64)));
    let mut number = 0u8;
    let mut last = Zeroizing::new(Vec::with_capacity(64));
    while out.len() < length {
        number = number.checked_add(1)?;
        let mut message: Vec<&[u8]> = alloc::vec![last.as_slice()];
        message.extend_from_slice(info);
        let number = [number];
        message.push(&number);
        let block = hmac::<D>((*key).as_ref(), &message);
        out.extend_from_slice((*block).as_ref());
        last.zeroize();
        last.extend_from_slice((*block).as_ref());
    }
    out.truncate(length);
    Some(out)
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// RFC 9380 appendix K.1 and K.3, the empty message.
    #[test]
    fn rfc9380_expansion() {
        let tag: &[&[u8]] = &[b"QUUX-V01-CS02-with-", b"expander-SHA256-128"];
        assert_eq!(
            hex(&expand::<Sha256>(&[], tag, 32)),
            "68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235"
        );
        assert_eq!(
            hex(&expand::<Sha256>(&[b"a", b"bc"], tag, 32)),
            "d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615"
        );
    }

    /// RFC 5869 appendix A.1 and A.2.
    #[test]
    fn rfc5869() {
        let numbers = |from: u8, to: u8| (from..=to).collect::<Vec<u8>>();
        let (salt, info) = (numbers(0, 12), numbers(0xf0, 0xf9));
        assert_eq!(
            hex(&hkdf::<Sha256>(&salt, &[11; 22], &[&info], 42).unwrap()),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        );
        let (secret, salt) = (numbers(0, 0x4f), numbers(0x60, 0xaf));
        let (one, other) = (numbers(0xb0, 0xd0), numbers(0xd1, 0xff));
        assert_eq!(
            hex(&hkdf::<Sha256>(&salt, &secret, &[&one, &other], 82).unwrap()),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c\
             59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71\
             cc30c58179ec3e87c14c01d5c1f3434f1d87"
        );
    }

    #[test]
    fn more_than_255_digests_are_refused() {
        assert_eq!(hkdf::<Sha256>(&[], &[1], &[], 255 * 32).map(|out| out.len()), Some(255 * 32));
        assert!(hkdf::<Sha256>(&[], &[1], &[], 255 * 32 + 1).is_none());
        assert!(hkdf::<Sha256>(&[], &[1], &[], usize::MAX).is_none());
    }

    #[test]
    fn a_long_tag_is_hashed_first() {
        let long = [b'x'; 256];
        let short = Sha256::of(&[b"H2C-OVERSIZE-DST-", &long]);
        assert_eq!(expand::<Sha256>(&[], &[&long], 48), expand::<Sha256>(&[], &[&short], 48));
    }
}
