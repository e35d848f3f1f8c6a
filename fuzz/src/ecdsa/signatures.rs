//! Signatures and shares of them.

use quorate_cggmp::{
    AggregateError, DecodeError, MessageDigest, RawDigest, RecoveryId, ShareFault, ShareMismatch,
    ShareRejected, Signature, SignatureShare,
};

use super::fixture::{ORDER, Suite};
use super::forms::{form, strict};
use crate::decoders::named;
use crate::fixture::MESSAGE;
use crate::input::Input;

/// The first byte: what it is, and in the bits above how it is made.
pub(crate) fn ecdsa_signature<C: Suite>(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let what = input.byte();
    match what % 4 {
        0 | 1 => partial::<C>(what >> 2, &mut input),
        2 => signature::<C>(input.bytes(usize::MAX)),
        _ => recovered::<C>(&mut input),
    }
}

/// No share but the right one verifies, or makes a signature.
fn partial<C: Suite>(mode: u8, input: &mut Input<'_>) -> bool {
    let fixture = C::fixture();
    let bytes = form(mode, input, &fixture.signature_shares[0].to_bytes());
    let read = |bytes: &[u8]| SignatureShare::<C>::from_bytes(named(bytes), bytes);
    let encode = SignatureShare::<C>::to_bytes;
    let Some(share) = strict(&bytes, read, encode) else {
        return false;
    };
    let info = &fixture.presignatures[0].info;
    let itself = fixture.presignatures[0].child(ORDER);
    let from = fixture.signature_shares[0].id();
    let expected = if share.id() != from {
        Err(ShareRejected::Fault(ShareFault::Malformed(DecodeError::NotTheSenders {
            sender: from,
            named: share.id(),
        })))
    } else if share.presignature() != info.id() {
        Err(ShareRejected::Mismatch(ShareMismatch::OtherPresignature))
    } else if share.presignature_digest() != info.digest() {
        Err(ShareRejected::Mismatch(ShareMismatch::OtherPoints))
    } else if share.key_bytes() != info.verifying_key().as_bytes() {
        Err(ShareRejected::Mismatch(ShareMismatch::OtherKey))
    } else if share.digest() != MessageDigest::sha256(MESSAGE).as_bytes() {
        Err(ShareRejected::Mismatch(ShareMismatch::OtherMessage))
    } else if fixture.signature_shares.contains(&share) {
        Ok(())
    } else {
        Err(ShareRejected::Fault(ShareFault::Equation))
    };
    assert_eq!(
        info.verify_share(&itself, MessageDigest::sha256(MESSAGE), from, &bytes).map(|_| ()),
        expected
    );
    let others = fixture.signature_shares.iter().skip(1).map(|one| (one.id(), one.to_bytes()));
    let expected = match expected {
        Ok(()) => Ok(fixture.signature),
        Err(ShareRejected::Fault(fault)) => Err(AggregateError::Cheaters(vec![(from, fault)])),
        Err(ShareRejected::Mismatch(what)) => Err(AggregateError::Mismatch(vec![(from, what)])),
        Err(error) => panic!("{error}"),
    };
    assert!(
        info.aggregate(&itself, MessageDigest::sha256(MESSAGE), others.chain([(from, bytes)]))
            == expected
    );
    true
}

/// r ‖ s ‖ recovery id.
fn recoverable<C: Suite>(bytes: &[u8]) -> Result<Signature<C>, DecodeError> {
    let bytes = bytes.try_into().map_err(|_| DecodeError::Truncated)?;
    Signature::from_recoverable(bytes)
}

