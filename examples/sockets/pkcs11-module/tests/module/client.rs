//! A program that loads the module.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use cryptoki_sys::*;
use sockets_testkit::Folder;

/// One test at a time sets the variable and initialises its copy of the module.
static ENVIRONMENT: Mutex<()> = Mutex::new(());

/// The library beside this test.
pub(crate) fn path() -> PathBuf {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let name = "libquorate_pkcs11.so";
    let paths = [folder.join(name), folder.parent().unwrap().join(name)];
    paths.into_iter().find(|path| path.is_file()).expect("the module is built with its tests")
}

/// The module, loaded for one test: a copy has a state of its own.
pub(crate) struct Module {
    library: Pkcs11,
    list: &'static CK_FUNCTION_LIST_3_0,
}

unsafe impl Send for Module {}
unsafe impl Sync for Module {}

/// Calls a function of the list.
#[macro_export]
macro_rules! call {
    ($module:expr, $name:ident $(, $argument:expr)*) => {
        unsafe { ($module.list().$name.unwrap())($($argument),*) }
    };
}

impl Module {
    /// Loads a copy of the module.
    pub(crate) fn load(folder: &Folder) -> Self {
        let copy = folder.join("module.so");
        std::fs::copy(path(), &copy).unwrap();
        let library = unsafe { Pkcs11::new(copy) }.unwrap();
        let mut interface = std::ptr::null_mut();
        let get = library.C_GetInterface.as_ref().unwrap();
        let null = std::ptr::null_mut();
        let result = unsafe { get(null, null.cast(), &raw mut interface, 0) };
        assert_eq!(result, CKR_OK);
        let list = unsafe { &*(*interface).pFunctionList.cast::<CK_FUNCTION_LIST_3_0>() };
        Self { library, list }
    }

    /// Loads a copy of the module, and initialises it for a socket.
    pub(crate) fn start(folder: &Folder, socket: &Path) -> Self {
        let module = Self::load(folder);
        module.initialize(socket);
        module
    }

    pub(crate) fn initialize(&self, socket: &Path) {
        let _guard = ENVIRONMENT.lock().unwrap();
        unsafe { std::env::set_var("QUORATE_PKCS11_SOCKET", socket) };
        let mut arguments =
            CK_C_INITIALIZE_ARGS { flags: CKF_OS_LOCKING_OK, ..CK_C_INITIALIZE_ARGS::default() };
        assert_eq!(call!(self, C_Initialize, (&raw mut arguments).cast()), CKR_OK);
    }

    pub(crate) fn library(&self) -> &Pkcs11 {
        &self.library
    }

