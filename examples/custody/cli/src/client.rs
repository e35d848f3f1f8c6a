//! `custody key` and `custody sign`: requests of a caller. The caller trusts no gateway: it pins keys by certificates, and verifies
//! every signature.

use core::fmt::Write as _;
use core::time::Duration;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use custody_client::{Asked, CallerSecret, Change, Client, Endpoint, PinnedKey, Signature};
use custody_core::KeySpec;
use quorate_purpose::{Kind, Purpose};
use quorate_store::file;

use crate::args::{CallerOptions, KeyCommand, SignArgs};
use crate::folder::Folder;

/// The time for making or changing a key. Approvals have to come within it.
const CHANGE: Duration = Duration::from_secs(600);

/// Makes and changes keys.
pub(crate) fn key(command: &KeyCommand) -> Result<String> {
    let runtime = runtime()?;
    match command {
        KeyCommand::Create { caller, spec, dir, pin } => {
            let spec = fs::read(spec).with_context(|| spec.display().to_string())?;
            let spec: KeySpec = serde_json::from_slice(&spec).context("the specification")?;
            let directory = Folder::new(dir).directory()?;
            let made = client(caller)?;
            let key = runtime.block_on(made.create_key(&spec, directory.directory(), CHANGE))?;
            write_pinned(pin, &key)?;
            Ok(format!("{}\t{}\n", key.id(), hex(&key.public_key(&Default::default())?)))
        }
        KeyCommand::Refresh { caller, pin } => {
            let key = read_pinned(pin)?;
            let refresh = client(caller)?;
            let done = runtime.block_on(refresh.change(key.id(), &Change::Refresh, CHANGE))?;
            Ok(format!("{:?}\n", done.state))
        }
    }
}

/// Has a purpose signed.
pub(crate) fn sign(args: &SignArgs) -> Result<String> {
    let key = read_pinned(&args.pin)?;
    let body = fs::read(&args.body).with_context(|| args.body.display().to_string())?;
    let kind: Kind = args.kind.parse().map_err(|_| anyhow!("there is no kind {:?}", args.kind))?;
    let purpose = Purpose::from_bytes(&[&[1, kind.code()], &body[..]].concat())
        .with_context(|| format!("{}: expected the body of {}", args.body.display(), args.kind))?;
    let asked = Asked { path: args.path.clone(), ..Asked::default() };
    let client = client(&args.caller)?;
    let Signature { bytes, recovery_id, .. } =
        runtime()?.block_on(client.sign(&key, &purpose, &asked))?;
    let recovery_id = recovery_id.map(|id| format!("\t{id}")).unwrap_or_default();
    Ok(format!("{}{recovery_id}\n", hex(&bytes)))
}

fn client(options: &CallerOptions) -> Result<Client> {
    let secret = options.secret.display();
    let pem = file::read(&options.secret)?.with_context(|| format!("{secret} is missing"))?;
    let pem = core::str::from_utf8(&pem).with_context(|| secret.to_string())?;
    let endpoint = match &options.roots {
        Some(roots) => {
            let pem = fs::read(roots).with_context(|| roots.display().to_string())?;
            Endpoint::tls(&options.gateway, &pem)?
        }
        None => Endpoint::plain(&options.gateway)?,
    };
    Ok(Client::new(endpoint, CallerSecret::from_pem(pem)?))
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}

fn read_pinned(path: &Path) -> Result<PinnedKey> {
    let json = fs::read(path).with_context(|| path.display().to_string())?;
    serde_json::from_slice(&json).with_context(|| path.display().to_string())
}

fn write_pinned(path: &Path, key: &PinnedKey) -> Result<()> {
    let json = serde_json::to_vec_pretty(key)?;
    file::replace(path, &json).with_context(|| path.display().to_string())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").ok();
        text
    })
}
