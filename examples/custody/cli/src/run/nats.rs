//! The connection of this machine to the NATS server.

use anyhow::{Context as _, Result};
use custody_nats::Bounds;
use custody_nats::nats::{Access, NatsTransport};
use quorate_envelope::{Directory, Name};
use zeroize::Zeroizing;

use crate::folder::Folder;
use crate::settings::Settings;

/// Connects, in the background, as this machine. Its peers are the other members.
pub(super) async fn connect(
    folder: &Folder,
    settings: &Settings,
    me: &Name,
    directory: &Directory,
) -> Result<NatsTransport> {
    let seed = folder.private(&folder.path("nats.seed"))?;
    let seed = Zeroizing::new(String::from_utf8(seed.to_vec()).context("nats.seed")?);
    let access = Access {
        servers: settings.nats.clone(),
        authority: folder.path("authority.pem"),
        certificate: folder.path("nats.pem"),
        key: folder.path("nats.key"),
        seed,
    };
    let peers = directory.members().map(|member| member.name.clone()).filter(|name| name != me);
    Ok(NatsTransport::connect(me.clone(), peers, &access, Bounds::default()).await?)
}
