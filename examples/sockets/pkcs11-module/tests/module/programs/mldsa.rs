//! ML-DSA over a committee, by the module's own interface and by a library of Python.

use cryptoki_sys::*;
use ml_dsa::MlDsa65;
use serde_json::Value;

use super::Trying;
use super::python::{SCRIPT, bytes, python};
use crate::client::Module;
use crate::keys::generate;
use sockets_testkit::Folder;

/// Makes a key by the module, and has it sign.
fn made_and_signs(socket: &std::path::Path) {
    let folder = Folder::new();
    let module = Module::start(&folder, socket);
    let session = module.open();
    let token: (CK_ATTRIBUTE_TYPE, &[u8]) = (CKA_TOKEN, &[1]);
    let set = CKP_ML_DSA_65.to_ne_bytes();
    let public = [token, (CKA_PARAMETER_SET, &set), (CKA_LABEL, b"mldsa")];
    let private = [token, (CKA_LABEL, b"mldsa")];
    let made = generate(&module, session, CKM_ML_DSA_KEY_PAIR_GEN, &public, &private);
    assert_eq!(made, CKR_OK);
    let (public, private) = (module.public(session, "mldsa"), module.private(session, "mldsa"));
    let signature = module.sign(session, CKM_ML_DSA, private, b"a message").unwrap();
    assert_eq!(module.verify(session, CKM_ML_DSA, public, b"a message", &signature), CKR_OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn key_of_ml_dsa_is_made_and_signs() {
    let trying = Trying::committee(None).await;
    let socket = trying.folder.join("socket");
    tokio::task::spawn_blocking(move || made_and_signs(&socket)).await.unwrap();
    let Some(python) = python(&trying).await else { return };
    let printed = trying.succeed(&python, &[SCRIPT, "mldsa", trying.module(), ""]).await;
    let answers: Value = serde_json::from_str(&printed).unwrap();
    let key = trying.key("mldsa").await.public_key;
    let key = ml_dsa::VerifyingKey::<MlDsa65>::decode(&key[..].try_into().unwrap());
    let signature = ml_dsa::Signature::<MlDsa65>::try_from(&bytes(&answers, "mldsa")[..]).unwrap();
    assert!(key.verify_with_context(&bytes(&answers, "message"), &[], &signature));
}
