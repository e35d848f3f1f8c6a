//! Envelopes over TCP. An envelope is encrypted to one member and signed by another: the network can lose, delay and repeat
//! messages, and no more.

use core::time::Duration;
use std::path::{Path, PathBuf};
use std::{fs, sync::Arc};

use bytes::Bytes;
use futures_util::{Sink, SinkExt as _, TryStreamExt as _, future};
use getrandom::SysRng;
use quorate::envelope::{DirectoryId, Envelope, Identity, Name, Opened, Opener, TrustedDirectory};
use quorate::runner::OutgoingPacket;
use quorate::session::rand_core::UnwrapErr;
use quorate::{PartyId, SealKey};
use quorate_store::file;
use sha2::{Digest as _, Sha256};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_util::codec::{Framed, LengthDelimitedCodec};

use crate::Result;

/// The kinds of messages: a packet of the runner, an order of the client, answers to it.
pub(crate) const PACKET: u16 = 1;
pub(crate) const ORDER: u16 = 2;
pub(crate) const ANSWER: u16 = 3;
pub(crate) const REFUSED: u16 = 4;

/// A connection, which carries envelopes behind their lengths.
pub(crate) type Connection = Framed<TcpStream, LengthDelimitedCodec>;

pub(crate) fn framed(stream: TcpStream) -> Connection {
    Framed::new(stream, LengthDelimitedCodec::builder().max_frame_length(1 << 20).new_codec())
}

/// A member's end of the network.
pub(crate) struct End {
    pub(crate) folder: PathBuf,
    pub(crate) key: Arc<SealKey>,
    identity: Identity,
    directory: TrustedDirectory,
}

impl End {
    pub(crate) fn open(root: &Path, name: &str) -> Result<Self> {
        let (folder, name) = (root.join(name), Name::new(name)?);
        // In production the key comes from a key service: see `quorate::session::keyring`.
        let read = |file| file::read_existing(folder.join(file));
        let key = Arc::new(SealKey::new(read("seal.key")?.as_slice().try_into()?));
        let identity = Identity::open(&name, &read("identity")?, &key)?;
        let recorded = DirectoryId::from_bytes(&read("directory.id")?)?;
        let directory = TrustedDirectory::reopen(&read("directory")?, recorded)?;
        Ok(Self { folder, key, identity, directory })
    }

    pub(crate) fn seal(&self, envelope: Envelope<'_>) -> Result<Bytes> {
        Ok(envelope.seal(&self.identity, &self.directory, &mut UnwrapErr(SysRng))?.into())
    }

    pub(crate) fn unseal(&self, envelope: &[u8]) -> Result<Opened> {
        Ok(Opener::new(&self.identity, &self.directory).open(envelope)?)
    }

    /// Connects to a node, which writes its address into its folder when it starts.
    async fn connect(&self, node: PartyId) -> Connection {
        let address = self.folder.join(format!("../n{node}/address"));
        loop {
            let address = fs::read_to_string(&address).unwrap_or_default();
            match TcpStream::connect(address).await {
                Ok(stream) => return framed(stream),
                Err(_) => sleep(Duration::from_millis(20)).await,
            }
        }
    }

    /// Connects to a peer for the packets of the runner, which sends again what is lost.
    pub(crate) async fn link(self: Arc<Self>, peer: PartyId) -> Result<impl Sink<OutgoingPacket>> {
        let connection = self.connect(peer).await;
        Ok(connection.with(move |packet: OutgoingPacket| {
            future::ready(self.seal(Envelope::to_party(peer, PACKET).message(&packet.bytes)))
        }))
    }

    /// Sends an order to a node, and waits for the answer, which names the order: an older answer does not fit.
    pub(crate) async fn ask(&self, node: PartyId, order: &[&[u8]]) -> Result<Vec<Vec<u8>>> {
        let order = self.seal(Envelope::to_party(node, ORDER).messages(order.iter().copied()))?;
        let exchange = async {
            let mut connection = self.connect(node).await;
            connection.send(order.clone()).await?;
            connection.try_next().await
        };
        let answer = timeout(Duration::from_secs(600), exchange).await??;
        let answer = self.unseal(&answer.ok_or("the node is gone")?)?;
        let (kind, sender) = (answer.header.kind, answer.party);
        let parts: Vec<Vec<u8>> = answer.replayable().iter().map(|part| part.to_vec()).collect();
        let named = parts.split_first().filter(|(name, _)| name[..] == Sha256::digest(&order)[..]);
        let (_, parts) = named.filter(|_| sender == Some(node)).ok_or("another order's answer")?;
        if kind == ANSWER {
            Ok(parts.to_vec())
        } else {
            Err(String::from_utf8(parts.concat())?.into())
        }
    }
}
