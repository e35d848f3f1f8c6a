//! A server: it accepts connections, and serves HTTP/1.1 within limits.

use core::net::SocketAddr;
use core::pin::pin;
use core::time::Duration;
use std::io;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use crate::connections::{Connection, Connections};
use crate::limits::Limits;

/// For how long requests may go on when a server stops, or the life of their connection is over.
const GRACE: Duration = Duration::from_secs(5);

/// A server on a listener. It stops accepting when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    connections: Arc<Connections>,
    stop: watch::Sender<bool>,
    tls: Option<watch::Sender<Arc<ServerConfig>>>,
    task: JoinHandle<()>,
}

/// The things that every connection needs.
#[derive(Clone)]
struct Serving {
    router: Router,
    limits: Limits,
    tls: Option<watch::Receiver<Arc<ServerConfig>>>,
    stopped: watch::Receiver<bool>,
}

impl Server {
    /// Starts to serve the router on the listener, with TLS if there is a configuration.
    ///
    /// # Errors
    /// If the listener has no address.
    pub fn start(
        listener: TcpListener,
        tls: Option<Arc<ServerConfig>>,
        router: Router,
        limits: Limits,
    ) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let connections = Connections::new(limits);
        let (stop, stopped) = watch::channel(false);
        let (tls, current) = tls.map(watch::channel).unzip();
        let serving = Serving { router, limits, tls: current, stopped };
        let task = tokio::spawn(accept(listener, Arc::clone(&connections), serving));
        Ok(Self { address, connections, stop, tls, task })
    }

    /// The address.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// A function that replaces the configuration of TLS for as long as the server lives. Connections that stand keep theirs, and
    /// a server without TLS stays without.
    pub fn tls_setter(&self) -> impl Fn(Arc<ServerConfig>) + Send + 'static {
        let tls = self.tls.clone();
        move |config| {
            if let Some(tls) = &tls {
                tls.send_replace(config);
            }
        }
    }

    /// The numbers of open connections: of callers and of strangers.
    #[must_use]
    pub fn connections(&self) -> (usize, usize) {
        self.connections.count()
    }

    /// Accepts no more connections, and waits for requests that have begun, for 5 seconds at most.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        self.task.await.ok();
    }
}

#[allow(clippy::integer_division_remainder_used, reason = "tokio's own, in `select!`")]
async fn accept(listener: TcpListener, connections: Arc<Connections>, serving: Serving) {
    let mut stopped = serving.stopped.clone();
    let mut tasks = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            biased;
            _ = stopped.wait_for(|stop| *stop) => break,
            _ = tasks.join_next(), if !tasks.is_empty() => continue,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                if let Some(connection) = connections.admit(peer.ip()) {
                    tasks.spawn(serve(stream, Arc::new(connection), serving.clone()));
                }
            }
            // No more file descriptors, for instance: others may be closed meanwhile.
            Err(_) => sleep(Duration::from_millis(50)).await,
        }
    }
    drop(listener);
    let all = async { while tasks.join_next().await.is_some() {} };
    timeout(GRACE, all).await.ok();
}

/// Serves a connection to its end.
async fn serve(stream: TcpStream, connection: Arc<Connection>, serving: Serving) {
    stream.set_nodelay(true).ok();
    match &serving.tls {
        None => serve_http(stream, connection, &serving).await,
        Some(tls) => {
            let tls = TlsAcceptor::from(Arc::clone(&tls.borrow()));
            if let Some(Ok(stream)) = shaken(tls.accept(stream), &connection, &serving).await {
                serve_http(stream, connection, &serving).await;
            }
        }
    }
}

/// The end of a handshake, if it comes in time.
#[allow(clippy::integer_division_remainder_used, reason = "tokio's own, in `select!`")]
async fn shaken<T>(
    handshake: impl Future<Output = T>,
    connection: &Connection,
    serving: &Serving,
) -> Option<T> {
    let mut stopped = serving.stopped.clone();
    tokio::select! {
        biased;
        _ = stopped.wait_for(|stop| *stop) => None,
        () = connection.evicted() => None,
        shaken = timeout(serving.limits.head, handshake) => shaken.ok(),
    }
}

#[allow(clippy::integer_division_remainder_used, reason = "tokio's own, in `select!`")]
async fn serve_http<S>(stream: S, connection: Arc<Connection>, serving: &Serving)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let router = serving.router.clone();
    let handle = Arc::clone(&connection);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Arc::clone(&handle));
        let mut router = router.clone();
        async move { tower_service::Service::call(&mut router, request).await }
    });
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(serving.limits.head)
        .max_headers(64)
        .max_buf_size(64 << 10);
    let mut served = pin!(server.serve_connection(TokioIo::new(stream), service));
    let mut stopped = serving.stopped.clone();
    tokio::select! {
        biased;
        _ = served.as_mut() => return,
        () = connection.evicted() => return,
        _ = stopped.wait_for(|stop| *stop) => {}
        () = sleep(serving.limits.life) => {}
    }
    served.as_mut().graceful_shutdown();
    timeout(GRACE, served).await.ok();
}
