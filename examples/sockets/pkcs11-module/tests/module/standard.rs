//! The interface, call by call, as the standard has it.

use cryptoki_sys::*;
use sockets_backend::Limits;
use sockets_testkit::Folder;

use crate::call;
use crate::client::{Module, plain};
use crate::served::Served;

const NULL: *mut core::ffi::c_void = std::ptr::null_mut();

#[test]
fn interfaces_are_those_of_two_versions() {
    let folder = Folder::new();
    let module = Module::load(&folder);
    let library = module.library();
    let mut list = std::ptr::null_mut();
    let get = library.C_GetFunctionList.as_ref().unwrap();
    assert_eq!(unsafe { get(&raw mut list) }, CKR_OK);
    let version = unsafe { (*list).version };
    assert_eq!((version.major, version.minor), (2, 40));
    assert_eq!(unsafe { get(std::ptr::null_mut()) }, CKR_ARGUMENTS_BAD);

    let get = library.C_GetInterfaceList.as_ref().unwrap();
    let (mut interfaces, mut count) = ([CK_INTERFACE::default(); 2], 0);
    assert_eq!(unsafe { get(NULL.cast(), &raw mut count) }, CKR_OK);
    assert_eq!(count, 2);
    count = 1;
    let result = unsafe { get(interfaces.as_mut_ptr(), &raw mut count) };
    assert_eq!((result, count), (CKR_BUFFER_TOO_SMALL, 2));
    assert_eq!(unsafe { get(interfaces.as_mut_ptr(), &raw mut count) }, CKR_OK);
    for (interface, version) in interfaces.iter().zip([(3, 0), (2, 40)]) {
        let name = unsafe { std::ffi::CStr::from_ptr(interface.pInterfaceName.cast()) };
        let own = unsafe { *interface.pFunctionList.cast::<CK_VERSION>() };
        assert_eq!(
            (name.to_str().unwrap(), own.major, own.minor),
            ("PKCS 11", version.0, version.1)
        );
        assert_eq!(interface.flags, CKF_INTERFACE_FORK_SAFE);
    }
}

#[test]
fn interface_is_found_by_name_version_and_flags() {
    let folder = Folder::new();
    let module = Module::load(&folder);
    let get = module.library().C_GetInterface.as_ref().unwrap();
    let find = |name: Option<&std::ffi::CStr>, version: Option<(u8, u8)>, flags| {
        let name = name.map_or(std::ptr::null(), std::ffi::CStr::as_ptr).cast_mut().cast();
        let mut version = version.map(|(major, minor)| CK_VERSION { major, minor });
        let version = version.as_mut().map_or(std::ptr::null_mut(), std::ptr::from_mut);
        let mut found = std::ptr::null_mut();
        let result = unsafe { get(name, version, &raw mut found, flags) };
        (result == CKR_OK).then(|| unsafe { *(*found).pFunctionList.cast::<CK_VERSION>() }.minor)
    };
    let name = Some(c"PKCS 11");
    assert_eq!(find(None, None, 0), Some(0));
    assert_eq!(find(name, Some((3, 0)), CKF_INTERFACE_FORK_SAFE), Some(0));
    assert_eq!(find(name, Some((2, 40)), 0), Some(40));
    for other in [find(Some(c"PKCS 12"), None, 0), find(name, Some((3, 2)), 0), find(name, None, 2)]
    {
        assert_eq!(other, None);
    }
    let result = unsafe { get(NULL.cast(), NULL.cast(), std::ptr::null_mut(), 0) };
    assert_eq!(result, CKR_ARGUMENTS_BAD);
}

