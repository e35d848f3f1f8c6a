//! A caller of a gateway, or of any process's probes: one connection, one question at a time.

use core::net::SocketAddr;
use core::time::Duration;

use axum::body::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use quorate_examples::failure::Failure;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The longest answer that is read.
const LONGEST: usize = 8 << 20;

/// A caller.
#[derive(Debug)]
pub struct Client {
    address: SocketAddr,
    most: Duration,
    connection: Option<SendRequest<Full<Bytes>>>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Its body.
    pub body: Bytes,
}

impl Client {
    /// One that waits for each answer for so long. It connects when it first asks, and again when it was disconnected.
    #[must_use]
    pub const fn new(address: SocketAddr, most: Duration) -> Self {
        Self { address, most, connection: None }
    }

    /// Asks for what lies under a path.
    ///
    /// # Errors
    /// A [`Failure`] if there is no answer in time.
    pub async fn get(&mut self, path: &str) -> Result<Answer, Failure> {
        self.ask(Method::GET, path, Bytes::new()).await
    }

    /// Hands in JSON.
    ///
    /// # Errors
    /// A [`Failure`] if there is no answer in time; it may have been taken all the same.
    pub async fn post(&mut self, path: &str, json: Vec<u8>) -> Result<Answer, Failure> {
        self.ask(Method::POST, path, json.into()).await
    }

    async fn ask(&mut self, method: Method, path: &str, body: Bytes) -> Result<Answer, Failure> {
        let (address, most) = (self.address, self.most);
        // It is kept for the next question only if this one was answered.
        let kept = self.connection.take();
        let asked = async {
            let mut connection = match kept {
                Some(connection) if !connection.is_closed() => connection,
                _ => connect(address).await?,
            };
            connection.ready().await?;
            let request =
                Request::builder().method(method).uri(path).header(HOST, address.to_string());
            let request = request.header(CONTENT_TYPE, "application/json").body(Full::new(body))?;
            let (head, body) = connection.send_request(request).await?.into_parts();
            let body = Limited::new(body, LONGEST).collect().await;
            let body = body.map_err(|error| Failure::new(error.to_string()))?.to_bytes();
            Ok::<_, Failure>((Answer { status: head.status, body }, connection))
        };
        let asked = timeout(most, asked).await;
        let late = |_| Failure::new(format!("{address} does not answer within {most:?}"));
        let (answer, connection) = asked.map_err(late)??;
        self.connection = Some(connection);
        Ok(answer)
    }
}

async fn connect(address: SocketAddr) -> Result<SendRequest<Full<Bytes>>, Failure> {
    let there = TcpStream::connect(address).await;
    let stream = there.map_err(|error| Failure::new(format!("{address}: {error}")))?;
    stream.set_nodelay(true)?;
    let (connection, driver) = handshake(TokioIo::new(stream)).await?;
    // Its errors come with the answers.
    tokio::spawn(async move { driver.await.ok() });
    Ok(connection)
}

impl Answer {
    /// The body as JSON of this form.
    ///
    /// # Errors
    /// A [`Failure`] with the status and the error's text, if it is another one.
    pub fn json<T: serde::de::DeserializeOwned>(&self) -> Result<T, Failure> {
        if self.status.is_success() {
            return Ok(serde_json::from_slice(&self.body)?);
        }
        Err(Failure::new(format!("{}: {}", self.status.as_u16(), self.problem())))
    }

    /// The text of an error.
    #[must_use]
    pub fn problem(&self) -> String {
        let value: serde_json::Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let text = value.pointer("/error/message").and_then(serde_json::Value::as_str);
        let text =
            text.map_or_else(|| String::from_utf8_lossy(&self.body).into_owned(), str::to_owned);
        text.chars().filter(|character| !character.is_control()).take(300).collect()
    }
}
