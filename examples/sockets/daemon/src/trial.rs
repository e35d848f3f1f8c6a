//! `quorate-sockets try`: sockets over a committee in this process.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use sockets_backend::committee::Trial;
use sockets_backend::{Backend, Committee, KeySpec};

use crate::args;
use crate::run;
use crate::sockets::{Host, TrialKey, listed};

/// Serves until the process is told to stop.
pub(crate) async fn serve(args: args::Trial) -> Result<()> {
    let sockets = args.sockets.into_sections().into_sockets();
    ensure!(!sockets.is_empty(), "expected a socket: `quorate-sockets try --help` lists them");
    let (folder, own) = folder(args.folder)?;
    let mut trial = Trial { nodes: args.nodes, ..Trial::new(&folder) };
    if !args.policy.is_empty() {
        trial.policies = args.policy.iter().map(|path| policy(path)).collect::<Result<_>>()?;
    }
    let committee = Arc::new(Committee::start(trial).await?);
    eprintln!("{} nodes in this process: it protects nothing.", args.nodes);
    let keys: Vec<_> = sockets.iter().flat_map(|socket| socket.trial_keys()).collect();
    let backend = Arc::clone(&committee) as Arc<dyn Backend>;
    let (listed, nodes) = (Arc::new(listed(&sockets)), Some(args.nodes));
    let host = Host { backend, folder: PathBuf::new(), listed, nodes };
    let opened = run::open_all(sockets, &host).await?;
    make_keys(&committee, keys).await?;
    let served = run::serve_all(opened).await;
    drop(own);
    served
}

/// Makes the keys of the sockets that are not there from an earlier start.
async fn make_keys(committee: &Committee, keys: Vec<TrialKey>) -> Result<()> {
    let there = committee.keys().await?;
    for key in keys {
        if there.iter().any(|known| known.name == key.name) {
            continue;
        }
        eprintln!("The nodes make the key {:?} of {}.", key.name, key.scheme);
        let spec = committee.spec(key.name, key.scheme, key.purposes);
        let made = committee.create(&KeySpec { scope: key.scope.to_owned(), ..spec }).await;
        made.with_context(|| format!("the key {:?}", key.name))?;
    }
    Ok(())
}

fn policy(path: &Path) -> Result<(String, String)> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok((path.display().to_string(), text))
}

/// A folder that ends with the process.
struct Own(PathBuf);

impl Drop for Own {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// The folder that was named, or one of this process.
fn folder(named: Option<PathBuf>) -> Result<(PathBuf, Option<Own>)> {
    if let Some(path) = named {
        return Ok((path, None));
    }
    let path = std::env::temp_dir().join(format!("quorate-sockets-{}", std::process::id()));
    private(&path).with_context(|| path.display().to_string())?;
    Ok((path.clone(), Some(Own(path))))
}

/// Makes a folder that nobody else can read. One that is there already is not taken.
fn private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new().mode(0o700).create(path)
}
