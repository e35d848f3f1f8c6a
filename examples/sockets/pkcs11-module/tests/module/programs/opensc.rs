//! `pkcs11-tool` of OpenSC.

use ed25519_dalek::VerifyingKey;
use p256::ecdsa::signature::Verifier as _;

use super::{Trying, program, text};

#[tokio::test(flavor = "multi_thread")]
async fn pkcs11_tool_makes_keys_lists_them_signs_and_verifies() {
    let Some(tool) = program("pkcs11-tool") else { return };
    let trying = Trying::committee(Some(b"1234")).await;
    let module = ["--module", trying.module()];
    let call = async |arguments: &[&str]| {
        trying
            .succeed(&tool, &[&module[..], &["--login", "--pin", "1234"], arguments].concat())
            .await
    };
    let listed = trying.succeed(&tool, &[&module[..], &["-L"]].concat()).await;
    assert!(listed.contains("token label        : quorate"), "{listed}");
    assert!(listed.contains("login required, rng, token initialized, PIN initialized"), "{listed}");
    for (name, kind) in
        [("ca", "EC:edwards25519"), ("p256", "EC:prime256v1"), ("eth", "EC:secp256k1")]
    {
        let make = ["--keypairgen", "--key-type", kind, "--usage-sign", "--label", name];
        let made = call(&make).await;
        assert!(made.contains(&format!("label:      {name}")), "{made}");
    }
    let listed = call(&["-O"]).await;
    for name in ["ca", "p256", "eth"] {
        assert_eq!(listed.matches(&format!("label:      {name}\n")).count(), 2, "{listed}");
    }
    assert!(listed.contains("sensitive, always sensitive, never extractable, local"), "{listed}");
    trying.folder.write("message", "a message of OpenSC");
    let files = ["-i", "message", "-o", "signature"];
    for (name, mechanism) in [("ca", "EDDSA"), ("p256", "ECDSA-SHA256"), ("eth", "ECDSA-SHA256")] {
        // This program looks at the label of a key in newer versions alone.
        let id = trying.key(name).await.id.to_string();
        call(&[&["--sign", "--id", &id, "-m", mechanism], &files[..]].concat()).await;
        let verify = ["--verify", "--id", &id, "-m", mechanism, "-i", "message"];
        let verified = call(&[&verify[..], &["--signature-file", "signature"]].concat()).await;
        assert!(verified.contains("Signature is valid"), "{name}: {verified}");
        let signature = std::fs::read(trying.folder.join("signature")).unwrap();
        let (message, key) = (b"a message of OpenSC", trying.key(name).await.public_key);
        match name {
            "ca" => {
                let key = VerifyingKey::from_bytes(key.as_slice().try_into().unwrap()).unwrap();
                key.verify_strict(message, &signature.as_slice().try_into().unwrap()).unwrap();
            }
            "p256" => {
                let key = p256::ecdsa::VerifyingKey::from_sec1_bytes(&key).unwrap();
                key.verify(message, &p256::ecdsa::Signature::from_slice(&signature).unwrap())
                    .unwrap();
            }
            _ => {
                let key = k256::ecdsa::VerifyingKey::from_sec1_bytes(&key).unwrap();
                key.verify(message, &k256::ecdsa::Signature::from_slice(&signature).unwrap())
                    .unwrap();
            }
        }
    }
    // A file that this program signs in parts.
    trying.folder.write("file", vec![b'x'; 50_000]);
    let id = trying.key("ca").await.id.to_string();
    call(&["--sign", "--id", &id, "-m", "EDDSA", "-i", "file", "-o", "signature"]).await;
    let verify = ["--verify", "--id", &id, "-m", "EDDSA", "-i", "file"];
    let verified = call(&[&verify[..], &["--signature-file", "signature"]].concat()).await;
    assert!(verified.contains("Signature is valid"), "{verified}");
    let random = call(&["--generate-random", "16", "-o", "random"]).await;
    assert_eq!(std::fs::read(trying.folder.join("random")).unwrap().len(), 16, "{random}");
    let tested = call(&["--test"]).await;
    assert!(tested.contains("No errors"), "{tested}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pkcs11_tool_with_a_wrong_pin_is_refused_and_with_the_right_one_signs_a_digest() {
    let Some(tool) = program("pkcs11-tool") else { return };
    let trying = Trying::committee(Some(b"1234")).await;
    let module = ["--module", trying.module(), "--login", "--pin"];
    let call = async |pin, arguments: &[&str]| {
        trying.run(&tool, &[&module[..], &[pin], arguments].concat()).await
    };
    let wrong = call("4321", &["-O"]).await;
    assert!(!wrong.status.success() && text(&wrong).contains("CKR_PIN_INCORRECT"));
    let kind = ["--keypairgen", "--key-type", "EC:prime256v1", "--usage-sign", "--label", "p256"];
    assert!(call("1234", &kind).await.status.success());
    trying.folder.write("digest", [7; 32]);
    let sign = ["--sign", "--label", "p256", "-m", "ECDSA", "-i", "digest", "-o", "signature"];
    let signed = call("1234", &sign).await;
    assert!(signed.status.success(), "{}", text(&signed));
    let verify = ["--verify", "--label", "p256", "-m", "ECDSA", "-i", "digest"];
    let verified = call("1234", &[&verify[..], &["--signature-file", "signature"]].concat()).await;
    assert!(text(&verified).contains("Signature is valid"), "{}", text(&verified));
}
