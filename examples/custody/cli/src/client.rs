//! `custody sign`, and what all requests of a caller need. The caller trusts no gateway: it pins keys by certificates, and verifies
//! every signature.

use core::fmt::Write as _;
use core::time::Duration;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use custody_client::{Asked, CallerSecret, Client, Endpoint, PinnedKey, Signature};
use custody_core::Child;
use quorate_purpose::{Kind, Purpose};
use quorate_store::file;

use crate::args::{CallerOptions, ChildOptions, SignArgs};

/// Has a purpose signed.
pub(crate) fn sign(args: &SignArgs) -> Result<String> {
    let key = read_pinned(&args.of.pin)?;
    let body = fs::read(&args.body).with_context(|| args.body.display().to_string())?;
    let kind: Kind = args.kind.parse().map_err(|_| anyhow!("there is no kind {:?}", args.kind))?;
    let purpose = Purpose::from_bytes(&[&[1, kind.code()], &body[..]].concat())
        .with_context(|| format!("{}: expected the body of {}", args.body.display(), args.kind))?;
    let Child { path, merkle_root } = child(&args.child);
    let (path, on_behalf) = (Some(path), args.on_behalf.clone());
    let context = args.context.clone().unwrap_or_default().into_bytes();
    let within = Duration::from_secs(args.within);
    let asked = Asked { path, merkle_root, on_behalf, context, within, ..Asked::default() };
    let client = client(&args.of.caller, key.cluster())?;
    let Signature { bytes, recovery_id, .. } =
        runtime()?.block_on(client.sign(&key, &purpose, &asked))?;
    let recovery_id = recovery_id.map(|id| format!("\t{id}")).unwrap_or_default();
    Ok(format!("{}{recovery_id}\n", hex(&bytes)))
}

pub(crate) fn child(options: &ChildOptions) -> Child {
    Child { path: options.path.clone().unwrap_or_default(), merkle_root: options.merkle_root }
}

pub(crate) fn client(options: &CallerOptions, cluster: &str) -> Result<Client> {
    let secret = options.secret.display();
    let pem = file::read(&options.secret)?.with_context(|| format!("{secret} is missing"))?;
    let pem = core::str::from_utf8(&pem).with_context(|| secret.to_string())?;
    let endpoint = match &options.roots {
        Some(roots) => {
            let pem = fs::read(roots).with_context(|| roots.display().to_string())?;
            Endpoint::tls(&options.gateway, &pem)?
        }
        None if options.gateway.starts_with("https://") => {
            bail!("an address with https:// needs --roots, with the certificate of the gateway")
        }
        None => Endpoint::plain(&options.gateway)?,
    };
    let client = Client::new(endpoint, CallerSecret::from_pem(pem)?, cluster);
    Ok(client.on_delay(|why| eprintln!("waiting: {why}")))
}

pub(crate) fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}

pub(crate) fn read_pinned(path: &Path) -> Result<PinnedKey> {
    let json = fs::read(path).with_context(|| path.display().to_string())?;
    serde_json::from_slice(&json).with_context(|| path.display().to_string())
}

pub(crate) fn write_pinned(path: &Path, key: &PinnedKey) -> Result<()> {
    let json = serde_json::to_vec_pretty(key)?;
    file::replace(path, &json).with_context(|| path.display().to_string())
}

/// A time as people read it, such as `2026-12-01T21:00:00Z`.
pub(crate) fn time(seconds: u64) -> String {
    let time = i64::try_from(seconds).ok().and_then(|at| jiff::Timestamp::from_second(at).ok());
    time.map_or_else(|| format!("{seconds} s after 1970"), |time| time.to_string())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").ok();
        text
    })
}
