//! The HTTP side of a process, in a thread of its own: it asks the core, and never works itself.
//!
//! [`api`] takes requests at a gateway and shows the status page, [`probes`] is what every process shows of itself,
//! [`form`] is what goes over the wire, and [`client`] asks.

pub mod api;
pub mod client;
pub mod form;
pub mod keys;
pub mod probes;

use core::net::SocketAddr;
use core::pin::pin;
use core::time::Duration;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::Response;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use quorate_examples::failure::Failure;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use self::form::Problem;
use crate::request::LONGEST_MESSAGE;

/// The longest time that a caller may wait for a result.
pub const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// The longest time for a request and its answer.
const ANSWER: Duration = Duration::from_secs(35);
/// The longest time for the head of a request, and between two.
const HEAD: Duration = Duration::from_secs(60);
/// The longest life of a connection.
const LIFE: Duration = Duration::from_secs(600);
/// For how long open connections may go on when the server ends.
const END: Duration = Duration::from_secs(2);
/// The most connections at a time.
const CONNECTIONS: usize = 1024;
/// The longest body: a message in hexadecimal and the rest of a request.
const BODY: usize = 2 * LONGEST_MESSAGE + 4096;

/// A server in a thread of its own. It ends when this is dropped or [stopped](Self::stop).
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

/// Where a server listens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listen {
    /// The address; port 0 for any that is free.
    pub address: SocketAddr,
    /// Whether it may be another address than this machine's own.
    pub beyond_this_machine: bool,
}

impl Listen {
    /// The address, if it may be listened on.
    ///
    /// # Errors
    /// A [`Failure`] for an address beyond this machine, unless that is configured.
    pub fn checked(self) -> Result<SocketAddr, Failure> {
        if self.address.ip().is_loopback() || self.beyond_this_machine {
            return Ok(self.address);
        }
        let text = format!(
            "{} is not on this machine alone: nothing listens there unless beyond_this_machine is configured",
            self.address
        );
        Err(Failure::new(text))
    }
}

impl Server {
    /// Starts it. `beside` is run along with it, until it ends.
    ///
    /// # Errors
    /// A [`Failure`] if the address is taken or may not be used.
    pub fn start(
        listen: Listen,
        router: Router,
        beside: impl Future<Output = ()> + Send + 'static,
    ) -> Result<Self, Failure> {
        let address = listen.checked()?;
        let taken = |error| Failure::new(format!("cannot listen on {address}: {error}"));
        let listener = std::net::TcpListener::bind(address).map_err(taken)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let router = router
            .layer(DefaultBodyLimit::max(BODY))
            .layer(middleware::from_fn(in_time))
            .method_not_allowed_fallback(async || Problem::METHOD)
            .fallback(async || Problem::NO_SUCH_PLACE);
        let run = move || {
            runtime.block_on(async {
                tokio::spawn(beside);
                match TcpListener::from_std(listener) {
                    Ok(listener) => accept(listener, router, stopped).await,
                    Err(error) => tracing::error!(%error, "no listener"),
                }
            });
            runtime.shutdown_timeout(Duration::from_millis(100));
        };
        let thread = thread::Builder::new().name("http".to_owned()).spawn(run)?;
        Ok(Self { address, stop, thread: Some(thread) })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes no further connection, lets answers that are under way go out, for 2 seconds at most, and ends.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

#[allow(clippy::integer_division_remainder_used, reason = "tokio's own, in `select!`")]
async fn accept(listener: TcpListener, router: Router, mut stopped: watch::Receiver<bool>) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let next = async {
            let place = Arc::clone(&room).acquire_owned().await;
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            biased;
            _ = stopped.wait_for(|stop| *stop) => break,
            next = next => next,
        };
        let Ok((stream, _)) = accepted else {
            // No more file descriptors, for instance: others may be closed meanwhile.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let connection = connection(stream, router.clone(), stopped.clone());
        tokio::spawn(async move {
            connection.await;
            drop(place);
        });
    }
    drop(listener);
    timeout(END, room.acquire_many(CONNECTIONS.try_into().unwrap_or(u32::MAX))).await.ok();
}

/// Serves a connection to its end. What a caller does wrong is not worth a line.
#[allow(clippy::integer_division_remainder_used, reason = "tokio's own, in `select!`")]
async fn connection(stream: TcpStream, router: Router, mut stopped: watch::Receiver<bool>) {
    stream.set_nodelay(true).ok();
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_headers(64)
        .max_buf_size(64 << 10);
    let served = server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut served = pin!(served);
    tokio::select! {
        biased;
        _ = served.as_mut() => return,
        _ = stopped.wait_for(|stop| *stop) => {}
        () = sleep(LIFE) => {}
    }
    served.as_mut().graceful_shutdown();
    timeout(ANSWER, served).await.ok();
}

async fn in_time(request: Request, next: Next) -> Response {
    let answer = timeout(ANSWER, next.run(request)).await;
    answer.unwrap_or_else(|_| {
        Problem::new(StatusCode::GATEWAY_TIMEOUT, "timeout", "this took too long").into()
    })
}
