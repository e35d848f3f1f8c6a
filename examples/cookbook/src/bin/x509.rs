//! A certificate authority whose P-256 key lies with three parties: its own certificate, and a request for another one. OpenSSL
//! verifies both.

use quorate::ecdsa::{DerivationPath, MessageDigest, P256};
use quorate_cookbook::mesh::{self, Mesh};
use quorate_cookbook::signer::Committee;
use quorate_cookbook::tool::{Desk, run};
use quorate_cookbook::{Failure, ecdsa};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, IsCa, KeyIdMethod, PKCS_ECDSA_P256_SHA256,
    PublicKeyData, SerialNumber, SignatureAlgorithm, SigningKey,
};
use signature::Signer;

const NAME: &str = "Committee Root";

fn main() -> Result<(), Failure> {
    mesh::main(3, party)
}

fn party(mesh: &mut Mesh) -> Result<(), Failure> {
    let mut key = ecdsa::Key::<P256>::make(mesh, 2)?;
    let path: DerivationPath = "m".parse()?;
    if mesh.me.get() != 1 {
        return key.cosign(mesh, |to_be_signed| {
            // In life: parse it, and look at names, dates and extensions.
            let named = to_be_signed.windows(NAME.len()).any(|part| part == NAME.as_bytes());
            let digest = MessageDigest::sha256(to_be_signed);
            if named { Ok((path.clone(), digest)) } else { Err("not for this authority".into()) }
        });
    }
    let public = key.share.verifying_key().to_uncompressed();
    let signer = Committee::new(|message: &[u8]| {
        Ok(key.sign(mesh, (message, &path), MessageDigest::sha256(message))?.to_der())
    });
    let remote = Remote { public, signer };

    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name.push(DnType::CommonName, NAME);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.serial_number = Some(SerialNumber::from(1_u64));
    params.key_identifier_method = KeyIdMethod::PreSpecified(public[1..21].to_vec());
    let certificate = params.self_signed(&remote)?.pem();
    let mut params = CertificateParams::new(vec!["signer.example.org".to_owned()])?;
    params.distinguished_name.push(DnType::CommonName, NAME);
    let request = params.serialize_request(&remote)?.pem()?;

    let desk = Desk::new()?;
    let certificate = desk.file("ca.pem", certificate)?;
    run(
        "openssl",
        &["verify", "-x509_strict", "-check_ss_sig", "-CAfile", &certificate, &certificate],
        b"",
    )?;
    let request = desk.file("request.pem", request)?;
    run("openssl", &["req", "-verify", "-noout", "-in", &request], b"")?;
    println!("x509: OpenSSL verifies the certificate and the request");
    Ok(())
}

/// The key, as the library of certificates wants to see it.
struct Remote<'c> {
    public: [u8; 65],
    signer: Committee<'c, Vec<u8>>,
}

impl PublicKeyData for Remote<'_> {
    fn der_bytes(&self) -> &[u8] {
        &self.public
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ECDSA_P256_SHA256
    }
}

impl SigningKey for Remote<'_> {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rcgen::Error> {
        self.signer.try_sign(message).map_err(|_| rcgen::Error::RemoteKeyError)
    }
}
