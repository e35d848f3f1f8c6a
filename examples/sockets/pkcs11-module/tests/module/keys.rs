//! Objects, their attributes, the login, and new keys.

use cryptoki_sys::*;
use sockets_backend::encoding::spki;
use sockets_backend::{Backend as _, Limits};

use crate::call;
use crate::client::{Module, plain, template};
use crate::served::Served;

/// The OBJECT IDENTIFIERs of the curves.
const P256: &[u8] = &[0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
const SECP256K1: &[u8] = &[0x06, 5, 0x2b, 0x81, 4, 0, 0x0a];
const ED25519: &[u8] = &[0x06, 3, 0x2b, 0x65, 0x70];

#[test]
fn each_key_is_two_objects_that_are_found_by_attributes() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let find = |attributes: &[_]| module.find(session, attributes).unwrap();
    assert_eq!(find(&[]).len(), 12);
    let (private, edwards) = (CKO_PRIVATE_KEY.to_ne_bytes(), CKK_EC_EDWARDS.to_ne_bytes());
    assert_eq!(find(&[(CKA_CLASS, &private)]).len(), 6);
    assert_eq!(find(&[(CKA_CLASS, &private), (CKA_KEY_TYPE, &edwards)]).len(), 2);
    assert_eq!(find(&[(CKA_EC_PARAMS, SECP256K1)]).len(), 2);
    assert_eq!(find(&[(CKA_LABEL, b"p256")]).len(), 2);
    assert_eq!(find(&[(CKA_LABEL, b"none")]).len(), 0);
    // An attribute that objects do not have, or do not show, matches none of them.
    assert_eq!(find(&[(CKA_VALUE, b"")]).len(), 0);
    assert_eq!(find(&[(CKA_MODULUS, b"")]).len(), 0);
    let id = module.attribute(session, module.public(session, "p256"), CKA_ID).unwrap();
    let both = find(&[(CKA_ID, &id)]);
    assert_eq!(both, [module.public(session, "p256"), module.private(session, "p256")]);
}

#[test]
fn attributes_are_those_of_the_standard() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let keys = runtime.block_on(served.local.keys()).unwrap();
    for (name, curve) in [("p256", P256), ("secp256k1", SECP256K1), ("ed25519", ED25519)] {
        let key = keys.iter().find(|key| key.name == name).unwrap();
        let (public, private) = (module.public(session, name), module.private(session, name));
        let info = spki::public_key(key.scheme, &key.public_key).unwrap();
        for object in [public, private] {
            let get = |kind| module.attribute(session, object, kind).unwrap();
            assert_eq!(get(CKA_EC_PARAMS), curve);
            assert_eq!(get(CKA_ID), key.id.as_bytes());
            assert_eq!(get(CKA_LABEL), name.as_bytes());
            assert_eq!(get(CKA_TOKEN), [1]);
            assert_eq!(get(CKA_PUBLIC_KEY_INFO), info);
            for no in [CKA_PRIVATE, CKA_MODIFIABLE, CKA_DESTROYABLE, CKA_DERIVE] {
                assert_eq!(get(no), [0]);
            }
        }
        let get = |kind| module.attribute(session, private, kind).unwrap();
        for yes in [CKA_SENSITIVE, CKA_ALWAYS_SENSITIVE, CKA_NEVER_EXTRACTABLE, CKA_SIGN] {
            assert_eq!(get(yes), [1]);
        }
        for no in [CKA_EXTRACTABLE, CKA_DECRYPT, CKA_UNWRAP, CKA_ALWAYS_AUTHENTICATE] {
            assert_eq!(get(no), [0]);
        }
        assert_eq!(module.attribute(session, public, CKA_VERIFY), Ok(vec![1]));
        let value = module.attribute(session, private, CKA_VALUE);
        assert_eq!(value, Err(CKR_ATTRIBUTE_SENSITIVE));
        let value = module.attribute(session, public, CKA_VALUE);
        assert_eq!(value, Err(CKR_ATTRIBUTE_TYPE_INVALID));
    }
    assert_eq!(module.attribute(session, 9999, CKA_ID), Err(CKR_OBJECT_HANDLE_INVALID));
}

