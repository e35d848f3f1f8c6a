//! Connections of modules.

use core::time::Duration;
use std::io::{Error, ErrorKind, Result};
use std::sync::Arc;

use sockets_backend::{Backend, Limits, UnixSocket, while_there};
use sockets_pkcs11_wire::{Answer, MAX_FRAME, Reason, Request};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::time::timeout;
use zeroize::Zeroizing;

use crate::token::{Settings, Token};

/// The bytes of a request for which room is taken before they are there.
const FIRST: usize = 4096;

/// Serves the users of a socket with the keys of a backend, until the future is dropped.
pub async fn serve(
    socket: UnixSocket,
    backend: Arc<dyn Backend>,
    settings: Settings,
    limits: Limits,
) {
    let token = Arc::new(Token::new(backend, settings).within(limits.within));
    let answered = socket.serve(limits.connections, |stream, user| {
        let token = Arc::clone(&token);
        async move {
            if let Err(why) = answer_one(stream, &token, user, limits.transfer).await {
                tracing::debug!(user, %why, "a connection ends");
            }
        }
    });
    answered.await;
}

/// Answers the one request of a connection.
async fn answer_one(
    mut stream: UnixStream,
    token: &Token,
    user: u32,
    transfer: Duration,
) -> Result<()> {
    let body = timeout(transfer, body(&mut stream)).await??;
    let Ok(request) = Request::from_bytes(&body) else {
        tracing::warn!(user, "a request is malformed");
        return send(&mut stream, &Answer::Failed(Reason::Malformed), transfer).await;
    };
    // A part of a second is a second.
    let seconds = token.longest(&request).as_secs().saturating_add(1);
    let seconds = u32::try_from(seconds).unwrap_or(u32::MAX);
    send(&mut stream, &Answer::Wait(seconds), transfer).await?;
    let answer = token.answer(&request, user);
    let answer = match request {
        // A key that is made is to be pinned, also if nobody waits for it.
        Request::Make(_) => answer.await,
        _ => while_there(&stream, answer).await?,
    };
    send(&mut stream, &answer, transfer).await
}

/// The body of a frame. It may have a PIN.
async fn body(stream: &mut (impl AsyncRead + Unpin)) -> Result<Zeroizing<Vec<u8>>> {
    let length = usize::try_from(stream.read_u32().await?).ok();
    let too_long = || Error::new(ErrorKind::InvalidData, "the request is too long");
    let length = length.filter(|length| *length <= MAX_FRAME).ok_or_else(too_long)?;
    let mut body = Zeroizing::new(vec![0; length.min(FIRST)]);
    stream.read_exact(&mut body).await?;
    // What was read moves to room for all of it, and the first room is wiped.
    let mut whole = Zeroizing::new(vec![0; length]);
    if let Some((first, rest)) = whole.split_at_mut_checked(body.len()) {
        first.copy_from_slice(&body);
        stream.read_exact(rest).await?;
    }
    Ok(whole)
}

async fn send(
    stream: &mut (impl AsyncWrite + Unpin),
    answer: &Answer,
    transfer: Duration,
) -> Result<()> {
    timeout(transfer, stream.write_all(&answer.to_frame())).await?
}
