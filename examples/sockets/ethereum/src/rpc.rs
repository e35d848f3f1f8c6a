//! The envelopes of JSON-RPC 2.0.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::{Error, ErrorKind};

/// A request. Members that are unknown are ignored, as JSON-RPC wants it; one that stands twice is refused.
#[derive(Deserialize, Debug)]
struct Envelope<'a> {
    jsonrpc: String,
    method: String,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    id: Option<Value>,
}

/// The most requests in a list.
pub const MAX_BATCH: usize = 16;

/// A request that can be answered.
#[derive(Debug)]
pub struct Call<'a> {
    /// The id, for the answer: a text or a number.
    pub id: Value,
    /// The method.
    pub method: String,
    /// The parameters.
    pub params: Vec<&'a RawValue>,
}

/// The requests of a body.
#[derive(Debug)]
pub enum Requests<'a> {
    /// One request.
    One(&'a RawValue),
    /// A list of requests, which get a list of answers.
    Batch(Vec<&'a RawValue>),
}

impl<'a> Requests<'a> {
    /// Reads a body.
    ///
    /// # Errors
    /// If it is not JSON, or a list without requests or with more than [`MAX_BATCH`].
    pub fn read(body: &'a [u8]) -> Result<Self, Error> {
        let parse = |why: serde_json::Error| Error::new(ErrorKind::Parse, why.to_string());
        let whole: &RawValue = serde_json::from_slice(body).map_err(parse)?;
        if !whole.get().starts_with('[') {
            return Ok(Self::One(whole));
        }
        match serde_json::from_str::<Vec<&RawValue>>(whole.get()).map_err(parse)? {
            list if list.is_empty() => Err(Error::new(ErrorKind::Request, "an empty list")),
            list if list.len() > MAX_BATCH => {
                let why = format!("a list has at most {MAX_BATCH} requests");
                Err(Error::new(ErrorKind::Limit, why))
            }
            list => Ok(Self::Batch(list)),
        }
    }
}

impl<'a> Call<'a> {
    /// Reads one request of a body.
    ///
    /// # Errors
    /// If it is no request, with the id for the answer: null if there is none.
    pub fn read(raw: &'a RawValue) -> Result<Self, (Value, Error)> {
        let request = |why: String| Error::new(ErrorKind::Request, why);
        let envelope: Envelope<'_> = serde_json::from_str(raw.get())
            .map_err(|why| (Value::Null, request(why.to_string())))?;
        let id = match envelope.id {
            Some(id @ (Value::String(_) | Value::Number(_))) => id,
            // Nobody would get the answer: nothing is signed for a notification.
            _ => return Err((Value::Null, request("expected an id, a text or number".to_owned()))),
        };
        if envelope.jsonrpc != "2.0" {
            return Err((id, request("expected \"jsonrpc\": \"2.0\"".to_owned())));
        }
        let params =
            envelope.params.map_or(Ok(vec![]), |params| serde_json::from_str(params.get()));
        match params {
            Ok(params) => Ok(Self { id, method: envelope.method, params }),
            Err(why) => Err((id, Error::params(format!("expected a list of parameters: {why}")))),
        }
    }
}

/// The answer to a request.
#[cfg(feature = "serve")]
pub(crate) fn answer(id: &Value, outcome: Result<Value, Error>) -> Value {
    use serde_json::json;

    match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(Error { kind, message }) => {
            let error = json!({ "code": kind.code(), "message": message });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}