#[test]
fn key_of_ml_dsa_has_a_parameter_set_and_no_curve() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let keys = runtime.block_on(served.local.keys()).unwrap();
    let key = keys.iter().find(|key| key.name == "mldsa").unwrap();
    let (public, private) = (module.public(session, "mldsa"), module.private(session, "mldsa"));
    let info = spki::public_key(key.scheme, &key.public_key).unwrap();
    for object in [public, private] {
        let get = |kind| module.attribute(session, object, kind);
        assert_eq!(get(CKA_KEY_TYPE), Ok(CKK_ML_DSA.to_ne_bytes().to_vec()));
        assert_eq!(get(CKA_PARAMETER_SET), Ok(CKP_ML_DSA_65.to_ne_bytes().to_vec()));
        assert_eq!(get(CKA_ALLOWED_MECHANISMS), Ok(CKM_ML_DSA.to_ne_bytes().to_vec()));
        assert_eq!(get(CKA_PUBLIC_KEY_INFO), Ok(info.clone()));
        for none in [CKA_EC_PARAMS, CKA_EC_POINT] {
            assert_eq!(get(none), Err(CKR_ATTRIBUTE_TYPE_INVALID));
        }
    }
    assert_eq!(module.attribute(session, public, CKA_VALUE), Ok(key.public_key.clone()));
    for secret in [CKA_VALUE, CKA_SEED] {
        assert_eq!(module.attribute(session, private, secret), Err(CKR_ATTRIBUTE_SENSITIVE));
    }
    let other = module.attribute(session, module.public(session, "p256"), CKA_PARAMETER_SET);
    assert_eq!(other, Err(CKR_ATTRIBUTE_TYPE_INVALID));
}

#[test]
fn template_is_filled_as_far_as_it_can_be() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let key = module.private(session, "ed25519");
    let (mut value, mut label, mut short) = ([9; 32], [9; 32], [9; 3]);
    let room = |kind, bytes: &mut [u8]| CK_ATTRIBUTE {
        type_: kind,
        pValue: bytes.as_mut_ptr().cast(),
        ulValueLen: bytes.len() as CK_ULONG,
    };
    let mut wanted =
        [room(CKA_VALUE, &mut value), room(CKA_ID, &mut short), room(CKA_LABEL, &mut label)];
    let at = wanted.as_mut_ptr();
    let result = call!(module, C_GetAttributeValue, session, key, at, 3);
    assert_eq!(result, CKR_BUFFER_TOO_SMALL);
    let lengths = wanted.map(|attribute| attribute.ulValueLen);
    assert_eq!(lengths, [CK_UNAVAILABLE_INFORMATION, CK_UNAVAILABLE_INFORMATION, 7]);
    assert_eq!((value, short, &label[..8]), ([9; 32], [9; 3], &b"ed25519\x09"[..]));
}

