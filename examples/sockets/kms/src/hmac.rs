//! HMAC with SHA-256 (RFC 2104).

use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

const BLOCK: usize = 64;

/// The HMAC of a message.
pub(crate) fn hmac(key: &[u8], message: &[u8]) -> Zeroizing<[u8; 32]> {
    let mut block = Zeroizing::new([0; BLOCK]);
    if key.len() > BLOCK {
        let hash = Zeroizing::new(<[u8; 32]>::from(Sha256::digest(key)));
        fill(&mut block, hash.as_slice());
    } else {
        fill(&mut block, key);
    }
    let inner = Zeroizing::new(block.map(|byte| byte ^ 0x36));
    let outer = Zeroizing::new(block.map(|byte| byte ^ 0x5c));
    let hash = Sha256::new_with_prefix(inner.as_slice()).chain_update(message).finalize();
    let hash = Zeroizing::new(<[u8; 32]>::from(hash));
    let hash = Sha256::new_with_prefix(outer.as_slice()).chain_update(hash.as_slice()).finalize();
    Zeroizing::new(hash.into())
}

fn fill(block: &mut [u8; BLOCK], bytes: &[u8]) {
    block.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
}

/// Returns whether two values are the same, in a time that does not depend on where they differ.
pub(crate) fn is_same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    let difference = a.iter().zip(b).fold(0, |sum, (a, b)| core::hint::black_box(sum | (a ^ b)));
    core::hint::black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use super::hmac;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// RFC 4231, test cases 1, 2 and 6.
    #[test]
    fn vectors_of_rfc_4231() {
        let cases: [(&[u8], &[u8], &str); 3] = [
            (
                &[0x0b; 20],
                b"Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            ),
            (
                b"Jefe",
                b"what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                &[0xaa; 131],
                b"Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
        ];
        for (key, message, expected) in cases {
            assert_eq!(hex(hmac(key, message).as_slice()), expected);
        }
    }
}
