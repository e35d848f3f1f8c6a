//! SSH: a file is signed by an Ed25519 key of three parties, and `ssh-keygen -Y verify` takes it.
//!
//! The format is that of OpenSSH's `PROTOCOL.sshsig`.

use bitcoin::hashes::{Hash, sha512};
use quorate::PartyId;
use quorate::frost::ed25519::{Ed25519Sha512 as Ed25519, Signature};
use quorate::session::wire::bounded;
use quorate_cookbook::mesh::{self, Mesh};
use quorate_cookbook::tool::{Desk, base64, run};
use quorate_cookbook::{Failure, frost};

const FILE: &[u8] = b"release 1.0 of everything\n";
const NAMESPACE: &[u8] = b"file";

fn main() -> Result<(), Failure> {
    mesh::main(3, party)
}

fn party(mesh: &mut Mesh) -> Result<(), Failure> {
    let key = frost::Key::<Ed25519>::make(mesh)?;
    if mesh.me.get() != 1 {
        // Signs nothing but this file, whose text it is shown.
        return key.cosign(mesh, |file| match file {
            FILE => Ok(signed(file)),
            _ => Err("not the release".into()),
        });
    }
    let other = PartyId::new(3).ok_or("zero")?;
    let signature = key.sign(mesh, other, FILE, &signed(FILE))?;
    verify(&key.public.verifying_key().to_bytes(), &signature)?;
    println!("ssh: ssh-keygen -Y verify takes the signature of parties 1 and 3");
    Ok(())
}

/// The bytes that are signed: `SSHSIG` ‖ namespace ‖ reserved ‖ hash ‖ H(file).
fn signed(file: &[u8]) -> Vec<u8> {
    let digest = sha512::Hash::hash(file);
    [b"SSHSIG".to_vec(), text(NAMESPACE), text(b""), text(b"sha512"), text(digest.as_ref())]
        .concat()
}

fn verify(key: &[u8], signature: &Signature) -> Result<(), Failure> {
    let key = [text(b"ssh-ed25519"), text(key)].concat();
    let signature = [text(b"ssh-ed25519"), text(signature.to_bytes().as_ref())].concat();
    let fields = [&key[..], NAMESPACE, b"", b"sha512", &signature];
    let mut armoured = b"SSHSIG\0\0\0\x01".to_vec();
    for field in fields {
        armoured.extend(text(field));
    }
    let lines: Vec<String> = base64(&armoured, false)
        .as_bytes()
        .chunks(70)
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect();
    let armoured = format!(
        "-----BEGIN SSH SIGNATURE-----\n{}\n-----END SSH SIGNATURE-----\n",
        lines.join("\n")
    );

    let desk = Desk::new()?;
    let allowed =
        desk.file("allowed", format!("committee ssh-ed25519 {}\n", base64(&key, false)))?;
    let signature = desk.file("signature", armoured)?;
    let args = ["-Y", "verify", "-f", &allowed, "-I", "committee", "-n", "file", "-s", &signature];
    run("ssh-keygen", &args, FILE)?;
    run("ssh-keygen", &args, b"another release\n").err().ok_or("another file was taken")?;
    Ok(())
}

/// A string of RFC 4251 §5: its length and its bytes.
fn text(bytes: &[u8]) -> Vec<u8> {
    let length: u32 = bounded(bytes.len());
    [&length.to_be_bytes()[..], bytes].concat()
}
