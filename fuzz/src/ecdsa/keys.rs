//! Stored keys.

use quorate_cggmp::{DecodeError, DerivationPath, KeyShare, PublicKeyPackage, VerifyingKey};

use super::fixture::Suite;
use super::forms::{form, strict};
use crate::fixture::MESSAGE;
use crate::input::Input;

/// The first byte: what it is, and in the bits above how it is made.
pub(crate) fn ecdsa_key<C: Suite>(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let what = input.byte();
    match what % 4 {
        0 => key_share::<C>(what >> 2, &mut input),
        1 => key_info::<C>(what >> 2, &mut input),
        2 => verifying_key::<C>(input.bytes(usize::MAX)),
        _ => path::<C>(input.bytes(usize::MAX)),
    }
}

/// A share that is accepted can be used.
fn key_share<C: Suite>(mode: u8, input: &mut Input<'_>) -> bool {
    let honest = C::fixture().shares[0].to_bytes();
    let bytes = form(mode, input, &honest);
    let info = C::fixture().shares[0].public();
    let encode = |share: &KeyShare<C>| share.to_bytes().to_vec();
    let open = |bytes: &[u8]| KeyShare::<C>::from_bytes(bytes, info);
    let Some(share) = strict(&bytes, open, encode) else { return false };
    let parties = share.public().parties();
    assert!(parties.contains(share.id()));
    let additive = share.additive(parties).expect("all parties can sign");
    assert!(additive.info().share_point(share.id()).is_some());
    let child = share.derive(&DerivationPath::new([1, 2]).expect("not hardened"));
    let child = child.expect("the chance is nil");
    let again = KeyShare::<C>::from_bytes(&child.to_bytes(), child.public());
    assert!(again.is_ok(), "derived, but cannot be stored");
    true
}

fn key_info<C: Suite>(mode: u8, input: &mut Input<'_>) -> bool {
    let honest = C::fixture().shares[0].public().to_bytes();
    let bytes = form(mode, input, &honest);
    let Some(info) = strict(&bytes, PublicKeyPackage::<C>::from_bytes, PublicKeyPackage::to_bytes)
    else {
        return false;
    };
    check_info(&info);
    let fixture = C::fixture();
    // Another key, or another version of this one.
    assert!(info == *fixture.shares[0].public() || bytes != fixture.shares[0].public().to_bytes());
    let same = info.verifying_key() == fixture.shares[0].verifying_key();
    let verified = info.verifying_key().verify(MESSAGE, &fixture.signature);
    assert_eq!(verified.is_ok(), same);
    true
}

fn check_info<C: Suite>(info: &PublicKeyPackage<C>) {
    let parties = info.parties();
    assert!(info.threshold() >= 2 && usize::from(info.threshold()) <= parties.len());
    assert_eq!(info.commitment().len(), usize::from(info.threshold()));
    assert!(parties.iter().all(|party| info.verifying_share(party).is_some()));
    let additive = info.additive(parties).expect("all parties can sign");
    let sum = additive.share_points().iter().fold(C::identity(), |sum, point| sum + *point);
    assert!(sum == *info.verifying_key().point(), "shares that do not add up");
}

/// Accepted is the compressed form of what another implementation accepts, and a signature
/// verifies under its own key only.
fn verifying_key<C: Suite>(bytes: &[u8]) -> bool {
    let encode = |key: &VerifyingKey<C>| key.as_bytes().to_vec();
    let decode = |bytes: &[u8]| {
        let bytes = bytes.try_into().map_err(|_| DecodeError::Truncated)?;
        VerifyingKey::<C>::from_bytes(bytes)
    };
    let key = strict(bytes, decode, encode);
    // The other takes a key with both coordinates as well, and one without a sign, of tag 5.
    let is_compressed = bytes.len() == 33 && matches!(bytes[0], 2 | 3);
    assert_eq!(key.is_some(), is_compressed && C::is_key(bytes));
    let Some(key) = key else { return false };
    let fixture = C::fixture();
    let verifies = key.verify(MESSAGE, &fixture.signature).is_ok();
    assert_eq!(verifies, key == *fixture.shares[0].verifying_key());
    true
}

/// A path that is accepted leads from a share and from the public key to the same child.
fn path<C: Suite>(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(path) = text.parse::<DerivationPath>() else { return false };
    assert!(path.indices().len() <= 255);
    assert!(path.indices().iter().all(|index| *index < 1 << 31));
    assert!(DerivationPath::new(path.indices().iter().copied()).as_ref() == Ok(&path));
    // Each level costs a multiplication.
    if path.indices().len() <= 8 {
        let share = &C::fixture().shares[1];
        let child = share.derive(&path).expect("the chance is nil");
        assert!(share.public().derive(&path).as_ref() == Ok(child.public()));
    }
    true
}
