//! Signatures and their verification.

use cryptoki_sys::*;
use ed25519_dalek::VerifyingKey;
use ml_dsa::MlDsa65;
use p256::ecdsa::signature::Verifier as _;

use crate::call;
use crate::client::{Module, plain};
use crate::served::Served;

/// The public key of an object: the content of the OCTET STRING in `CKA_EC_POINT`.
fn point(module: &Module, session: CK_SESSION_HANDLE, name: &str) -> Vec<u8> {
    let key = module.public(session, name);
    let der = module.attribute(session, key, CKA_EC_POINT).unwrap();
    assert_eq!((der[0], usize::from(der[1])), (4, der.len() - 2));
    der[2..].to_vec()
}

#[test]
fn signatures_verify_by_other_libraries_and_by_the_module() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let message = b"the message";
    let sign = |mechanism, name| {
        let key = module.private(session, name);
        let signature = module.sign(session, mechanism, key, message).unwrap();
        let public = module.public(session, name);
        assert_eq!(module.verify(session, mechanism, public, message, &signature), CKR_OK);
        let other = module.verify(session, mechanism, public, b"another", &signature);
        assert_eq!(other, CKR_SIGNATURE_INVALID);
        let mut damaged = signature.clone();
        damaged[40] ^= 1;
        let damaged = module.verify(session, mechanism, public, message, &damaged);
        assert_eq!(damaged, CKR_SIGNATURE_INVALID);
        let short = module.verify(session, mechanism, public, message, &signature[..63]);
        assert_eq!(short, CKR_SIGNATURE_LEN_RANGE);
        signature
    };
    let signature = sign(CKM_EDDSA, "ed25519");
    let key = point(&module, session, "ed25519").as_slice().try_into().unwrap();
    let signature = signature.as_slice().try_into().unwrap();
    VerifyingKey::from_bytes(&key).unwrap().verify_strict(message, &signature).unwrap();

    let signature = p256::ecdsa::Signature::from_slice(&sign(CKM_ECDSA_SHA256, "p256")).unwrap();
    let key = point(&module, session, "p256");
    let key = p256::ecdsa::VerifyingKey::from_sec1_bytes(&key).unwrap();
    key.verify(message, &signature).unwrap();

    let made = sign(CKM_ECDSA_SHA256, "secp256k1");
    let signature = k256::ecdsa::Signature::from_slice(&made).unwrap();
    let key = point(&module, session, "secp256k1");
    let key = k256::ecdsa::VerifyingKey::from_sec1_bytes(&key).unwrap();
    key.verify(message, &signature).unwrap();
    // The other value of s verifies, too.
    let (r, s) = signature.split_scalars();
    let high = k256::ecdsa::Signature::from_scalars(r, -s).unwrap();
    let public = module.public(session, "secp256k1");
    let high = module.verify(session, CKM_ECDSA_SHA256, public, message, &high.to_bytes());
    assert_eq!(high, CKR_OK);

    let made = sign(CKM_ML_DSA, "mldsa");
    let signature = ml_dsa::Signature::<MlDsa65>::try_from(&made[..]).unwrap();
    let key = module.attribute(session, module.public(session, "mldsa"), CKA_VALUE).unwrap();
    let key = ml_dsa::VerifyingKey::<MlDsa65>::decode(&key[..].try_into().unwrap());
    assert!(key.verify_with_context(message, &[], &signature));
    assert_eq!(served.local.signed(), 4);
}

#[test]
fn digest_is_signed_by_a_key_for_digests_alone() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let (digests, other) = (module.private(session, "digests"), module.private(session, "p256"));
    let digest = [7; 32];
    let signature = module.sign(session, CKM_ECDSA, digests, &digest).unwrap();
    let public = module.public(session, "digests");
    assert_eq!(module.verify(session, CKM_ECDSA, public, &digest, &signature), CKR_OK);
    let refused = module.sign(session, CKM_ECDSA, other, &digest);
    assert_eq!(refused, Err(CKR_KEY_FUNCTION_NOT_PERMITTED));
    for length in [0, 20, 31, 33, 64] {
        let refused = module.sign(session, CKM_ECDSA, digests, &vec![7; length]);
        assert_eq!(refused, Err(CKR_DATA_LEN_RANGE), "{length}");
    }
    assert_eq!(served.local.signed(), 1);
}

