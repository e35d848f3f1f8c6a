//! A JSON web token, ES256 (RFC 7518 §3.4): ECDSA over P-256 by two of three parties, verified by OpenSSL.

use quorate::ecdsa::{DerivationPath, MessageDigest, P256};
use quorate_cookbook::mesh::{self, Mesh};
use quorate_cookbook::tool::{Desk, base64, run};
use quorate_cookbook::{Failure, ecdsa};

const HEADER: &str = r#"{"alg":"ES256","typ":"JWT"}"#;
const CLAIMS: &str = r#"{"iss":"committee","sub":"carol","exp":4102444800}"#;

fn main() -> Result<(), Failure> {
    mesh::main(3, party)
}

fn party(mesh: &mut Mesh) -> Result<(), Failure> {
    let mut key = ecdsa::Key::<P256>::make(mesh, 1)?;
    let path: DerivationPath = "m".parse()?;
    if mesh.me.get() != 1 {
        return key.cosign(mesh, |claims| {
            // The signer reads the claims, and builds what is signed of them itself.
            let claims = core::str::from_utf8(claims)?;
            if !claims.contains(r#""sub":"carol""#) {
                return Err("a token for somebody else".into());
            }
            Ok((path.clone(), MessageDigest::sha256(input(claims).as_bytes())))
        });
    }
    let digest = MessageDigest::sha256(input(CLAIMS).as_bytes());
    let signature = key.sign(mesh, (CLAIMS.as_bytes(), &path), digest)?;
    let token = format!("{}.{}", input(CLAIMS), base64(&signature.to_compact(), true));

    let desk = Desk::new()?;
    let public = desk.file("public.pem", key.share.verifying_key().to_spki_pem())?;
    let der = desk.file("signature", signature.to_der())?;
    let (signed, _) = token.rsplit_once('.').ok_or("no token")?;
    run(
        "openssl",
        &["dgst", "-sha256", "-verify", &public, "-signature", &der],
        signed.as_bytes(),
    )?;
    println!("jwt: OpenSSL verifies the token {token}");
    Ok(())
}

/// The text that is signed (RFC 7515 §5.1).
fn input(claims: &str) -> String {
    format!("{}.{}", base64(HEADER.as_bytes(), true), base64(claims.as_bytes(), true))
}
