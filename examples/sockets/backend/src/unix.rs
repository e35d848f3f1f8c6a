//! Unix sockets.

use core::time::Duration;
use std::fs::{self, Permissions};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// The pause after a connection that could not be accepted: too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// A Unix socket for its owner, the superuser, and users that are named. Its file is removed with the value.
///
/// The kernel names the user at the other end of each connection, and the socket closes those of strangers.
#[derive(Debug)]
pub struct UnixSocket {
    listener: UnixListener,
    path: PathBuf,
    owner: u32,
    users: Vec<u32>,
}

impl UnixSocket {
    /// Makes the socket. One that a process left behind is replaced.
    ///
    /// # Errors
    /// [`AddrInUse`](ErrorKind::AddrInUse) if another process listens there, or the file is no socket. The errors of the
    /// file system.
    pub fn bind(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        clear(&path)?;
        let listener = UnixListener::bind(&path)?;
        // A connection from before this line is checked as the others are.
        fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        let owner = fs::symlink_metadata(&path)?.uid();
        Ok(Self { listener, path, owner, users: vec![] })
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

    /// Serves connections until the future is dropped, at most this number at a time. The function gets each connection
    /// with the number of its user.
    pub async fn serve<F>(self, connections: usize, answer: impl Fn(UnixStream, u32) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let places = Arc::new(Semaphore::new(connections.min(Semaphore::MAX_PERMITS)));
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
            let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
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
        fs::remove_file(&self.path).ok();
    }
}

/// Removes a socket on which no process listens.
fn clear(path: &Path) -> Result<()> {
    let file = match fs::symlink_metadata(path) {
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    if !file.file_type().is_socket() {
        return Err(Error::new(ErrorKind::AddrInUse, "the file is there, and is no socket"));
    }
    if std::os::unix::net::UnixStream::connect(path).is_ok() {
        return Err(Error::new(ErrorKind::AddrInUse, "another process listens on this socket"));
    }
    fs::remove_file(path)
}
