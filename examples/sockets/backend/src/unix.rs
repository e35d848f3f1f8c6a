//! Unix sockets.

mod file;
mod places;

use core::future::poll_fn;
use core::pin::pin;
use core::task::Poll;
use core::time::Duration;
use std::fs::{self, Permissions};
use std::io::{ErrorKind, Result};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tokio::io::Interest;
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;

use file::{Identity, clear, lock_folder};
use places::Places;

/// The pause after a connection that could not be accepted: too many files are open.
const PAUSE: Duration = Duration::from_millis(100);
/// The pause between two looks at whether the other end of a connection is there.
const LOOK: Duration = Duration::from_millis(250);

/// A Unix socket for its owner, the superuser, and users that are named. Its file is removed with the value.
///
/// The kernel names the user at the other end of each connection, and the socket closes those of strangers.
#[derive(Debug)]
pub struct UnixSocket {
    listener: UnixListener,
    path: PathBuf,
    /// The file that this socket has made.
    file: Identity,
    owner: u32,
    users: Vec<u32>,
}

impl UnixSocket {
    /// Makes the socket. One that a process left behind is replaced.
    ///
    /// # Errors
    /// [`AddrInUse`](ErrorKind::AddrInUse) if another process listens there or may do so, or the file is no socket. The errors
    /// of the file system.
    pub fn bind(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        let _lock = lock_folder(&path)?;
        clear(&path)?;
        let listener = UnixListener::bind(&path)?;
        // A connection from before this line is checked as the others are.
        fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        let file = Identity::of(&path)?;
        // The user of this process, as the kernel names it to others.
        let owner = UnixStream::pair()?.0.peer_cred()?.uid();
        Ok(Self { listener, path, file, owner, users: vec![] })
    }

    /// Admits these users, too, by their numbers.
    ///
    /// # Errors
    /// The errors of the file system.
    pub fn admit(mut self, users: impl IntoIterator<Item = u32>) -> Result<Self> {
        self.users.extend(users);
        if !self.users.is_empty() {
            fs::set_permissions(&self.path, Permissions::from_mode(0o666))?;
        }
        Ok(self)
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Serves connections until the future is dropped, at most this number at a time. Where users are admitted, each user has
    /// at most half of them. The function gets each connection with the number of its user.
    pub async fn serve<F>(self, connections: usize, answer: impl Fn(UnixStream, u32) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut places = Places::new(connections, !self.users.is_empty());
        let mut tasks = JoinSet::new();
        loop {
            let stream = match self.listener.accept().await {
                Ok((stream, _)) => stream,
                Err(why) => {
                    tracing::warn!(%why, "no connection is accepted");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            };
            while tasks.try_join_next().is_some() {}
            let Some(user) = self.user(&stream) else { continue };
            let Some(place) = places.take(user) else {
                tracing::warn!(user, connections, "a connection is refused, since all are taken");
                continue;
            };
            let answered = answer(stream, user);
            tasks.spawn(async move {
                answered.await;
                drop(place);
            });
        }
    }

    /// The user at the other end, unless it is a stranger.
    fn user(&self, stream: &UnixStream) -> Option<u32> {
        let user = stream.peer_cred().ok()?.uid();
        let known = user == self.owner || user == 0 || self.users.contains(&user);
        if !known {
            tracing::warn!(user, "the connection of a stranger is refused");
        }
        known.then_some(user)
    }
}

impl Drop for UnixSocket {
    fn drop(&mut self) {
        // Somebody may have removed it, and another program may be there by now.
        if Identity::of(&self.path).is_ok_and(|there| there == self.file) {
            fs::remove_file(&self.path).ok();
        }
    }
}

/// Waits for an answer as long as the program at the other end is there, so that one that gives up and asks again does not
/// take a second place.
///
/// # Errors
/// [`ConnectionAborted`](ErrorKind::ConnectionAborted) if the program is gone. The answer is dropped then, unless it is there.
pub async fn while_there<T>(stream: &UnixStream, answer: impl Future<Output = T>) -> Result<T> {
    let (mut answer, mut gone) = (pin!(answer), pin!(gone(stream)));
    poll_fn(|cx| match answer.as_mut().poll(cx) {
        Poll::Ready(answer) => Poll::Ready(Ok(answer)),
        Poll::Pending => gone.as_mut().poll(cx).map(|()| Err(ErrorKind::ConnectionAborted.into())),
    })
    .await
}

/// Waits until the other end of a connection takes no answer more. One that sends no more may still take it.
async fn gone(stream: &UnixStream) {
    while stream.ready(Interest::WRITABLE).await.is_ok_and(|ready| !ready.is_write_closed()) {
        tokio::time::sleep(LOOK).await;
    }
}
