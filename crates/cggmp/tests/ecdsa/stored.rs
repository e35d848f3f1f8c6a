//! Stored forms of presignatures and of shares of signatures.

use quorate_cggmp::{DecodeError, P256, Presignature, PresignatureInfo, Secp256k1, SignatureShare};
use quorate_session::container::{ContainerError, DIGEST, HEADER};
use quorate_session::{SealError, SealKey};

use crate::aux_info::resealed;
use crate::support::*;

type C = Secp256k1;

/// Every byte altered, under a digest that fits: refused, or another object.
fn strict<T>(
    bytes: &[u8],
    open: impl Fn(&[u8]) -> Result<T, DecodeError>,
    store: impl Fn(&T) -> Vec<u8>,
    refused: impl Fn(usize) -> bool,
) {
    assert_eq!(store(&open(bytes).unwrap()), bytes);
    for at in 0..bytes.len() {
        let mut altered = bytes.to_vec();
        altered[at] ^= 1;
        assert!(open(&altered).is_err(), "{at}");
        // The length is made to fit as well.
        if at < bytes.len() - DIGEST && !(8..HEADER).contains(&at) {
            let altered = resealed(&altered);
            match open(&altered) {
                Ok(other) => assert!(!refused(at) && store(&other) == altered, "{at}"),
                Err(error) => {
                    assert_ne!(error, DecodeError::Container(ContainerError::Damaged));
                    assert!(at >= HEADER || matches!(error, DecodeError::Container(_)));
                }
            }
        }
    }
    for cut in 0..bytes.len() {
        assert!(open(&bytes[..cut]).is_err());
        if cut >= HEADER + DIGEST {
            assert!(open(&resealed(&bytes[..cut])).is_err(), "{cut}");
        }
    }
    let longer = resealed(&[&bytes[..bytes.len() - 32], &[0; 33]].concat());
    assert_eq!(open(&longer).map(|_| ()), Err(DecodeError::TrailingBytes));
}

#[test]
fn altered_presignatures_are_refused() {
    let group = Group::<C>::new(2);
    let one = group.presign(50, &[2, 7]).remove(0);
    let bytes = one.to_bytes();
    // header 12, party 2, signers 2 + 4, key 33, key id 32, epoch 4, digest 32, context 32, index 4. The last four, the
    // other signer's number and the digest of the run's results have no check of their own. Everything else has one, and
    // so does an index above 1023.
    let end = bytes.len() - DIGEST - 64;
    let silent = |at: usize| {
        (18..20).contains(&at)
            || (85..153).contains(&at)
            || (155..157).contains(&at)
            || (end - 32..end).contains(&at)
    };
    strict(&bytes, Presignature::<C>::from_bytes, |one| one.to_bytes().to_vec(), |at| !silent(at));
    let wrong = |result: Result<_, _>| result.map(|_: Presignature<P256>| ()).unwrap_err();
    let curve = ContainerError::WrongCurve { expected: "P-256", got: 5 };
    assert_eq!(wrong(Presignature::from_bytes(&bytes)), DecodeError::Container(curve));
    assert!(PresignatureInfo::<C>::from_bytes(&bytes).is_err());
    let (key, other) = (SealKey::new([1; 32]), SealKey::new([2; 32]));
    let sealed = one.seal(&key);
    assert_eq!(Presignature::<C>::open(&sealed, &key).unwrap().id(), one.id());
    let refused = Presignature::<C>::open(&sealed, &other).map(|_| ());
    assert_eq!(refused, Err(SealError::Unauthentic));
    let refused = Presignature::<P256>::open(&sealed, &key).map(|_| ());
    assert_eq!(refused, Err(SealError::Container(curve)));
    assert_eq!(format!("{one:?}"), "Presignature { .. }");
}

#[test]
fn altered_public_parts_are_refused() {
    let group = Group::<C>::new(2);
    let info = group.presign(51, &[2, 40]).remove(0).info().clone();
    let bytes = info.to_bytes();
    // As above, and the nonce point, which only a signer can check.
    let silent =
        |at: usize| (14..18).contains(&at) || (83..151).contains(&at) || (153..188).contains(&at);
    let open = |bytes: &[u8]| {
        PresignatureInfo::<C>::from_bytes(bytes)
            .inspect(|other| assert!(*other == info || other.digest() != info.digest()))
    };
    strict(&bytes, open, PresignatureInfo::to_bytes, |at| !silent(at));
}

#[test]
fn shares_of_signatures() {
    let group = Group::<C>::new(2);
    let (sender, share) =
        signature_shares(&group, group.presign(52, &[2, 7]), b"message").remove(0);
    let read = |bytes: &[u8]| SignatureShare::<C>::from_bytes(sender, bytes);
    strict(&share, read, SignatureShare::to_bytes, |at| {
        // The upper half of the index.
        at < HEADER || (HEADER + 34..HEADER + 36).contains(&at)
    });
    let mut bytes = share;
    bytes[HEADER + 135..HEADER + 167].fill(0xff);
    let refused = read(&resealed(&bytes)).map(|_| ());
    assert_eq!(refused, Err(DecodeError::BadScalar));
}
