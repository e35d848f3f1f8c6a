//! The methods of JSON-RPC, and the signature of web3signer's REST.

use quorate_purpose::evm::{PersonalMessage, Signature};
use quorate_purpose::{Hash, TypedData};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::error::{Error, ErrorKind};
use crate::hex;
use crate::request::TransactionRequest;
use crate::rpc::{Call, Requests, answer};
use crate::signer::Signer;

impl Signer {
    /// Answers the body of a request of JSON-RPC, of an access key.
    pub async fn rpc(&self, body: &[u8], access_key: &str) -> Value {
        match Requests::read(body) {
            Err(why) => answer(&Value::Null, Err(why)),
            Ok(Requests::One(request)) => self.one(request, access_key).await,
            Ok(Requests::Batch(list)) => {
                let mut answers = vec![];
                for request in list {
                    answers.push(self.one(request, access_key).await);
                }
                Value::Array(answers)
            }
        }
    }

    async fn one(&self, request: &RawValue, access_key: &str) -> Value {
        let call = match Call::read(request) {
            Ok(call) => call,
            Err((id, why)) => return answer(&id, Err(why)),
        };
        let outcome = self.call(&call, access_key).await;
        if let Err(why) = &outcome {
            tracing::warn!(access_key, method = shown(&call.method), %why, "refused");
        }
        answer(&call.id, outcome)
    }

    async fn call(&self, call: &Call<'_>, access_key: &str) -> Result<Value, Error> {
        let params = call.params.as_slice();
        match (call.method.as_str(), params) {
            ("web3_clientVersion", []) => {
                Ok(json!(concat!("quorate-sockets/", env!("CARGO_PKG_VERSION"))))
            }
            ("eth_chainId", []) => match self.chain() {
                Some(chain) => Ok(json!(format!("{chain:#x}"))),
                None => Err(Error::new(ErrorKind::Method, "this socket is for all chains")),
            },
            ("eth_accounts", []) => {
                let accounts = self.accounts().await?;
                Ok(accounts.iter().map(|account| json!(account.address())).collect())
            }
            ("eth_signTransaction", [transaction]) => {
                self.transaction(&TransactionRequest::from_json(transaction.get())?, access_key)
                    .await
            }
            // The old method with this name took a list without a domain. What is read here is the later form.
            ("eth_signTypedData_v4" | "eth_signTypedData", [account, data]) => {
                let data = TypedData::from_json(&typed_data(data)?);
                let data = data.map_err(|why| Error::params(format!("typed data: {why}")))?;
                self.message(&parsed::<String>(account)?, data, access_key).await
            }
            ("eth_sign", [account, message]) | ("personal_sign", [message, account]) => {
                self.personal(message, account, access_key).await
            }
            // The third one is the password of an account, which there is none of.
            ("personal_sign", [message, account, _]) => {
                self.personal(message, account, access_key).await
            }
            (method, _) if METHODS.contains(&method) => {
                Err(Error::params(format!("{method} has other parameters than {}", params.len())))
            }
            (method, _) => Err(unknown(method)),
        }
    }

    async fn transaction(
        &self,
        request: &TransactionRequest,
        access_key: &str,
    ) -> Result<Value, Error> {
        let account = self.account(&request.from).await?;
        let prepared = request.prepare(self.chain())?;
        let signature = self.sign(&account, prepared.purpose(), access_key).await?;
        Ok(json!(hex::encode(&prepared.signed_bytes(&signature))))
    }

    async fn personal(
        &self,
        message: &RawValue,
        account: &RawValue,
        access_key: &str,
    ) -> Result<Value, Error> {
        let message = hex::data("the message", &parsed::<String>(message)?)?;
        let message =
            PersonalMessage::new(message).map_err(|why| Error::params(why.to_string()))?;
        self.message(&parsed::<String>(account)?, message, access_key).await
    }

    async fn message(
        &self,
        account: &str,
        purpose: impl Into<quorate_purpose::Purpose>,
        access_key: &str,
    ) -> Result<Value, Error> {
        let account = self.account(account).await?;
        let signature = self.sign(&account, purpose, access_key).await?;
        Ok(json!(hex::encode(&in_65_bytes(&signature))))
    }

    /// Signs the data of web3signer's REST, `{ "data": "0x…" }`: bytes of which Keccak-256 is signed.
    ///
    /// # Errors
    /// The [`Error`] for the answer.
    pub async fn rest(&self, named: &str, body: &[u8], access_key: &str) -> Result<String, Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Body {
            data: String,
        }
        let account = self.account(named).await?;
        let body: Body =
            serde_json::from_slice(body).map_err(|why| Error::params(why.to_string()))?;
        let data = hex::data("data", &body.data)?;
        let purpose = sockets_backend::read(&account.key, Some(Hash::Keccak256), &data)?;
        let signature = self.sign(&account, purpose, access_key).await?;
        Ok(hex::encode(&in_65_bytes(&signature)))
    }

    /// The public keys of web3signer's REST.
    ///
    /// # Errors
    /// The [`Error`] for the answer.
    pub async fn public_keys(&self) -> Result<Vec<String>, Error> {
        let accounts = self.accounts().await?;
        Ok(accounts.iter().map(|account| hex::encode(&account.public_key)).collect())
    }
}

/// The methods that are known.
const METHODS: [&str; 8] = [
    "web3_clientVersion",
    "eth_chainId",
    "eth_accounts",
    "eth_signTransaction",
    "eth_signTypedData_v4",
    "eth_signTypedData",
    "eth_sign",
    "personal_sign",
];

/// The beginning of a name that a consumer has chosen.
fn shown(method: &str) -> String {
    method.chars().take(80).collect()
}

fn unknown(method: &str) -> Error {
    let shown = shown(method);
    let hint = match method {
        "eth_sendTransaction" => {
            ": sign with eth_signTransaction, and send the answer to a node with eth_sendRawTransaction"
        }
        _ => "",
    };
    Error::new(ErrorKind::Method, format!("this socket has no method {shown:?}{hint}"))
}

fn parsed<T: DeserializeOwned>(raw: &RawValue) -> Result<T, Error> {
    serde_json::from_str(raw.get()).map_err(|why| Error::params(why.to_string()))
}

/// The JSON of typed data, which is a parameter or a text in one.
fn typed_data(raw: &RawValue) -> Result<String, Error> {
    if raw.get().starts_with('"') { parsed(raw) } else { Ok(raw.get().to_owned()) }
}

/// r ‖ s ‖ 27 or 28, as wallets and contracts take it.
fn in_65_bytes(signature: &Signature) -> Vec<u8> {
    let v = 27_u8.saturating_add(signature.is_y_odd.into());
    [&signature.r[..], &signature.s, &[v]].concat()
}
