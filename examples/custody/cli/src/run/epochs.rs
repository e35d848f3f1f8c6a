//! Gauges of a node's keys beside those of its backup, and of the ends of certificates.

use core::time::Duration;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use custody_core::{Answer, KeyId, Order};
use custody_node::Node;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use super::counters::{Counters, gauge};
use crate::backup::RECORD;
use crate::folder::Folder;

/// The pause between two looks.
const EVERY: Duration = Duration::from_secs(30);

/// The certificates of a machine: a label, and the file.
pub(super) type Certificates = Vec<(&'static str, PathBuf)>;

/// Keeps the gauges of a node.
pub(super) async fn of_node(
    node: Node,
    folder: Folder,
    certificates: Certificates,
    counters: Counters,
) {
    loop {
        let mut text = ends(&certificates);
        match keys(&node).await {
            Ok((epochs, highest)) => {
                write(&mut text, "key_epoch", "The epoch of the shares of a key", &epochs);
                let help = "The highest epoch of any change of a key, ended or not";
                write(&mut text, "highest_epoch", help, &highest);
            }
            Err(why) => tracing::warn!(%why, "the keys cannot be listed"),
        }
        match backed_up(&folder.path(RECORD)) {
            Ok(keys) => {
                write(&mut text, "backup_epoch", "The epoch of a key in the last backup", &keys);
            }
            Err(why) => tracing::warn!(%why, "the record of the last backup cannot be read"),
        }
        counters.state().slow = text;
        tokio::time::sleep(EVERY).await;
    }
}

/// Keeps the gauges of a gateway.
pub(super) async fn of_gateway(certificates: Certificates, counters: Counters) {
    loop {
        let text = ends(&certificates);
        counters.state().slow = text;
        tokio::time::sleep(EVERY).await;
    }
}

/// The epochs of all keys, and the highest epoch of any change of each.
async fn keys(node: &Node) -> Result<(BTreeMap<String, u32>, BTreeMap<String, u32>)> {
    let (mut epochs, mut highest, mut after) = (BTreeMap::new(), BTreeMap::new(), None::<KeyId>);
    loop {
        let infos = match node.order(Order::Keys { after }).await {
            Answer::Keys(infos) => infos,
            other => return Err(anyhow!("{other:?}")),
        };
        let Some(last) = infos.last() else { return Ok((epochs, highest)) };
        after = Some(last.key);
        for info in &infos {
            epochs.insert(info.key.to_string(), info.epoch);
            let of_any = node.highest_epoch(info.key).await.map_err(|why| anyhow!("{why}"))?;
            highest.insert(info.key.to_string(), of_any);
        }
    }
}

/// The epochs of the last backup. There are none before the first.
fn backed_up(path: &Path) -> Result<BTreeMap<String, u32>> {
    match std::fs::read(path) {
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        read => Ok(serde_json::from_slice(&read?)?),
    }
}

fn write(text: &mut String, name: &str, help: &str, keys: &BTreeMap<String, u32>) {
    let samples = keys.iter().map(|(key, epoch)| (format!("{{key=\"{key}\"}}"), (*epoch).into()));
    gauge(text, &format!("custody_node_{name}"), help, samples);
}

/// The ends of certificates, in seconds since 1970.
fn ends(certificates: &Certificates) -> String {
    let mut text = String::new();
    let ends = certificates.iter().filter_map(|(name, path)| match end(path) {
        Ok(end) => Some((format!("{{certificate=\"{name}\"}}"), end)),
        Err(why) => {
            tracing::warn!(path = %path.display(), error = format!("{why:#}"), "a certificate cannot be read");
            None
        }
    });
    let help = "The time after which a certificate is not valid, in seconds since 1970";
    gauge(&mut text, "custody_certificate_end", help, ends.collect::<Vec<_>>());
    text
}

/// The end of the first certificate in a file.
fn end(path: &Path) -> Result<u64> {
    let certificate = CertificateDer::from_pem_file(path)?;
    let (_, parsed) =
        x509_parser::parse_x509_certificate(&certificate).context("expected a certificate")?;
    Ok(parsed.validity().not_after.timestamp().try_into().unwrap_or_default())
}
