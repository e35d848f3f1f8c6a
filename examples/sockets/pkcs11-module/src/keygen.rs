//! New keys.

use cryptoki_sys::*;
use sockets_pkcs11_wire::{Answer, KeyInfo, MAX_NAME, MakeRequest, Request, Scheme};

use crate::attributes;
use crate::daemon::Daemon;
use crate::object::{Half, Object, Objects};
use crate::output::Attribute;
use crate::rv::{Result, Rv};
use crate::{sign, state};

/// The handles of a public and a private key.
type Pair = (CK_OBJECT_HANDLE, CK_OBJECT_HANDLE);

/// Has the committee make a key.
pub(crate) fn generate(
    handle: CK_SESSION_HANDLE,
    mechanism: CK_MECHANISM,
    public: &[Attribute<'_>],
    private: &[Attribute<'_>],
) -> Result<Pair> {
    let scheme = scheme(mechanism, public)?;
    let name = name(public, private)?;
    let (daemon, frame) = state::with(|library| {
        if !library.session(handle)?.is_read_write() {
            return Err(Rv(CKR_SESSION_READ_ONLY));
        }
        let key = KeyInfo {
            id: [0; 32],
            scheme,
            signs_digests: false,
            name: name.to_owned(),
            public_key: vec![],
        };
        for (half, template) in [(Half::Public, public), (Half::Private, private)] {
            check(Object { half, key: &key }, template)?;
        }
        let request = Request::Make(MakeRequest { pin: library.pin(), scheme, name });
        Ok((library.daemon.clone(), request.to_frame()))
    })?;
    match sign::asked(&daemon, frame)? {
        Answer::Made(key) if key.scheme == scheme => state::with(|library| {
            let place = library.objects.add(key)?;
            let handle = |half| Objects::handle(place, half);
            Ok((handle(Half::Public), handle(Half::Private)))
        }),
        _ => Err(Daemon::CONFUSED),
    }
}

/// The value of an attribute that has to be in a template.
fn required<'a>(template: &[Attribute<'a>], kind: CK_ATTRIBUTE_TYPE) -> Result<&'a [u8]> {
    let found = template.iter().find(|attribute| attribute.kind == kind);
    found.map(|attribute| attribute.value).ok_or(Rv(CKR_TEMPLATE_INCOMPLETE))
}

/// The scheme of a parameter set of ML-DSA.
fn parameter_set(public: &[Attribute<'_>]) -> Result<Scheme> {
    match required(public, CKA_PARAMETER_SET)?.try_into().map(CK_ULONG::from_ne_bytes) {
        Ok(CKP_ML_DSA_65) => Ok(Scheme::MlDsa65),
        Ok(CKP_ML_DSA_44 | CKP_ML_DSA_87) => Err(Rv(CKR_PARAMETER_SET_NOT_SUPPORTED)),
        _ => Err(Rv(CKR_ATTRIBUTE_VALUE_INVALID)),
    }
}

/// The scheme that a mechanism and a curve are.
fn scheme(mechanism: CK_MECHANISM, public: &[Attribute<'_>]) -> Result<Scheme> {
    let is_edwards = match mechanism.mechanism {
        CKM_EC_KEY_PAIR_GEN => false,
        CKM_EC_EDWARDS_KEY_PAIR_GEN => true,
        CKM_ML_DSA_KEY_PAIR_GEN if mechanism.ulParameterLen == 0 => return parameter_set(public),
        CKM_ML_DSA_KEY_PAIR_GEN => return Err(Rv(CKR_MECHANISM_PARAM_INVALID)),
        _ => return Err(Rv(CKR_MECHANISM_INVALID)),
    };
    if mechanism.ulParameterLen != 0 {
        return Err(Rv(CKR_MECHANISM_PARAM_INVALID));
    }
    let curve = required(public, CKA_EC_PARAMS)?;
    let scheme = attributes::scheme_of(curve).ok_or(Rv(CKR_CURVE_NOT_SUPPORTED))?;
    if (scheme == Scheme::Ed25519) == is_edwards {
        Ok(scheme)
    } else {
        Err(Rv(CKR_TEMPLATE_INCONSISTENT))
    }
}

/// The label of both templates, or of one. Without any, the key is named by its id.
fn name<'a>(public: &[Attribute<'a>], private: &[Attribute<'a>]) -> Result<&'a str> {
    let labels = || public.iter().chain(private).filter(|attribute| attribute.kind == CKA_LABEL);
    let first = labels().map(|attribute| attribute.value).next().unwrap_or_default();
    if labels().any(|attribute| attribute.value != first) {
        return Err(Rv(CKR_TEMPLATE_INCONSISTENT));
    }
    let name = core::str::from_utf8(first).ok().filter(|name| name.len() <= MAX_NAME);
    name.ok_or(Rv(CKR_ATTRIBUTE_VALUE_INVALID))
}

/// Checks that the key that would be made has every attribute of a template.
fn check(object: Object<'_>, template: &[Attribute<'_>]) -> Result<()> {
    let is_token = |attribute: &Attribute<'_>| attribute.kind == CKA_TOKEN;
    if !template.iter().any(is_token) {
        // A key of this session alone is the default of PKCS#11, and no committee makes one.
        return Err(Rv(CKR_TEMPLATE_INCONSISTENT));
    }
    template.iter().try_for_each(|attribute| check_one(object, attribute))
}

fn check_one(object: Object<'_>, Attribute { kind, value }: &Attribute<'_>) -> Result<()> {
    match *kind {
        // The curve is known, and the label is in both halves. A private key is private where consumers have to log in.
        CKA_EC_PARAMS | CKA_LABEL | CKA_PRIVATE => Ok(()),
        // The id is a hash of the public key.
        CKA_ID if value.is_empty() => Ok(()),
        CKA_ID | CKA_VALUE | CKA_EC_POINT | CKA_PUBLIC_KEY_INFO | CKA_UNIQUE_ID => {
            Err(Rv(CKR_ATTRIBUTE_READ_ONLY))
        }
        kind => match attributes::value(object, kind, false) {
            Ok(own) if own == *value => Ok(()),
            Ok(_) => Err(Rv(CKR_TEMPLATE_INCONSISTENT)),
            Err(why) => Err(why),
        },
    }
}
