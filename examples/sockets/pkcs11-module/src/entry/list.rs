//! The lists of functions.

use core::ffi::CStr;

use cryptoki_sys::*;

use super::{calls, guard, rest};
use crate::output::{Output, Place, value};
use crate::rv::Rv;

const V2: CK_VERSION = CK_VERSION { major: 2, minor: 40 };
const V3: CK_VERSION = CK_VERSION { major: 3, minor: 0 };
const NAME: &CStr = c"PKCS 11";

/// Makes a list of functions: its version and those that all versions have, and the rest.
macro_rules! list {
    ($list:ident, $version:expr, $($rest:tt)*) => {
        $list {
            version: $version,
            C_Initialize: Some(calls::initialize),
            C_Finalize: Some(calls::finalize),
            C_GetInfo: Some(calls::get_info),
            C_GetFunctionList: Some(get_function_list),
            C_GetSlotList: Some(calls::get_slot_list),
            C_GetSlotInfo: Some(calls::get_slot_info),
            C_GetTokenInfo: Some(calls::get_token_info),
            C_GetMechanismList: Some(calls::get_mechanism_list),
            C_GetMechanismInfo: Some(calls::get_mechanism_info),
            C_InitToken: Some(rest::init_token),
            C_InitPIN: Some(rest::bytes_in),
            C_SetPIN: Some(rest::set_pin),
            C_OpenSession: Some(calls::open_session),
            C_CloseSession: Some(calls::close_session),
            C_CloseAllSessions: Some(calls::close_all_sessions),
            C_GetSessionInfo: Some(calls::get_session_info),
            C_GetOperationState: Some(rest::bytes_out),
            C_SetOperationState: Some(rest::set_state),
            C_Login: Some(calls::login),
            C_Logout: Some(calls::logout),
            C_CreateObject: Some(rest::create),
            C_CopyObject: Some(rest::copy),
            C_DestroyObject: Some(rest::object),
            C_GetObjectSize: Some(rest::size),
            C_GetAttributeValue: Some(calls::get_attribute_value),
            C_SetAttributeValue: Some(rest::set_attributes),
            C_FindObjectsInit: Some(calls::find_objects_init),
            C_FindObjects: Some(calls::find_objects),
            C_FindObjectsFinal: Some(calls::find_objects_final),
            C_EncryptInit: Some(rest::init),
            C_Encrypt: Some(rest::bytes_in_out),
            C_EncryptUpdate: Some(rest::bytes_in_out),
            C_EncryptFinal: Some(rest::bytes_out),
            C_DecryptInit: Some(rest::init),
            C_Decrypt: Some(rest::bytes_in_out),
            C_DecryptUpdate: Some(rest::bytes_in_out),
            C_DecryptFinal: Some(rest::bytes_out),
            C_DigestInit: Some(rest::digest_init),
            C_Digest: Some(rest::bytes_in_out),
            C_DigestUpdate: Some(rest::bytes_in),
            C_DigestKey: Some(rest::object),
            C_DigestFinal: Some(rest::bytes_out),
            C_SignInit: Some(calls::sign_init),
            C_Sign: Some(calls::sign),
            C_SignUpdate: Some(calls::sign_update),
            C_SignFinal: Some(calls::sign_final),
            C_SignRecoverInit: Some(rest::init),
            C_SignRecover: Some(rest::bytes_in_out),
            C_VerifyInit: Some(calls::verify_init),
            C_Verify: Some(calls::verify),
            C_VerifyUpdate: Some(calls::verify_update),
            C_VerifyFinal: Some(calls::verify_final),
            C_VerifyRecoverInit: Some(rest::init),
            C_VerifyRecover: Some(rest::bytes_in_out),
            C_DigestEncryptUpdate: Some(rest::bytes_in_out),
            C_DecryptDigestUpdate: Some(rest::bytes_in_out),
            C_SignEncryptUpdate: Some(rest::bytes_in_out),
            C_DecryptVerifyUpdate: Some(rest::bytes_in_out),
            C_GenerateKey: Some(rest::generate),
            C_GenerateKeyPair: Some(calls::generate_key_pair),
            C_WrapKey: Some(rest::wrap),
            C_UnwrapKey: Some(rest::unwrap),
            C_DeriveKey: Some(rest::derive),
            C_SeedRandom: Some(rest::seed_random),
            C_GenerateRandom: Some(calls::generate_random),
            C_GetFunctionStatus: Some(rest::not_parallel),
            C_CancelFunction: Some(rest::not_parallel),
            C_WaitForSlotEvent: Some(rest::wait),
            $($rest)*
        }
    };
}

