//! `custody init cluster`: the folder that all machines share.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use quorate_envelope::{Directory, MAX_ENVELOPE};

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
    let out = Folder::new(&cluster.out);
    let shown = cluster.out.display();
    ensure!(!cluster.out.exists(), "{shown} exists already: take another folder, or remove it");
    make_private(&out.path("nats")).with_context(|| shown.to_string())?;
    let hosts: Vec<_> = cluster.nats.iter().map(|address| host(address).to_owned()).collect();
    let authority = TransportCa::new(cluster.name.as_str())?;
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
    write(&out.path("nats/nats.conf"), server_configuration(&members)?.as_bytes())?;
    Ok(format!("{}\n", directory.id()))
}

fn directory(cluster: &Cluster, members: &[PublicFile]) -> Result<Directory> {
    let nodes = members.iter().filter(|member| member.party.is_some()).count();
    ensure!(nodes >= 2, "a cluster has at least 2 nodes, got {nodes}");
    let nkeys: BTreeSet<_> = members.iter().map(|member| &member.nkey).collect();
    ensure!(nkeys.len() == members.len(), "two members have the same NKey");
    let mut draft = Directory::first(cluster.name.clone());
    for member in members {
        draft = draft.member(member.member().with_context(|| member.name.clone())?);
    }
    Ok(draft.finish()?)
}

/// The configuration of the NATS server, with paths that are relative to its folder.
fn server_configuration(members: &[PublicFile]) -> Result<String> {
    let names = members.iter().map(PublicFile::name).collect::<Result<Vec<_>>>()?;
    let users = names.iter().zip(members.iter().map(|member| member.nkey.as_str()));
    let permissions = custody_nats::nats::permissions(users)?;
    Ok(format!(
        "port: 4222\nmax_payload: {MAX_ENVELOPE}\nmax_pending: {}\n\
         tls {{ cert_file: \"server.pem\", key_file: \"server.key\", ca_file: \"authority.pem\", verify: true }}\n{permissions}",
        MAX_ENVELOPE.saturating_mul(16)
    ))
}

/// The host of an address: without its port, and without the brackets of IPv6.
fn host(address: &str) -> &str {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    host.trim_start_matches('[').trim_end_matches(']')
}

fn write(path: &Path, content: &[u8]) -> Result<()> {
    fs::write(path, content).with_context(|| path.display().to_string())
}