    pub(crate) fn list(&self) -> &'static CK_FUNCTION_LIST_3_0 {
        self.list
    }

    /// Opens a session that can write.
    pub(crate) fn open(&self) -> CK_SESSION_HANDLE {
        self.try_open().unwrap()
    }

    pub(crate) fn try_open(&self) -> Result<CK_SESSION_HANDLE, CK_RV> {
        let (mut session, flags) = (0, CKF_SERIAL_SESSION | CKF_RW_SESSION);
        let null = std::ptr::null_mut();
        let result = call!(self, C_OpenSession, 0, flags, null, None, &raw mut session);
        if result == CKR_OK { Ok(session) } else { Err(result) }
    }

    pub(crate) fn login(&self, session: CK_SESSION_HANDLE, pin: &[u8]) -> CK_RV {
        let mut pin = pin.to_vec();
        call!(self, C_Login, session, CKU_USER, pin.as_mut_ptr(), pin.len() as CK_ULONG)
    }

    /// The objects that have these attributes.
    pub(crate) fn find(
        &self,
        session: CK_SESSION_HANDLE,
        attributes: &[(CK_ATTRIBUTE_TYPE, &[u8])],
    ) -> Result<Vec<CK_OBJECT_HANDLE>, CK_RV> {
        let mut template = template(attributes);
        let count = template.len() as CK_ULONG;
        let result = call!(self, C_FindObjectsInit, session, template.as_mut_ptr(), count);
        if result != CKR_OK {
            return Err(result);
        }
        let mut found = vec![];
        loop {
            // Two at a time, so that a list has several parts.
            let (mut objects, mut count) = ([0; 2], 0);
            let at = objects.as_mut_ptr();
            let result = call!(self, C_FindObjects, session, at, 2, &raw mut count);
            assert_eq!(result, CKR_OK);
            if count == 0 {
                break;
            }
            found.extend(&objects[..count as usize]);
        }
        assert_eq!(call!(self, C_FindObjectsFinal, session), CKR_OK);
        Ok(found)
    }

    /// The one key with a name, of a class.
    pub(crate) fn key(
        &self,
        session: CK_SESSION_HANDLE,
        class: CK_OBJECT_CLASS,
        name: &str,
    ) -> CK_OBJECT_HANDLE {
        let class = class.to_ne_bytes();
        let found =
            self.find(session, &[(CKA_CLASS, &class), (CKA_LABEL, name.as_bytes())]).unwrap();
        assert_eq!(found.len(), 1, "{name}");
        found[0]
    }

    pub(crate) fn private(&self, session: CK_SESSION_HANDLE, name: &str) -> CK_OBJECT_HANDLE {
        self.key(session, CKO_PRIVATE_KEY, name)
    }

    pub(crate) fn public(&self, session: CK_SESSION_HANDLE, name: &str) -> CK_OBJECT_HANDLE {
        self.key(session, CKO_PUBLIC_KEY, name)
    }

    /// An attribute of an object, by two calls.
    pub(crate) fn attribute(
        &self,
        session: CK_SESSION_HANDLE,
        object: CK_OBJECT_HANDLE,
        kind: CK_ATTRIBUTE_TYPE,
    ) -> Result<Vec<u8>, CK_RV> {
        let null = std::ptr::null_mut();
        let mut attribute = CK_ATTRIBUTE { type_: kind, pValue: null, ulValueLen: 0 };
        let result = call!(self, C_GetAttributeValue, session, object, &raw mut attribute, 1);
        if result != CKR_OK {
            if result != CKR_OBJECT_HANDLE_INVALID {
                assert_eq!(attribute.ulValueLen, CK_UNAVAILABLE_INFORMATION);
            }
            return Err(result);
        }
        let mut value = vec![0; attribute.ulValueLen as usize];
        attribute.pValue = value.as_mut_ptr().cast();
        let result = call!(self, C_GetAttributeValue, session, object, &raw mut attribute, 1);
        assert_eq!((result, attribute.ulValueLen as usize), (CKR_OK, value.len()));
        Ok(value)
    }

    pub(crate) fn sign_init(
        &self,
        session: CK_SESSION_HANDLE,
        mechanism: CK_MECHANISM_TYPE,
        key: CK_OBJECT_HANDLE,
    ) -> CK_RV {
        let mut mechanism = plain(mechanism);
        call!(self, C_SignInit, session, &raw mut mechanism, key)
    }

    /// Signs a message that is whole.
    pub(crate) fn sign(
        &self,
        session: CK_SESSION_HANDLE,
        mechanism: CK_MECHANISM_TYPE,
        key: CK_OBJECT_HANDLE,
        message: &[u8],
    ) -> Result<Vec<u8>, CK_RV> {
        let result = self.sign_init(session, mechanism, key);
        if result != CKR_OK {
            return Err(result);
        }
        let (mut signature, mut length) = (vec![0; 4000], 4000);
        let (at, count) = (message.as_ptr().cast_mut(), message.len() as CK_ULONG);
        let to = signature.as_mut_ptr();
        let result = call!(self, C_Sign, session, at, count, to, &raw mut length);
        signature.truncate(length as usize);
        if result == CKR_OK { Ok(signature) } else { Err(result) }
    }

    /// Verifies the signature of a message that is whole.
    pub(crate) fn verify(
        &self,
        session: CK_SESSION_HANDLE,
        mechanism: CK_MECHANISM_TYPE,
        key: CK_OBJECT_HANDLE,
        message: &[u8],
        signature: &[u8],
    ) -> CK_RV {
        let mut mechanism = plain(mechanism);
        let result = call!(self, C_VerifyInit, session, &raw mut mechanism, key);
        if result != CKR_OK {
            return result;
        }
        let (at, length) = (message.as_ptr().cast_mut(), message.len() as CK_ULONG);
        let (signature, count) = (signature.as_ptr().cast_mut(), signature.len() as CK_ULONG);
        call!(self, C_Verify, session, at, length, signature, count)
    }
}

/// A mechanism without parameters.
pub(crate) fn plain(mechanism: CK_MECHANISM_TYPE) -> CK_MECHANISM {
    CK_MECHANISM { mechanism, pParameter: std::ptr::null_mut(), ulParameterLen: 0 }
}

/// A template, whose values are those of the attributes.
pub(crate) fn template(attributes: &[(CK_ATTRIBUTE_TYPE, &[u8])]) -> Vec<CK_ATTRIBUTE> {
    let attribute = |(type_, value): &(CK_ATTRIBUTE_TYPE, &[u8])| CK_ATTRIBUTE {
        type_: *type_,
        pValue: value.as_ptr().cast_mut().cast(),
        ulValueLen: value.len() as CK_ULONG,
    };
    attributes.iter().map(attribute).collect()
}