#[test]
fn private_keys_are_there_after_the_login_alone() {
    let served = Served::start(Some(b"1234"));
    let module = served.module();
    let session = module.open();
    let class = CKO_PRIVATE_KEY.to_ne_bytes();
    let private = || module.find(session, &[(CKA_CLASS, &class)]).unwrap();
    assert_eq!((private().len(), module.find(session, &[]).unwrap().len()), (0, 6));
    // The handle is no secret; the key is not to be used.
    let guessed = module.public(session, "ed25519") + 1;
    assert_eq!(module.sign_init(session, CKM_EDDSA, guessed), CKR_USER_NOT_LOGGED_IN);
    let hidden = module.attribute(session, guessed, CKA_ID);
    assert_eq!(hidden, Err(CKR_OBJECT_HANDLE_INVALID));
    for wrong in [&b"4321"[..], b"", b"12345", &[b'1'; 300]] {
        assert_eq!(module.login(session, wrong), CKR_PIN_INCORRECT);
    }
    let mut pin = *b"1234";
    let officer = call!(module, C_Login, session, CKU_SO, pin.as_mut_ptr(), 4);
    assert_eq!(officer, CKR_USER_TYPE_INVALID);
    assert_eq!(module.login(session, b"1234"), CKR_OK);
    assert_eq!(module.login(session, b"1234"), CKR_USER_ALREADY_LOGGED_IN);
    assert_eq!(private().len(), 6);
    let key = module.private(session, "ed25519");
    assert_eq!(module.attribute(session, key, CKA_PRIVATE), Ok(vec![1]));
    assert!(module.sign(session, CKM_EDDSA, key, b"hello").is_ok());
    // A logout ends what has begun.
    assert_eq!(module.sign_init(session, CKM_EDDSA, key), CKR_OK);
    assert_eq!(call!(module, C_Logout, session), CKR_OK);
    assert_eq!(call!(module, C_Logout, session), CKR_USER_NOT_LOGGED_IN);
    let (mut to, mut length) = ([0; 64], 64);
    let at = to.as_mut_ptr();
    let result = call!(module, C_Sign, session, at, 5, at, &raw mut length);
    assert_eq!(result, CKR_OPERATION_NOT_INITIALIZED);
    assert_eq!(private().len(), 0);
}

#[test]
fn user_is_locked_out_after_wrong_pins() {
    let served = Served::start(Some(b"1234"));
    let module = served.module();
    let session = module.open();
    for _ in 0..5 {
        assert_eq!(module.login(session, b"wrong"), CKR_PIN_INCORRECT);
    }
    assert_eq!(module.login(session, b"1234"), CKR_PIN_LOCKED);
    // The public keys are there for everybody.
    assert_eq!(module.find(session, &[]).unwrap().len(), 6);
}

#[test]
fn login_ends_when_the_pin_of_the_token_changes() {
    let mut served = Served::start(Some(b"1234"));
    let module = served.module();
    let session = module.open();
    assert_eq!(module.login(session, b"1234"), CKR_OK);
    let key = module.private(session, "ed25519");
    served.stop();
    served.again(Some(b"5678"), Limits::default());
    assert_eq!(module.sign(session, CKM_EDDSA, key, b"hello"), Err(CKR_USER_NOT_LOGGED_IN));
    assert_eq!(module.login(session, b"5678"), CKR_OK);
    assert!(module.sign(session, CKM_EDDSA, key, b"hello").is_ok());
}

#[test]
fn token_without_pin_has_no_login() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    assert_eq!(module.login(session, b"1234"), CKR_USER_PIN_NOT_INITIALIZED);
}

pub(crate) fn generate(
    module: &Module,
    session: CK_SESSION_HANDLE,
    mechanism: CK_MECHANISM_TYPE,
    public: &[(CK_ATTRIBUTE_TYPE, &[u8])],
    private: &[(CK_ATTRIBUTE_TYPE, &[u8])],
) -> CK_RV {
    let (mut public, mut private) = (template(public), template(private));
    let (counts, mut mechanism) = ((public.len(), private.len()), plain(mechanism));
    let (mut public_key, mut private_key) = (0, 0);
    call!(
        module,
        C_GenerateKeyPair,
        session,
        &raw mut mechanism,
        public.as_mut_ptr(),
        counts.0 as CK_ULONG,
        private.as_mut_ptr(),
        counts.1 as CK_ULONG,
        &raw mut public_key,
        &raw mut private_key
    )
}

