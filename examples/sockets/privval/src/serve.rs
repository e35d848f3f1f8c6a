//! Connections to nodes. The signer makes them: a node listens, and waits.

use core::convert::Infallible;
use core::fmt;
use core::str::FromStr;
use core::time::Duration;
use std::io::{Error, ErrorKind, Result};
use std::path::PathBuf;
use std::sync::Arc;

use sockets_backend::Limits;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpStream, UnixStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::message::{MAX_LENGTH, Request};
use crate::secret::SecretConnection;
use crate::signer::Signer;

/// The pause before a node is dialled again. A node that starts waits for its signer for three seconds.
const PAUSE: Duration = Duration::from_millis(200);
/// The longest time for a connection and its handshake.
const CONNECT: Duration = Duration::from_secs(3);
/// The longest silence of a node, which sends a ping every three seconds.
const SILENCE: Duration = Duration::from_secs(30);

/// The address at which a node waits for its signer: `priv_validator_laddr` in its configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {
    /// `tcp://HOST:PORT`
    Tcp(String),
    /// `unix://PATH`
    Unix(PathBuf),
}

/// A text that is no address of a node.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected tcp://HOST:PORT or unix://PATH, got {0:?}")]
pub struct AddressError(String);

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> core::result::Result<Self, AddressError> {
        match text.split_once("://") {
            Some(("tcp", address)) if address.contains(':') => Ok(Self::Tcp(address.to_owned())),
            Some(("unix", path)) if !path.is_empty() => Ok(Self::Unix(path.into())),
            _ => Err(AddressError(text.to_owned())),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "tcp://{address}"),
            Self::Unix(path) => write!(f, "unix://{}", path.display()),
        }
    }
}

/// Signs for the nodes at these addresses, until the future is dropped. A node that is away is dialled again and again.
pub async fn serve(nodes: Vec<Address>, signer: Arc<Signer>, limits: Limits) {
    let mut tasks = JoinSet::new();
    for node in nodes {
        let signer = Arc::clone(&signer);
        tasks.spawn(async move { keep_connected(&node, &signer, limits).await });
    }
    while tasks.join_next().await.is_some() {}
}

async fn keep_connected(node: &Address, signer: &Signer, limits: Limits) {
    let mut is_told = false;
    loop {
        match connect(node).await {
            Ok(connection) => {
                tracing::info!(%node, "connected");
                is_told = false;
                let Err(why) = answer_all(connection, signer, limits).await;
                tracing::info!(%node, %why, "a connection ends");
            }
            // A node that is away is tried many times, and named once.
            Err(why) if is_told => tracing::debug!(%node, %why, "not connected"),
            Err(why) => {
                is_told = true;
                tracing::warn!(%node, %why, "not connected: it is tried again");
            }
        }
        sleep(PAUSE).await;
    }
}

/// A connection to a node.
enum Connection {
    Tcp(Box<SecretConnection<TcpStream>>),
    Unix(UnixStream),
}

async fn connect(node: &Address) -> Result<Connection> {
    let connect = async {
        match node {
            Address::Tcp(address) => {
                let stream = TcpStream::connect(address).await?;
                stream.set_nodelay(true)?;
                Ok(Connection::Tcp(Box::new(SecretConnection::open(stream).await?)))
            }
            Address::Unix(path) => Ok(Connection::Unix(UnixStream::connect(path).await?)),
        }
    };
    timeout(CONNECT, connect).await?
}

impl Connection {
    async fn receive(&mut self) -> Result<Vec<u8>> {
        match self {
            Self::Tcp(connection) => connection.receive(MAX_LENGTH).await,
            Self::Unix(stream) => receive(stream).await,
        }
    }

    async fn send(&mut self, message: &[u8]) -> Result<()> {
        match self {
            Self::Tcp(connection) => connection.send(message).await,
            Self::Unix(stream) => send(stream, message).await,
        }
    }
}

/// Receives a message, without the length in front of it.
async fn receive(stream: &mut (impl AsyncRead + Unpin)) -> Result<Vec<u8>> {
    let (mut length, mut shift) = (0_usize, 0_u32);
    loop {
        let byte = stream.read_u8().await?;
        length |= usize::from(byte & 0x7f) << shift;
        shift = shift.saturating_add(7);
        if byte & 0x80 == 0 {
            break;
        }
        // Three bytes are enough for the longest message.
        if shift > 14 {
            return Err(too_long());
        }
    }
    if length > MAX_LENGTH {
        return Err(too_long());
    }
    let mut message = vec![0; length];
    stream.read_exact(&mut message).await?;
    Ok(message)
}

async fn send(stream: &mut (impl AsyncWrite + Unpin), message: &[u8]) -> Result<()> {
    stream.write_all(message).await?;
    stream.flush().await
}

fn too_long() -> Error {
    Error::new(ErrorKind::InvalidData, "the message is too long")
}

/// Answers the requests of a node, one after the other, until its connection ends.
async fn answer_all(
    mut connection: Connection,
    signer: &Signer,
    limits: Limits,
) -> Result<Infallible> {
    loop {
        let message = timeout(limits.idle.min(SILENCE), connection.receive()).await??;
        let request = Request::from_bytes(&message)
            .map_err(|why| Error::new(ErrorKind::InvalidData, why.to_string()))?;
        let answer = signer.answer(request).await.to_bytes();
        timeout(limits.transfer, connection.send(&answer)).await??;
    }
}
