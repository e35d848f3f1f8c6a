//! Connections of clients.

use std::io::{Error, ErrorKind, Result};
use std::sync::Arc;

use sockets_backend::{Backend, Limits, UnixSocket, while_there};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::time::timeout;

use crate::agent::Agent;
use crate::message::MAX_LENGTH;

/// Serves the users of a socket with the keys of a backend, until the future is dropped.
pub async fn serve(socket: UnixSocket, backend: Arc<dyn Backend>, limits: Limits) {
    let agent = Arc::new(Agent::new(backend).within(limits.within));
    let answered = socket.serve(limits.connections, |stream, user| {
        let agent = Arc::clone(&agent);
        async move {
            // The end of a connection is an error, too.
            if let Err(why) = answer_all(stream, &agent, user, limits).await {
                tracing::debug!(user, %why, "a connection ends");
            }
        }
    });
    answered.await;
}

/// Answers the messages of a client, until its connection ends.
async fn answer_all(
    mut stream: UnixStream,
    agent: &Agent,
    user: u32,
    limits: Limits,
) -> Result<()> {
    loop {
        let length = timeout(limits.idle, stream.read_u32()).await??;
        let length = usize::try_from(length).ok().filter(|length| *length <= MAX_LENGTH);
        let too_long = || Error::new(ErrorKind::InvalidData, "the message is too long");
        let mut message = vec![0; length.ok_or_else(too_long)?];
        timeout(limits.transfer, stream.read_exact(&mut message)).await??;
        let answer = while_there(&stream, agent.answer(&message, user)).await?.to_bytes();
        timeout(limits.transfer, stream.write_all(&answer)).await??;
    }
}