/// Every function that the library does not have says so, also before it is initialised.
#[test]
fn functions_that_are_not_there_say_so() {
    let folder = Folder::new();
    let module = Module::load(&folder);
    let (b, n, k) = (NULL.cast::<CK_BYTE>(), NULL.cast::<CK_ULONG>(), NULL.cast());
    let (m, t) = (NULL.cast::<CK_MECHANISM>(), NULL.cast::<CK_ATTRIBUTE>());
    let results = [
        call!(module, C_InitToken, 0, b, 0, b),
        call!(module, C_InitPIN, 1, b, 0),
        call!(module, C_SetPIN, 1, b, 0, b, 0),
        call!(module, C_GetOperationState, 1, b, n),
        call!(module, C_SetOperationState, 1, b, 0, 0, 0),
        call!(module, C_CreateObject, 1, t, 0, k),
        call!(module, C_CopyObject, 1, 1, t, 0, k),
        call!(module, C_DestroyObject, 1, 1),
        call!(module, C_GetObjectSize, 1, 1, n),
        call!(module, C_SetAttributeValue, 1, 1, t, 0),
        call!(module, C_EncryptInit, 1, m, 1),
        call!(module, C_Encrypt, 1, b, 0, b, n),
        call!(module, C_DecryptInit, 1, m, 1),
        call!(module, C_Decrypt, 1, b, 0, b, n),
        call!(module, C_DigestInit, 1, m),
        call!(module, C_Digest, 1, b, 0, b, n),
        call!(module, C_DigestKey, 1, 1),
        call!(module, C_SignRecoverInit, 1, m, 1),
        call!(module, C_VerifyRecoverInit, 1, m, 1),
        call!(module, C_GenerateKey, 1, m, t, 0, k),
        call!(module, C_WrapKey, 1, m, 1, 1, b, n),
        call!(module, C_UnwrapKey, 1, m, 1, b, 0, t, 0, k),
        call!(module, C_DeriveKey, 1, m, 1, t, 0, k),
        call!(module, C_WaitForSlotEvent, 0, n, NULL),
        call!(module, C_LoginUser, 1, CKU_USER, b, 0, b, 0),
        call!(module, C_MessageSignInit, 1, m, 1),
        call!(module, C_SignMessage, 1, NULL, 0, b, 0, b, n),
        call!(module, C_MessageVerifyFinal, 1),
    ];
    for (place, result) in results.into_iter().enumerate() {
        assert_eq!(result, CKR_FUNCTION_NOT_SUPPORTED, "{place}");
    }
    assert_eq!(call!(module, C_GetFunctionStatus, 1), CKR_FUNCTION_NOT_PARALLEL);
    assert_eq!(call!(module, C_CancelFunction, 1), CKR_FUNCTION_NOT_PARALLEL);
    assert_eq!(call!(module, C_SeedRandom, 1, b, 0), CKR_RANDOM_SEED_NOT_SUPPORTED);
}