#[test]
fn length_is_asked_for_and_short_buffer_keeps_the_operation() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let key = module.private(session, "ed25519");
    assert_eq!(module.sign_init(session, CKM_EDDSA, key), CKR_OK);
    let (mut message, mut signature, mut length) = (*b"hello", [0; 64], 0);
    let null = std::ptr::null_mut();
    let at = message.as_mut_ptr();
    assert_eq!(call!(module, C_Sign, session, at, 5, null, &raw mut length), CKR_OK);
    assert_eq!(length, 64);
    for room in [0, 1, 63] {
        length = room;
        let to = signature.as_mut_ptr();
        let result = call!(module, C_Sign, session, at, 5, to, &raw mut length);
        assert_eq!((result, length), (CKR_BUFFER_TOO_SMALL, 64));
    }
    // Neither has started a signature.
    assert_eq!((served.local.signed(), signature), (0, [0; 64]));
    let to = signature.as_mut_ptr();
    assert_eq!(call!(module, C_Sign, session, at, 5, to, &raw mut length), CKR_OK);
    assert_eq!(served.local.signed(), 1);
    let result = call!(module, C_Sign, session, at, 5, to, &raw mut length);
    assert_eq!(result, CKR_OPERATION_NOT_INITIALIZED);
}

#[test]
fn message_in_parts_is_signed_as_the_whole_one() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let null = std::ptr::null_mut();
    for (name, mechanism) in [("p256", CKM_ECDSA_SHA256), ("ed25519", CKM_EDDSA)] {
        let (key, public) = (module.private(session, name), module.public(session, name));
        let mut message = *b"a message in parts";
        let whole = module.sign(session, mechanism, key, &message).unwrap();
        assert_eq!(module.sign_init(session, mechanism, key), CKR_OK);
        let (first, second) = message.split_at_mut(5);
        for part in [first, second] {
            let (at, length) = (part.as_mut_ptr(), part.len() as CK_ULONG);
            assert_eq!(call!(module, C_SignUpdate, session, at, length), CKR_OK);
        }
        let (mut signature, mut length) = ([0; 64], 64);
        assert_eq!(call!(module, C_SignFinal, session, null, &raw mut length), CKR_OK);
        let to = signature.as_mut_ptr();
        assert_eq!(call!(module, C_SignFinal, session, to, &raw mut length), CKR_OK);
        assert_eq!(signature.as_slice(), whole);
        let mut plain = plain(mechanism);
        assert_eq!(call!(module, C_VerifyInit, session, &raw mut plain, public), CKR_OK);
        for part in message.chunks_mut(7) {
            let (at, length) = (part.as_mut_ptr(), part.len() as CK_ULONG);
            assert_eq!(call!(module, C_VerifyUpdate, session, at, length), CKR_OK);
        }
        assert_eq!(call!(module, C_VerifyFinal, session, to, 64), CKR_OK);
        // No message at all is a message, too.
        assert_eq!(module.sign_init(session, mechanism, key), CKR_OK);
        assert_eq!(call!(module, C_SignFinal, session, to, &raw mut length), CKR_OK);
        assert_eq!(module.verify(session, mechanism, public, b"", &signature), CKR_OK);
    }
}

#[test]
fn digest_has_no_parts_and_a_long_message_ends_the_operation() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let (digests, p256) = (module.private(session, "digests"), module.private(session, "p256"));
    let mut part = vec![1; 1 << 19];
    let (at, length) = (part.as_mut_ptr(), part.len() as CK_ULONG);
    let update = |length| call!(module, C_SignUpdate, session, at, length);
    assert_eq!(module.sign_init(session, CKM_ECDSA, digests), CKR_OK);
    // The error ends the operation.
    assert_eq!(update(32), CKR_OPERATION_NOT_INITIALIZED);
    assert_eq!(module.sign_init(session, CKM_ECDSA_SHA256, p256), CKR_OK);
    assert_eq!(update(length), CKR_OK);
    assert_eq!(update(length), CKR_DATA_LEN_RANGE);
    assert_eq!(update(length), CKR_OPERATION_NOT_INITIALIZED);
    // A message is whole or in parts.
    assert_eq!(module.sign_init(session, CKM_ECDSA_SHA256, p256), CKR_OK);
    assert_eq!(update(5), CKR_OK);
    let (mut to, mut room) = ([0; 64], 64);
    let whole = call!(module, C_Sign, session, at, 5, to.as_mut_ptr(), &raw mut room);
    assert_eq!(whole, CKR_OPERATION_ACTIVE);
    let key = module.private(session, "ed25519");
    let long = vec![1; sockets_pkcs11_wire::MAX_MESSAGE];
    assert!(module.sign(session, CKM_EDDSA, key, &long).is_ok());
    let longer = vec![1; sockets_pkcs11_wire::MAX_MESSAGE + 1];
    assert_eq!(module.sign(session, CKM_EDDSA, key, &longer), Err(CKR_DATA_LEN_RANGE));
}