/// No signature but the right one verifies, and recovery finds its key.
fn signature<C: Suite>(bytes: &[u8]) -> bool {
    let der = check_der::<C>(bytes);
    let encode = |signature: &Signature<C>| {
        signature.to_recoverable().expect("read with its recovery id").to_vec()
    };
    let Some(signature) = strict(bytes, recoverable::<C>, encode) else {
        check_refused::<C>(bytes);
        return der;
    };
    check_negated(&signature);
    let fixture = C::fixture();
    let key = fixture.shares[0].verifying_key();
    let verifies = key.verify(MESSAGE, &signature).is_ok();
    let same = signature.to_compact() == fixture.signature.to_compact();
    assert_eq!(verifies, same, "malleable");
    let digest = *MessageDigest::sha256(MESSAGE).as_bytes();
    let recovered = check_recovery(&digest, &signature);
    let right = signature == fixture.signature;
    assert_eq!(recovered.is_some_and(|found| found == *key.as_bytes()), right);
    true
}

/// Checks bytes as DER: both implementations accept the same ones, and read the same numbers.
fn check_der<C: Suite>(bytes: &[u8]) -> bool {
    let ours = Signature::<C>::from_der_either_s(bytes).ok();
    let theirs = C::compact_of_der(bytes);
    let theirs = theirs.and_then(|compact| Signature::from_compact_either_s(&compact).ok());
    assert!(ours == theirs, "DER");
    if let Ok(strict) = Signature::<C>::from_der(bytes) {
        assert!(Some(strict) == ours && strict.to_der() == bytes, "not the one encoding");
    }
    ours.is_some()
}

/// The signature with −s, which verifies as well, is refused.
fn check_negated<C: Suite>(signature: &Signature<C>) {
    let s = C::encode_scalar(&-*signature.s());
    let recovery = signature.recovery_id().expect("read with its recovery id").get() ^ 1;
    let negated = [C::encode_scalar(signature.r()).as_slice(), &s, &[recovery]].concat();
    let refused = recoverable::<C>(&negated).map(|_| ());
    assert_eq!(refused, Err(DecodeError::HighS), "two forms of one signature");
}

/// Refused bytes are no signature, or has the larger s, or a wrong recovery id.
fn check_refused<C: Suite>(bytes: &[u8]) {
    let Some((compact, [recovery])) = bytes.split_first_chunk::<64>() else { return };
    let key = C::fixture().shares[0].verifying_key();
    let digest = *MessageDigest::sha256(MESSAGE).as_bytes();
    if *recovery <= 3 && C::verifies(key.as_bytes(), &digest, compact) {
        let refused = recoverable::<C>(bytes).map(|_| ());
        assert_eq!(refused, Err(DecodeError::HighS));
    }
}

/// A digest and a signature, neither of them made here: both implementations find the same.
fn recovered<C: Suite>(input: &mut Input<'_>) -> bool {
    let mut digest = [0; 32];
    digest.iter_mut().for_each(|byte| *byte = input.byte());
    let Ok(signature) = recoverable::<C>(input.bytes(usize::MAX)) else { return false };
    check_recovery(&digest, &signature);
    let raw = RawDigest::assume_hash_of_known_message(digest);
    let key = C::fixture().shares[0].verifying_key();
    let verifies = key.verify_raw_digest(&raw, &signature).is_ok();
    assert_eq!(verifies, C::verifies(key.as_bytes(), &digest, &signature.to_compact()));
    true
}

/// Recovers the key, as another implementation does.
fn check_recovery<C: Suite>(digest: &[u8; 32], signature: &Signature<C>) -> Option<[u8; 33]> {
    let raw = RawDigest::assume_hash_of_known_message(*digest);
    let recovered = signature.recover(&raw);
    let recovery = signature.recovery_id().expect("read with its recovery id");
    assert!(RecoveryId::from_number(recovery.get()) == Some(recovery));
    let theirs = C::recovers(digest, &signature.to_compact(), recovery.get());
    let ours = recovered.map(|key| *key.as_bytes());
    assert_eq!(ours, theirs, "another key");
    if let Some(key) = &recovered {
        assert!(key.verify_raw_digest(&raw, signature).is_ok());
        assert!(C::verifies(key.as_bytes(), digest, &signature.to_compact()));
    }
    ours
}
