//! The file of a backup: the content under a key of its own, and this key in an envelope from the node to the backup key.

use anyhow::{Context as _, Result, anyhow, ensure};
use getrandom::SysRng;
use quorate::SealKey;
use quorate::session::rand_core::UnwrapErr;
use quorate_envelope::{
    Check, Directory, Envelope, Identity, Member, Name, Opener, PublicIdentity, TrustedDirectory,
};
use serde::{Deserialize, Serialize};

use super::key;

/// The beginning of every file.
const MAGIC: &[u8] = b"custody backup 1\n";
/// The kind of the envelope, and the purpose of the content.
const KIND: u16 = 1;
const CONTENT: &str = "custody backup";

#[derive(Serialize, Deserialize)]
struct Parts {
    /// The name of the node and its public keys, by which its signature verifies.
    node: String,
    public: Vec<u8>,
    envelope: Vec<u8>,
    content: Vec<u8>,
}

/// Seals a content. `seal` is of this file alone.
pub(super) fn write(
    node: &Identity,
    to: &PublicIdentity,
    seal: &SealKey,
    content: &[u8],
) -> Result<Vec<u8>> {
    let content = seal.seal_bytes(CONTENT, content);
    let directory = directory(node.name(), node.public(), to)?;
    let (secret, digest) = (seal.to_secret_bytes(), digest(&content));
    let recipient = key::name()?;
    let envelope = Envelope::to(&recipient, KIND).message(secret.as_slice()).message(&digest);
    let envelope = envelope.seal(node, &directory, &mut UnwrapErr(SysRng));
    let parts = Parts {
        node: node.name().to_string(),
        public: node.public().to_bytes().to_vec(),
        envelope: envelope.map_err(|why| anyhow!("{why}"))?,
        content,
    };
    Ok([MAGIC, &postcard::to_stdvec(&parts)?].concat())
}

/// Opens a file: the public keys of the node that made it, the key of the file, and the content.
pub(super) fn read(
    file: &[u8],
    key: &Identity,
) -> Result<(PublicIdentity, SealKey, impl core::ops::Deref<Target = Vec<u8>> + use<>)> {
    let parts = file.strip_prefix(MAGIC).context("expected a backup of a node")?;
    let parts: Parts = postcard::from_bytes(parts).context("the backup is damaged")?;
    let node = PublicIdentity::from_bytes(&parts.public)?;
    let directory = directory(&Name::new(&parts.node)?, &node, key.public())?;
    let opened =
        Opener::new(key, &directory).open(&parts.envelope).map_err(|why| match why.check {
            Check::RecipientKey(other) => {
                anyhow!("the backup is sealed to the key {other}, and this is the key {}", key.id())
            }
            _ => anyhow!("the backup is damaged: {why}"),
        })?;
    ensure!(opened.header.kind == KIND, "the backup is damaged: an envelope of another kind");
    let messages = opened.replayable();
    let [secret, expected] = messages.as_slice() else {
        return Err(anyhow!("the backup is damaged: expected two messages"));
    };
    ensure!(**expected == digest(&parts.content), "the backup is damaged: its parts do not fit");
    let secret: &[u8; 32] = secret.as_slice().try_into().context("the backup is damaged")?;
    let seal = SealKey::new(*secret);
    let content = seal.open_bytes(CONTENT, &parts.content).map_err(|why| anyhow!("{why}"))?;
    Ok((node, seal, content))
}

/// The directory of a file: the node and the backup key.
fn directory(
    node: &Name,
    public: &PublicIdentity,
    to: &PublicIdentity,
) -> Result<TrustedDirectory> {
    let draft = Directory::first(Name::new("custody-backup")?)
        .member(Member::new(node.clone(), public.clone()))
        .member(Member::new(key::name()?, to.clone()));
    let directory = draft.finish()?;
    let id = directory.id();
    Ok(TrustedDirectory::confirm(directory, id)?
        .record(|_| Ok::<_, core::convert::Infallible>(()))?)
}

fn digest(content: &[u8]) -> Vec<u8> {
    use sha2::{Digest as _, Sha256};
    Sha256::digest(content).to_vec()
}