#[test]
fn operation_that_does_not_fit_is_refused() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let (ed25519, p256) = (module.private(session, "ed25519"), module.private(session, "p256"));
    let public = module.public(session, "ed25519");
    let cases = [
        (CKM_EDDSA, p256, CKR_KEY_TYPE_INCONSISTENT),
        (CKM_ECDSA_SHA256, ed25519, CKR_KEY_TYPE_INCONSISTENT),
        (CKM_EDDSA, public, CKR_KEY_FUNCTION_NOT_PERMITTED),
        (CKM_EDDSA, 0, CKR_KEY_HANDLE_INVALID),
        (CKM_EDDSA, 9999, CKR_KEY_HANDLE_INVALID),
        (CKM_ECDSA_SHA384, p256, CKR_MECHANISM_INVALID),
        (CKM_RSA_PKCS, p256, CKR_MECHANISM_INVALID),
        (CKM_ML_DSA, p256, CKR_KEY_TYPE_INCONSISTENT),
        (CKM_EDDSA, module.private(session, "mldsa"), CKR_KEY_TYPE_INCONSISTENT),
        (CKM_HASH_ML_DSA_SHA512, module.private(session, "mldsa"), CKR_MECHANISM_INVALID),
    ];
    for (mechanism, key, expected) in cases {
        assert_eq!(module.sign_init(session, mechanism, key), expected, "{mechanism}");
    }
    assert_eq!(module.sign_init(9999, CKM_EDDSA, ed25519), CKR_SESSION_HANDLE_INVALID);
    // The parameters of Ed25519 are for its context and for its hash before the message, which nobody has here.
    let mut parameters = CK_EDDSA_PARAMS::default();
    let mut mechanism = CK_MECHANISM {
        mechanism: CKM_EDDSA,
        pParameter: (&raw mut parameters).cast(),
        ulParameterLen: size_of::<CK_EDDSA_PARAMS>() as CK_ULONG,
    };
    let result = call!(module, C_SignInit, session, &raw mut mechanism, ed25519);
    assert_eq!(result, CKR_MECHANISM_PARAM_INVALID);
    assert_eq!(module.sign_init(session, CKM_EDDSA, ed25519), CKR_OK);
    assert_eq!(module.sign_init(session, CKM_EDDSA, ed25519), CKR_OPERATION_ACTIVE);
    // No mechanism ends the operation, and so does a cancellation.
    assert_eq!(call!(module, C_SignInit, session, std::ptr::null_mut(), 0), CKR_OK);
    assert_eq!(module.sign_init(session, CKM_EDDSA, ed25519), CKR_OK);
    assert_eq!(call!(module, C_SessionCancel, session, CKF_SIGN), CKR_OK);
    assert_eq!(module.sign_init(session, CKM_EDDSA, ed25519), CKR_OK);
}

#[test]
fn message_that_the_key_does_not_sign_is_invalid_data() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let key = module.private(session, "validator");
    assert_eq!(module.sign(session, CKM_EDDSA, key, b"hello"), Err(CKR_DATA_INVALID));
    let failures = [
        (sockets_backend::Failure::Refused("no".into()), CKR_FUNCTION_REJECTED),
        (sockets_backend::Failure::Unsupported("no".into()), CKR_FUNCTION_NOT_SUPPORTED),
        (sockets_backend::Failure::Unavailable("no".into()), CKR_DEVICE_ERROR),
        (sockets_backend::Failure::Expired("no".into()), CKR_FUNCTION_FAILED),
        (sockets_backend::Failure::Broken("no".into()), CKR_GENERAL_ERROR),
    ];
    let key = module.private(session, "ed25519");
    for (failure, expected) in failures {
        served.local.fail(Some(failure));
        assert_eq!(module.sign(session, CKM_EDDSA, key, b"hello"), Err(expected));
    }
    served.local.fail(None);
    assert!(module.sign(session, CKM_EDDSA, key, b"hello").is_ok());
}

/// A program has one buffer, for the message and then for its signature.
#[test]
fn signature_takes_the_place_of_its_message() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let (key, public) = (module.private(session, "ed25519"), module.public(session, "ed25519"));
    let message = [9; 200];
    let (mut buffer, mut length) = (message.to_vec(), 200);
    assert_eq!(module.sign_init(session, CKM_EDDSA, key), CKR_OK);
    let at = buffer.as_mut_ptr();
    assert_eq!(call!(module, C_Sign, session, at, 200, at, &raw mut length), CKR_OK);
    let signature = &buffer[..length as usize];
    assert_eq!(module.verify(session, CKM_EDDSA, public, &message, signature), CKR_OK);
    assert_eq!(buffer[64..], message[64..]);
}