static LIST_2: CK_FUNCTION_LIST = list!(CK_FUNCTION_LIST, V2,);

static LIST_3: CK_FUNCTION_LIST_3_0 = list!(
    CK_FUNCTION_LIST_3_0,
    V3,
    C_GetInterfaceList: Some(get_interface_list),
    C_GetInterface: Some(get_interface),
    C_LoginUser: Some(rest::login_user),
    C_SessionCancel: Some(calls::session_cancel),
    C_MessageEncryptInit: Some(rest::init),
    C_EncryptMessage: Some(rest::message),
    C_EncryptMessageBegin: Some(rest::message_begin),
    C_EncryptMessageNext: Some(rest::message_next),
    C_MessageEncryptFinal: Some(rest::session),
    C_MessageDecryptInit: Some(rest::init),
    C_DecryptMessage: Some(rest::message),
    C_DecryptMessageBegin: Some(rest::message_begin),
    C_DecryptMessageNext: Some(rest::message_next),
    C_MessageDecryptFinal: Some(rest::session),
    C_MessageSignInit: Some(rest::init),
    C_SignMessage: Some(rest::sign_message),
    C_SignMessageBegin: Some(rest::sign_message_begin),
    C_SignMessageNext: Some(rest::sign_message),
    C_MessageSignFinal: Some(rest::session),
    C_MessageVerifyInit: Some(rest::init),
    C_VerifyMessage: Some(rest::verify_message),
    C_VerifyMessageBegin: Some(rest::sign_message_begin),
    C_VerifyMessageNext: Some(rest::verify_message),
    C_MessageVerifyFinal: Some(rest::session),
);

/// The interfaces, the newest first: that is the one for programs that ask for any.
struct Interfaces([CK_INTERFACE; 2]);

// SAFETY: the pointers are to statics that nobody writes to.
unsafe impl Sync for Interfaces {}

static INTERFACES: Interfaces = Interfaces([
    CK_INTERFACE {
        pInterfaceName: NAME.as_ptr().cast_mut().cast(),
        pFunctionList: (&raw const LIST_3).cast_mut().cast(),
        flags: CKF_INTERFACE_FORK_SAFE,
    },
    CK_INTERFACE {
        pInterfaceName: NAME.as_ptr().cast_mut().cast(),
        pFunctionList: (&raw const LIST_2).cast_mut().cast(),
        flags: CKF_INTERFACE_FORK_SAFE,
    },
]);

pub(super) unsafe extern "C" fn get_function_list(list: *mut *mut CK_FUNCTION_LIST) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is null, or valid for a write.
        let mut list = unsafe { Place::new(list) }?;
        list.set((&raw const LIST_2).cast_mut());
        Ok(())
    })
}

pub(super) unsafe extern "C" fn get_interface_list(
    list: *mut CK_INTERFACE,
    count: *mut CK_ULONG,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointers are valid for the list and its count.
        unsafe { Output::new(list, count) }?.fill(&INTERFACES.0)
    })
}

pub(super) unsafe extern "C" fn get_interface(
    name: *mut CK_UTF8CHAR,
    version: *mut CK_VERSION,
    interface: *mut *mut CK_INTERFACE,
    flags: CK_FLAGS,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is null, or valid for a write.
        let mut interface = unsafe { Place::new(interface) }?;
        // SAFETY: the name ends with a zero.
        let is_ours = name.is_null() || unsafe { CStr::from_ptr(name.cast()) } == NAME;
        let wanted = if version.is_null() {
            None
        } else {
            // SAFETY: the pointer is valid for a read.
            Some(unsafe { value(version) }?)
        };
        let is_wanted = |own: CK_VERSION| {
            wanted.is_none_or(|wanted| (wanted.major, wanted.minor) == (own.major, own.minor))
        };
        let versions = [V3, V2].into_iter().zip(&INTERFACES.0);
        let mut fitting =
            versions.filter(|(own, has)| is_ours && is_wanted(*own) && flags & !has.flags == 0);
        let (_, found) = fitting.next().ok_or(Rv(CKR_ARGUMENTS_BAD))?;
        interface.set(core::ptr::from_ref(found).cast_mut());
        Ok(())
    })
}
