//! The log, on standard error.

use core::fmt::{Debug, Result};

use tracing::Subscriber;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::MakeExt as _;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::{Writer, debug_fn};

/// The lines of the log without `RUST_LOG`.
const OWN_LOGS: &str = "warn,quorate_sockets=info,sockets_agent=info,sockets_backend=info,sockets_kms=info,sockets_kubernetes=info,\
                        sockets_pkcs11=info,sockets_privval=info";

/// Starts the log. `RUST_LOG` chooses its lines; without it they are those of the sockets.
pub(crate) fn start() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(OWN_LOGS));
    // It fails if there is another log, which no part of this program starts.
    tracing::subscriber::set_global_default(log(filter, std::io::stderr)).ok();
}

/// A log in which each event is one line, whatever is in its values: many of them are texts of consumers.
fn log<W>(filter: EnvFilter, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let fields = debug_fn(|to, field, value| match field.name() {
        "message" => escaped(to, value),
        name => {
            write!(to, "{name}=")?;
            escaped(to, value)
        }
    });
    let log = tracing_subscriber::fmt().fmt_fields(fields.delimited(" ")).with_ansi(false);
    log.with_env_filter(filter).with_writer(writer).finish()
}

/// Writes a value without the characters that end a line, or tell a terminal to do something.
fn escaped(to: &mut Writer<'_>, value: &dyn Debug) -> Result {
    format!("{value:?}").chars().try_for_each(|letter| match letter {
        '\u{2028}' | '\u{2029}' => write!(to, "{}", letter.escape_unicode()),
        _ if letter.is_control() => write!(to, "{}", letter.escape_default()),
        _ => to.write_char(letter),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::unwrap_in_result, reason = "a test fails by panicking")]

    use std::io;
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A log that is kept.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The name of a key that a consumer asks for, in the reason why it is refused.
    #[test]
    fn text_of_a_consumer_begins_no_line_and_moves_no_cursor() {
        let kept = Kept::default();
        let writer = kept.clone();
        let log = log(EnvFilter::new("info"), move || writer.clone());
        tracing::subscriber::with_default(log, || {
            let forged = "no key 'x'\n2026-12-03T09:00:00Z  INFO sockets_kms: signed\r\x1b[2J\u{9b}H\u{2028}";
            tracing::warn!(why = %forged, access_key = "a\nb", number = 7, "refused");
            tracing::info!("{forged}");
        });
        let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        let lines: Vec<_> = text.split_terminator('\n').collect();
        assert_eq!(lines.len(), 2, "{text:?}");
        assert!(
            !lines.iter().any(|line| line.contains(|c: char| c.is_control() || c == '\u{2028}')),
            "{text:?}"
        );
        let first = lines.first().unwrap();
        assert!(
            first.contains("WARN") && first.contains("refused why=no key 'x'\\n2026"),
            "{first}"
        );
        assert!(first.ends_with(r#"access_key="a\nb" number=7"#), "{first}");
    }
}
