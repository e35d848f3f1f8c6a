//! `custody init cluster`: the folder that all machines share.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use quorate_envelope::{Directory, Draft, MAX_ENVELOPE, Member, Name};
use zeroize::Zeroizing;

use crate::args::Cluster;
use crate::folder::{Folder, make_private};
use crate::public_file::PublicFile;
use crate::transport_ca::TransportCa;

/// Makes the shared folder, and a folder `nats` in it for the machine of the broker. The key of the authority stays with
/// whoever runs this command.
pub(crate) fn cluster(cluster: &Cluster) -> Result<String> {
    let members = cluster.members.iter().map(|path| PublicFile::read(path));
    let members = members.collect::<Result<Vec<_>>>()?;
    let directory = directory(cluster, &members)?;
    let authority = match &cluster.after {
        Some(before) => authority_of(&Folder::new(before))?,
        None => TransportCa::new(cluster.name.as_str())?,
    };
    let out = Folder::new(&cluster.out);
    let shown = cluster.out.display();
    ensure!(!cluster.out.exists(), "{shown} exists already: take another folder, or remove it");
    make_private(&out.path("nats")).with_context(|| shown.to_string())?;
    let hosts: Vec<_> = cluster.nats.iter().map(|address| host(address).to_owned()).collect();
    write(&out.path("directory"), &directory.to_bytes())?;
    write(&out.path("authority.pem"), authority.certificate.as_bytes())?;
    write(&out.path("nats.servers"), (cluster.nats.join("\n") + "\n").as_bytes())?;
    out.put(&out.path("authority.key"), authority.key.as_bytes())?;
    for member in &members {
        let certificate = authority.member(&member.name, &member.certificate_request);
        let certificate = certificate.with_context(|| member.name.clone())?;
        write(&out.path(&format!("{}.pem", member.name)), certificate.as_bytes())?;
    }
    let server = authority.server(&hosts)?;
    write(&out.path("nats/server.pem"), server.certificate.as_bytes())?;
    write(&out.path("nats/authority.pem"), authority.certificate.as_bytes())?;
    out.put(&out.path("nats/server.key"), server.key.as_bytes())?;
    let configuration = server_configuration(&members, port(&cluster.nats))?;
    write(&out.path("nats/nats.conf"), configuration.as_bytes())?;
    Ok(format!("{}\n", directory.id()))
}

fn directory(cluster: &Cluster, members: &[PublicFile]) -> Result<Directory> {
    let nodes = members.iter().filter(|member| member.party.is_some()).count();
    ensure!(nodes >= 2, "a cluster has at least 2 nodes, got {nodes}");
    let nkeys: BTreeSet<_> = members.iter().map(|member| &member.nkey).collect();
    ensure!(nkeys.len() == members.len(), "two members have the same NKey");
    let members = members.iter().map(|one| one.member().with_context(|| one.name.clone()));
    let members = members.collect::<Result<Vec<_>>>()?;
    let draft = match &cluster.after {
        Some(before) => next(&cluster.name, before, members)?,
        None => members.into_iter().fold(Directory::first(cluster.name.clone()), Draft::member),
    };
    Ok(draft.finish()?)
}

/// The next version of a directory. A member that is not listed leaves it; new keys under a name replace those before.
fn next(cluster: &Name, before: &Path, members: Vec<Member>) -> Result<Draft> {
    let path = before.join("directory");
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    let before = Directory::from_bytes(&bytes).with_context(|| path.display().to_string())?;
    let named = before.deployment();
    ensure!(named == cluster, "{} is of the cluster {named}", path.display());
    let stays = |member: &Member| {
        let now = members.iter().find(|now| now.name == member.name);
        now.is_some_and(|now| now.party == member.party)
    };
    let leaving = before.members().filter(|member| !stays(member));
    let draft = leaving.fold(before.next_version(), |draft, member| draft.remove(&member.name));
    let draft =
        members.into_iter().fold(draft, |draft, member| match before.member(&member.name) {
            Some(known) if known.party == member.party && known.current == member.current => draft,
            Some(known) if known.party == member.party => {
                draft.replace(&member.name, &member.current)
            }
            _ => draft.member(member),
        });
    Ok(draft)
}

fn authority_of(shared: &Folder) -> Result<TransportCa> {
    let path = shared.path("authority.pem");
    let certificate = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let key = shared.private(&shared.path("authority.key"))?;
    let key = core::str::from_utf8(&key).context("authority.key")?;
    TransportCa::open(certificate, Zeroizing::new(key.to_owned()))
}

/// The configuration of the NATS server, with paths that are relative to its folder.
fn server_configuration(members: &[PublicFile], port: u16) -> Result<String> {
    let names = members.iter().map(PublicFile::name).collect::<Result<Vec<_>>>()?;
    let users = names.iter().zip(members.iter().map(|member| member.nkey.as_str()));
    let permissions = custody_nats::nats::permissions(users)?;
    Ok(format!(
        "port: {port}\nmax_payload: {MAX_ENVELOPE}\nmax_pending: {}\n\
         tls {{ cert_file: \"server.pem\", key_file: \"server.key\", ca_file: \"authority.pem\", verify: true }}\n{permissions}",
        MAX_ENVELOPE.saturating_mul(16)
    ))
}

/// The port of the first address; that of NATS if it has none.
fn port(addresses: &[String]) -> u16 {
    let port = addresses.first().and_then(|address| address.rsplit_once(':'));
    port.and_then(|(_, port)| port.parse().ok()).unwrap_or(4222)
}

/// The host of an address: without its port, and without the brackets of IPv6.
fn host(address: &str) -> &str {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    host.trim_start_matches('[').trim_end_matches(']')
}

fn write(path: &Path, content: &[u8]) -> Result<()> {
    fs::write(path, content).with_context(|| path.display().to_string())
}
