//! A file signed as `cosign sign-blob` does with a key: ECDSA over P-256 and SHA-256, in DER and base64; verified by OpenSSL.

use quorate::ecdsa::{DerivationPath, MessageDigest, P256};
use quorate_cookbook::mesh::{self, Mesh};
use quorate_cookbook::tool::{Desk, base64, run};
use quorate_cookbook::{Failure, ecdsa};

const BLOB: &[u8] = b"release 1.0 of everything\n";

fn main() -> Result<(), Failure> {
    mesh::main(3, party)
}

fn party(mesh: &mut Mesh) -> Result<(), Failure> {
    let mut key = ecdsa::Key::<P256>::make(mesh, 1)?;
    let path: DerivationPath = "m".parse()?;
    if mesh.me.get() != 1 {
        // Signs nothing but this file, whose text it is shown.
        return key.cosign(mesh, |blob| match blob {
            BLOB => Ok((path.clone(), MessageDigest::sha256(blob))),
            _ => Err("not the release".into()),
        });
    }
    let signature = key.sign(mesh, (BLOB, &path), MessageDigest::sha256(BLOB))?;

    let desk = Desk::new()?;
    let public = desk.file("cosign.pub", key.share.verifying_key().to_spki_pem())?;
    let armoured = desk.file("release.txt.sig", base64(&signature.to_der(), false))?;
    // OpenSSL alone reads the signature.
    let der = desk.file("signature.der", b"")?;
    run("openssl", &["base64", "-d", "-A", "-in", &armoured, "-out", &der], b"")?;
    let args = ["dgst", "-sha256", "-verify", &public, "-signature", &der];
    run("openssl", &args, BLOB)?;
    run("openssl", &args, b"another release\n").err().ok_or("another file was taken")?;
    println!("cosign: OpenSSL verifies the signature of a file");
    Ok(())
}