#[test]
fn library_is_initialised_once_and_locks_by_itself() {
    let served = Served::start(None);
    let module = Module::load(&served.folder);
    let mut session = 0;
    let mut open =
        || call!(module, C_OpenSession, 0, CKF_SERIAL_SESSION, NULL, None, &raw mut session);
    assert_eq!(open(), CKR_CRYPTOKI_NOT_INITIALIZED);
    unsafe extern "C" fn lock(_: *mut core::ffi::c_void) -> CK_RV {
        CKR_OK
    }
    let mut some =
        CK_C_INITIALIZE_ARGS { LockMutex: Some(lock), ..CK_C_INITIALIZE_ARGS::default() };
    assert_eq!(call!(module, C_Initialize, (&raw mut some).cast()), CKR_ARGUMENTS_BAD);
    unsafe extern "C" fn create(_: *mut *mut core::ffi::c_void) -> CK_RV {
        CKR_OK
    }
    let (create, lock) = (Some(create as unsafe extern "C" fn(_) -> _), Some(lock as _));
    let mut own = CK_C_INITIALIZE_ARGS {
        CreateMutex: create,
        DestroyMutex: lock,
        LockMutex: lock,
        UnlockMutex: lock,
        ..CK_C_INITIALIZE_ARGS::default()
    };
    assert_eq!(call!(module, C_Initialize, (&raw mut own).cast()), CKR_CANT_LOCK);
    own.flags = CKF_OS_LOCKING_OK;
    own.pReserved = (&raw mut some).cast();
    assert_eq!(call!(module, C_Initialize, (&raw mut own).cast()), CKR_ARGUMENTS_BAD);
    own.pReserved = NULL;
    assert_eq!(call!(module, C_Initialize, (&raw mut own).cast()), CKR_OK);
    assert_eq!(call!(module, C_Initialize, NULL), CKR_CRYPTOKI_ALREADY_INITIALIZED);
    assert_eq!(call!(module, C_Finalize, (&raw mut own).cast()), CKR_ARGUMENTS_BAD);
    assert_eq!(call!(module, C_Finalize, NULL), CKR_OK);
    assert_eq!(call!(module, C_Finalize, NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
    assert_eq!(open(), CKR_CRYPTOKI_NOT_INITIALIZED);
}

fn text(field: &[u8]) -> &str {
    core::str::from_utf8(field).unwrap().trim_end()
}

#[test]
fn slot_and_token_describe_themselves() {
    let served = Served::start(Some(b"1234"));
    let module = served.module();
    let mut info = CK_INFO::default();
    assert_eq!(call!(module, C_GetInfo, &raw mut info), CKR_OK);
    assert_eq!((info.cryptokiVersion.major, text(&info.manufacturerID)), (3, "Quorate"));
    let (mut slots, mut count) = ([9; 4], 0);
    assert_eq!(call!(module, C_GetSlotList, CK_TRUE, NULL.cast(), &raw mut count), CKR_OK);
    assert_eq!(count, 1);
    count = 0;
    let at = slots.as_mut_ptr();
    assert_eq!(call!(module, C_GetSlotList, CK_TRUE, at, &raw mut count), CKR_BUFFER_TOO_SMALL);
    count = 4;
    assert_eq!(call!(module, C_GetSlotList, CK_TRUE, at, &raw mut count), CKR_OK);
    assert_eq!((count, slots[0]), (1, 0));
    let mut info = CK_SLOT_INFO::default();
    assert_eq!(call!(module, C_GetSlotInfo, 0, &raw mut info), CKR_OK);
    assert_eq!(info.flags & CKF_TOKEN_PRESENT, CKF_TOKEN_PRESENT);
    assert_eq!(call!(module, C_GetSlotInfo, 1, &raw mut info), CKR_SLOT_ID_INVALID);
    let _session = module.open();
    let mut info = CK_TOKEN_INFO::default();
    assert_eq!(call!(module, C_GetTokenInfo, 0, &raw mut info), CKR_OK);
    assert_eq!((text(&info.label), text(&info.model)), ("quorate", "committee"));
    assert_eq!((info.ulSessionCount, info.ulMaxSessionCount), (1, 4096));
    let flags = CKF_TOKEN_INITIALIZED | CKF_RNG | CKF_LOGIN_REQUIRED | CKF_USER_PIN_INITIALIZED;
    assert_eq!(info.flags, flags);
    assert_eq!(call!(module, C_GetTokenInfo, 1, &raw mut info), CKR_SLOT_ID_INVALID);
}

#[test]
fn long_name_of_a_token_ends_with_a_whole_letter() {
    let mut served = Served::start(None);
    served.stop();
    served.label = "é".repeat(15) + "abéé";
    served.again(None, Limits::default());
    let module = served.module();
    let mut info = CK_TOKEN_INFO::default();
    assert_eq!(call!(module, C_GetTokenInfo, 0, &raw mut info), CKR_OK);
    assert_eq!(text(&info.label), "é".repeat(15) + "ab");
    served.stop();
    served.label = "é".repeat(15) + "aéé";
    served.again(None, Limits::default());
    assert_eq!(call!(module, C_GetTokenInfo, 0, &raw mut info), CKR_OK);
    assert_eq!((text(&info.label), info.label[31]), (("é".repeat(15) + "a").as_str(), b' '));
}

#[test]
fn mechanisms_are_listed_and_described() {
    let served = Served::start(None);
    let module = served.module();
    let (mut mechanisms, mut count) = ([0; 8], 8);
    let at = mechanisms.as_mut_ptr();
    assert_eq!(call!(module, C_GetMechanismList, 0, at, &raw mut count), CKR_OK);
    let expected = [
        CKM_EDDSA,
        CKM_ECDSA_SHA256,
        CKM_ECDSA,
        CKM_ML_DSA,
        CKM_EC_EDWARDS_KEY_PAIR_GEN,
        CKM_EC_KEY_PAIR_GEN,
        CKM_ML_DSA_KEY_PAIR_GEN,
    ];
    assert_eq!(&mechanisms[..count as usize], expected);
    let mut info = CK_MECHANISM_INFO::default();
    for mechanism in expected {
        let result = call!(module, C_GetMechanismInfo, 0, mechanism, &raw mut info);
        assert_eq!((result, info.flags & CKF_HW), (CKR_OK, 0));
    }
    let result = call!(module, C_GetMechanismInfo, 0, CKM_RSA_PKCS, &raw mut info);
    assert_eq!(result, CKR_MECHANISM_INVALID);
}

#[test]
fn null_pointers_are_bad_arguments() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let key = module.private(session, "ed25519");
    let mut mechanism = plain(CKM_EDDSA);
    let (b, n) = (NULL.cast::<CK_BYTE>(), NULL.cast::<CK_ULONG>());
    let mut bytes = [0; 64];
    let to = bytes.as_mut_ptr();
    assert_eq!(module.sign_init(session, CKM_EDDSA, key), CKR_OK);
    let results = [
        call!(module, C_GetInfo, NULL.cast()),
        call!(module, C_GetSlotList, CK_TRUE, n, n),
        call!(module, C_GetSlotInfo, 0, NULL.cast()),
        call!(module, C_GetTokenInfo, 0, NULL.cast()),
        call!(module, C_GetMechanismList, 0, n, n),
        call!(module, C_GetMechanismInfo, 0, CKM_EDDSA, NULL.cast()),
        call!(module, C_OpenSession, 0, CKF_SERIAL_SESSION, NULL, None, n),
        call!(module, C_GetSessionInfo, session, NULL.cast()),
        call!(module, C_Login, session, CKU_USER, b, 4),
        call!(module, C_GetAttributeValue, session, key, NULL.cast(), 1),
        call!(module, C_FindObjectsInit, session, NULL.cast(), 1),
        call!(module, C_FindObjectsInit, session, NULL.cast(), CK_ULONG::MAX),
        call!(module, C_FindObjects, session, n, 1, n),
        call!(module, C_Sign, session, b, 5, to, n),
        call!(module, C_Sign, session, b, CK_ULONG::MAX, to, n),
        call!(module, C_Sign, session, to, CK_ULONG::MAX, to, n),
        call!(module, C_SignFinal, session, to, n),
        call!(module, C_GenerateRandom, session, b, 5),
        call!(module, C_GenerateRandom, session, b, CK_ULONG::MAX),
        call!(
            module,
            C_GenerateKeyPair,
            session,
            NULL.cast(),
            NULL.cast(),
            0,
            NULL.cast(),
            0,
            n,
            n
        ),
        call!(
            module,
            C_GenerateKeyPair,
            session,
            &raw mut mechanism,
            NULL.cast(),
            1,
            NULL.cast(),
            0,
            n,
            n
        ),
    ];
    for (place, result) in results.into_iter().enumerate() {
        assert_eq!(result, CKR_ARGUMENTS_BAD, "{place}");
    }
    assert_eq!(served.local.signed(), 0);
}

#[test]
fn sessions_have_states_and_end() {
    let served = Served::start(Some(b"1234"));
    let module = served.module();
    let (mut reading, mut info) = (0, CK_SESSION_INFO::default());
    let to = &raw mut reading;
    let result = call!(module, C_OpenSession, 0, 0, NULL, None, to);
    assert_eq!(result, CKR_SESSION_PARALLEL_NOT_SUPPORTED);
    let result = call!(module, C_OpenSession, 7, CKF_SERIAL_SESSION, NULL, None, to);
    assert_eq!(result, CKR_SLOT_ID_INVALID);
    assert_eq!(call!(module, C_OpenSession, 0, CKF_SERIAL_SESSION, NULL, None, to), CKR_OK);
    let writing = module.open();
    let mut state = |session| {
        assert_eq!(call!(module, C_GetSessionInfo, session, &raw mut info), CKR_OK);
        info.state
    };
    assert_eq!(state(reading), CKS_RO_PUBLIC_SESSION);
    assert_eq!(state(writing), CKS_RW_PUBLIC_SESSION);
    assert_eq!(module.login(writing, b"1234"), CKR_OK);
    assert_eq!(state(reading), CKS_RO_USER_FUNCTIONS);
    assert_eq!(state(writing), CKS_RW_USER_FUNCTIONS);
    assert_eq!(call!(module, C_CloseSession, writing), CKR_OK);
    assert_eq!(call!(module, C_CloseSession, writing), CKR_SESSION_HANDLE_INVALID);
    assert_eq!(state(reading), CKS_RO_USER_FUNCTIONS);
    // The last session ends the login.
    assert_eq!(call!(module, C_CloseAllSessions, 0), CKR_OK);
    let again = module.open();
    assert_eq!(state(again), CKS_RW_PUBLIC_SESSION);
    assert_eq!(call!(module, C_CloseAllSessions, 7), CKR_SLOT_ID_INVALID);
}

#[test]
fn random_bytes_come_from_the_system() {
    let served = Served::start(None);
    let module = served.module();
    let session = module.open();
    let (mut first, mut second) = ([0; 1000], [0; 1000]);
    for bytes in [&mut first, &mut second] {
        assert_eq!(call!(module, C_GenerateRandom, session, bytes.as_mut_ptr(), 1000), CKR_OK);
        assert!(bytes.chunks(100).all(|part| part.iter().any(|byte| *byte != 0)));
    }
    assert_ne!(first, second);
    assert_eq!(call!(module, C_GenerateRandom, session, std::ptr::null_mut(), 0), CKR_OK);
    let result = call!(module, C_GenerateRandom, 99, first.as_mut_ptr(), 10);
    assert_eq!(result, CKR_SESSION_HANDLE_INVALID);
}
