//! The subjects of envelopes: `q.m.<to>.<from>`.

use std::io;

use quorate_envelope::Name;

const PREFIX: &str = "q.m";

/// A name as one token of a subject. Dots separate tokens, so a name's dots become colons, which no name has.
fn token(name: &Name) -> String {
    name.as_str().replace('.', ":")
}

/// The subject of an envelope.
pub(super) fn envelope(to: &Name, from: &Name) -> String {
    format!("{PREFIX}.{}.{}", token(to), token(from))
}

/// The subjects that a member publishes to.
fn publishable(from: &Name) -> String {
    format!("{PREFIX}.*.{}", token(from))
}

/// The subjects that a member reads.
pub(super) fn readable(to: &Name) -> String {
    format!("{PREFIX}.{}.*", token(to))
}

/// The sender in the subject of an envelope.
pub(super) fn sender(subject: &str) -> Option<Name> {
    let (_, from) = subject.strip_prefix(PREFIX)?.strip_prefix('.')?.split_once('.')?;
    Name::new(&from.replace(':', ".")).ok().filter(|_| !from.contains('.'))
}

/// The block of a NATS server's configuration that admits these members, each with the public part of its NKey. A member
/// publishes under its own name and reads its own subjects, and nothing else.
///
/// The rest of the configuration needs `tls { verify: true }` and a `max_payload` of at least
/// [`MAX_ENVELOPE`](quorate_envelope::MAX_ENVELOPE) bytes.
///
/// # Errors
/// An error that names the member whose NKey is not one of a user.
pub fn permissions<'a>(
    members: impl IntoIterator<Item = (&'a Name, &'a str)>,
) -> io::Result<String> {
    let mut text = "authorization {\n  users: [\n".to_owned();
    for (name, nkey) in members {
        if !nkey.starts_with('U') || nkeys::KeyPair::from_public_key(nkey).is_err() {
            let error = format!("{name}: expected the NKey of a user, which begins with U");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, error));
        }
        let (publish, read) = (publishable(name), readable(name));
        text.push_str(&format!(
            "    {{ nkey: {nkey}, permissions: {{ publish: \"{publish}\", subscribe: \"{read}\" }} }}\n"
        ));
    }
    text.push_str("  ]\n}\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn subject_of_names_with_dots_gives_the_sender_back() {
        let [to, from] = ["n1.zurich", "gw-1.b_c"].map(|name| Name::new(name).unwrap());
        let subject = envelope(&to, &from);
        assert_eq!(subject, "q.m.n1:zurich.gw-1:b_c");
        assert_eq!(sender(&subject), Some(from));
    }

    #[test]
    fn subject_of_another_form_has_no_sender() {
        for subject in ["", "q.m", "q.m.n1", "q.m.n1.", "q.m.n1.n2.n3", "q.x.n1.n2", "q.m.n1.N2"] {
            assert_eq!(sender(subject), None, "{subject}");
        }
    }
}
