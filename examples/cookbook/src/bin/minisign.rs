//! minisign: a file is signed by an Ed25519 key of three parties; the crate `minisign-verify` takes it, and `minisign -V`.

use blake2::{Blake2b512, Digest};
use minisign_verify::{PublicKey, Signature};
use quorate::PartyId;
use quorate::frost::ed25519::Ed25519Sha512 as Ed25519;
use quorate_cookbook::mesh::{self, Mesh};
use quorate_cookbook::tool::{Desk, base64, is_there, run};
use quorate_cookbook::{Failure, frost};

const FILE: &[u8] = b"release 1.0 of everything\n";
const COMMENT: &str = "timestamp:1800000000\tfile:release.txt\thashed";

fn main() -> Result<(), Failure> {
    mesh::main(3, party)
}

fn party(mesh: &mut Mesh) -> Result<(), Failure> {
    let key = frost::Key::<Ed25519>::make(mesh)?;
    let public = key.public.verifying_key();
    if mesh.me.get() != 1 {
        // Two signatures: of this file, and of that signature with this comment.
        return key.cosign(mesh, |shown| match shown.split_at_checked(64) {
            _ if shown == FILE => Ok(hash(FILE).to_vec()),
            Some((first, comment)) if comment == COMMENT.as_bytes() => {
                let first = quorate::frost::ed25519::Signature::from_bytes(first)?;
                public.verify(&hash(FILE), &first)?;
                Ok(shown.to_vec())
            }
            _ => Err("not the release".into()),
        });
    }
    let other = PartyId::new(2).ok_or("zero")?;
    let first = key.sign(mesh, other, FILE, &hash(FILE))?.to_bytes();
    let global = [&first[..], COMMENT.as_bytes()].concat();
    let global = key.sign(mesh, other, &global, &global)?.to_bytes();
    verify(&public.to_bytes(), &first, &global)
}

/// The signed form of a file: its hash, as the algorithm "ED" demands.
fn hash(file: &[u8]) -> [u8; 64] {
    Blake2b512::digest(file).into()
}

fn verify(public: &[u8; 32], first: &[u8; 64], global: &[u8; 64]) -> Result<(), Failure> {
    // Any name for the key.
    let id = &hash(public)[..8];
    let key = base64(&[&b"Ed"[..], id, public].concat(), false);
    let first = base64(&[&b"ED"[..], id, first].concat(), false);
    let global = base64(global, false);
    let text = |comment| {
        format!(
            "untrusted comment: by a committee\n{first}\ntrusted comment: {comment}\n{global}\n"
        )
    };

    let reader = PublicKey::from_base64(&key)?;
    let signature = Signature::decode(&text(COMMENT))?;
    reader.verify(FILE, &signature, false)?;
    reader.verify(b"another release\n", &signature, false).err().ok_or("another file was taken")?;
    let altered = Signature::decode(&text("timestamp:1900000000"))?;
    reader.verify(FILE, &altered, false).err().ok_or("another comment was taken")?;

    let mut verifiers = "the crate minisign-verify takes";
    if is_there("minisign") {
        let desk = Desk::new()?;
        let file = desk.file("release.txt", FILE)?;
        let signature = desk.file("release.txt.minisig", text(COMMENT))?;
        run("minisign", &["-V", "-H", "-P", &key, "-m", &file, "-x", &signature], b"")?;
        desk.file("release.txt", "another release\n")?;
        run("minisign", &["-V", "-P", &key, "-m", &file, "-x", &signature], b"")
            .err()
            .ok_or("another file was taken")?;
        verifiers = "minisign -V and the crate minisign-verify take";
    }
    println!("minisign: {verifiers} the signature under {key}");
    Ok(())
}