/// The committee of this test makes no keys, so a template that is right gets that far.
#[test]
fn template_of_a_new_key_has_to_fit_it() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let (edwards, ec) = (CKM_EC_EDWARDS_KEY_PAIR_GEN, CKM_EC_KEY_PAIR_GEN);
    let token: (CK_ATTRIBUTE_TYPE, &[u8]) = (CKA_TOKEN, &[1]);
    let named = |curve| [token, (CKA_EC_PARAMS, curve), (CKA_LABEL, b"new")];
    let private = [token, (CKA_SENSITIVE, &[1]), (CKA_SIGN, &[1]), (CKA_PRIVATE, &[1])];
    for curve in [ED25519, b"\x13\x0cedwards25519"] {
        let result = generate(&module, session, edwards, &named(curve), &private);
        assert_eq!(result, CKR_FUNCTION_NOT_SUPPORTED);
    }
    for curve in [P256, SECP256K1] {
        let result = generate(&module, session, ec, &named(curve), &private);
        assert_eq!(result, CKR_FUNCTION_NOT_SUPPORTED);
    }
    let good = named(ED25519);
    let with = |more: (CK_ATTRIBUTE_TYPE, &'static [u8])| [private[0], private[1], more];
    let cases: [(_, &[_], &[_], _); 12] = [
        (ec, &good, &private, CKR_TEMPLATE_INCONSISTENT),
        (CKM_RSA_PKCS_KEY_PAIR_GEN, &good, &private, CKR_MECHANISM_INVALID),
        (edwards, &good[..1], &private, CKR_TEMPLATE_INCOMPLETE),
        (ec, &named(b"\x06\x01\x00"), &private, CKR_CURVE_NOT_SUPPORTED),
        (edwards, &good[1..], &private, CKR_TEMPLATE_INCONSISTENT),
        (edwards, &good, &[], CKR_TEMPLATE_INCONSISTENT),
        (edwards, &good, &with((CKA_TOKEN, &[0])), CKR_TEMPLATE_INCONSISTENT),
        (edwards, &good, &with((CKA_EXTRACTABLE, &[1])), CKR_TEMPLATE_INCONSISTENT),
        (edwards, &good, &with((CKA_LABEL, b"other")), CKR_TEMPLATE_INCONSISTENT),
        (edwards, &good, &with((CKA_ID, b"1")), CKR_ATTRIBUTE_READ_ONLY),
        (edwards, &good, &with((CKA_VALUE, &[1; 32])), CKR_ATTRIBUTE_READ_ONLY),
        (edwards, &good, &with((CKA_MODULUS, b"1")), CKR_ATTRIBUTE_TYPE_INVALID),
    ];
    for (place, (mechanism, public, private, expected)) in cases.into_iter().enumerate() {
        let result = generate(&module, session, mechanism, public, private);
        assert_eq!(result, expected, "{place}");
    }
    let sets = [CKP_ML_DSA_65, CKP_ML_DSA_44, CKP_ML_DSA_87, 9].map(CK_ULONG::to_ne_bytes);
    let cases: [(&[_], _); 6] = [
        (&[token, (CKA_PARAMETER_SET, &sets[0])], CKR_FUNCTION_NOT_SUPPORTED),
        (&[token, (CKA_PARAMETER_SET, &sets[1])], CKR_PARAMETER_SET_NOT_SUPPORTED),
        (&[token, (CKA_PARAMETER_SET, &sets[2])], CKR_PARAMETER_SET_NOT_SUPPORTED),
        (&[token, (CKA_PARAMETER_SET, &sets[3])], CKR_ATTRIBUTE_VALUE_INVALID),
        (&[token, (CKA_PARAMETER_SET, &[1])], CKR_ATTRIBUTE_VALUE_INVALID),
        (&[token, (CKA_EC_PARAMS, ED25519)], CKR_TEMPLATE_INCOMPLETE),
    ];
    for (place, (public, expected)) in cases.into_iter().enumerate() {
        let result = generate(&module, session, CKM_ML_DSA_KEY_PAIR_GEN, public, &private);
        assert_eq!(result, expected, "{place}");
    }
    let taken = [token, (CKA_EC_PARAMS, ED25519), (CKA_LABEL, b"p256")];
    let result = generate(&module, session, edwards, &taken, &private);
    assert_eq!(result, CKR_ATTRIBUTE_VALUE_INVALID);
    let (mut reading, null) = (0, std::ptr::null_mut());
    let flags = CKF_SERIAL_SESSION;
    let result = call!(module, C_OpenSession, 0, flags, null, None, &raw mut reading);
    assert_eq!(result, CKR_OK);
    let result = generate(&module, reading, edwards, &good, &private);
    assert_eq!(result, CKR_SESSION_READ_ONLY);
}
