//! The server's configuration.

use core::fmt::Write as _;
use std::path::Path;

use quorate_examples::failure::Failure;

use super::super::certificates::{Files, SERVER, authority};
use super::permissions::{Permissions, of_keeper, of_peer};
use crate::directory::Directory;
use crate::envelope::LONGEST;

/// The folder of what was published.
pub(super) const STORE: &str = "store";
/// Beside an envelope: the headers.
const HEADERS: usize = 4096;

/// The configuration, for those of a directory and the keeper of this NKey.
pub(super) fn text(
    dir: &Path,
    port: u16,
    directory: &Directory,
    keeper: &str,
) -> Result<String, Failure> {
    let files = Files::of(dir, SERVER);
    let (store, log) = (quoted(&dir.join(STORE))?, quoted(&dir.join("server.log"))?);
    let (certificate, key) = (quoted(&files.certificate)?, quoted(&files.key)?);
    let authority = quoted(&authority(dir))?;
    let payload = LONGEST.saturating_add(HEADERS);
    let mut users = String::new();
    for (peer, public) in directory.peers() {
        user(&mut users, &public.nkey, &of_peer(peer, directory))?;
    }
    user(&mut users, keeper, &of_keeper())?;
    Ok(format!(
        "server_name: custody
listen: \"127.0.0.1:{port}\"
log_file: {log}
logfile_size_limit: 16MB
logfile_max_num: 4
max_payload: {payload}
max_connections: 1000
max_pending: 128MB
jetstream {{
  store_dir: {store}
  sync_interval: always
  max_memory_store: 64MB
  max_file_store: 16GB
}}
tls {{
  cert_file: {certificate}
  key_file: {key}
  ca_file: {authority}
  verify: true
  timeout: 5
}}
accounts {{
  CUSTODY {{
    jetstream: enabled
    users: [
{users}    ]
  }}
}}
"
    ))
}

fn user(users: &mut String, nkey: &str, permissions: &Permissions) -> Result<(), Failure> {
    let list = |subjects: &[String]| {
        let quoted: Vec<String> = subjects.iter().map(|one| format!("\"{one}\"")).collect();
        quoted.join(", ")
    };
    let (publish, subscribe) = (list(&permissions.publish), list(&permissions.subscribe));
    writeln!(
        users,
        "      {{ nkey: {nkey}, permissions: {{ publish: {{ allow: [{publish}] }}, subscribe: {{ allow: [{subscribe}] }} }} }}"
    )?;
    Ok(())
}

/// A path as the server reads it.
fn quoted(path: &Path) -> Result<String, Failure> {
    let plain = |c: char| !c.is_control() && c != '"' && c != '\\';
    let text = path.to_str().filter(|text| text.chars().all(plain));
    let text = text.ok_or_else(|| {
        Failure::new(format!("{}: not a path for a configuration", path.display()))
    })?;
    Ok(format!("\"{text}\""))
}
