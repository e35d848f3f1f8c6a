//! The certificates of a server and its clients: an authority of their own, made once.

use std::fs;
use std::path::{Path, PathBuf};

use quorate_examples::failure::Failure;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};

use crate::keyfile;

/// The name of the server's certificate.
pub(super) const SERVER: &str = "server";
const AUTHORITY: &str = "authority";

/// The files of one end.
pub(super) struct Files {
    pub(super) certificate: PathBuf,
    pub(super) key: PathBuf,
}

impl Files {
    pub(super) fn of(dir: &Path, name: &str) -> Self {
        let dir = dir.join("certificates");
        Self { certificate: dir.join(format!("{name}.pem")), key: dir.join(format!("{name}.key")) }
    }

    fn there(&self) -> bool {
        self.certificate.exists() && self.key.exists()
    }

    fn write(&self, certificate: &str, key: &KeyPair) -> Result<(), Failure> {
        keyfile::write_private(&self.key, key.serialize_pem().as_bytes())?;
        fs::write(&self.certificate, certificate).map_err(Failure::file("write", &self.certificate))
    }
}

/// The certificate that signs the others.
pub(super) fn authority(dir: &Path) -> PathBuf {
    Files::of(dir, AUTHORITY).certificate
}

/// Makes the certificates that are not there yet.
pub(super) fn ensure(dir: &Path, clients: impl Iterator<Item = String>) -> Result<(), Failure> {
    let files = Files::of(dir, AUTHORITY);
    if let Some(folder) = files.key.parent() {
        fs::create_dir_all(folder).map_err(Failure::file("create", folder))?;
    }
    if !files.there() {
        let key = KeyPair::generate()?;
        files.write(&issuing()?.self_signed(&key)?.pem(), &key)?;
    }
    let key = fs::read_to_string(&files.key).map_err(Failure::file("read", &files.key))?;
    let issuer = Issuer::new(issuing()?, KeyPair::from_pem(&key)?);
    let hosts = vec!["127.0.0.1".to_owned(), "localhost".to_owned()];
    issue(dir, &issuer, SERVER, (hosts, ExtendedKeyUsagePurpose::ServerAuth))?;
    for name in clients {
        issue(dir, &issuer, &name, (Vec::new(), ExtendedKeyUsagePurpose::ClientAuth))?;
    }
    Ok(())
}

/// What the authority's certificate says, each time the same.
fn issuing() -> Result<CertificateParams, Failure> {
    let mut params = named("custody authority", Vec::new())?;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    Ok(params)
}

fn issue(
    dir: &Path,
    issuer: &Issuer<'_, KeyPair>,
    name: &str,
    (hosts, usage): (Vec<String>, ExtendedKeyUsagePurpose),
) -> Result<(), Failure> {
    let files = Files::of(dir, name);
    if files.there() {
        return Ok(());
    }
    let mut params = named(name, hosts)?;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![usage];
    params.use_authority_key_identifier_extension = true;
    let key = KeyPair::generate()?;
    files.write(&params.signed_by(&key, issuer)?.pem(), &key)
}

fn named(name: &str, hosts: Vec<String>) -> Result<CertificateParams, Failure> {
    let mut params = CertificateParams::new(hosts)?;
    params.distinguished_name.push(DnType::CommonName, name);
    Ok(params)
}
