//! HTML in the making: what is not written here is escaped.

use core::fmt::{Display, Write};

/// A page in the making. Marks are literals of this program; everything else is text, and is escaped.
#[derive(Default)]
pub(super) struct Html(String);

impl Html {
    /// Appends marks.
    pub(super) fn raw(&mut self, marks: &'static str) -> &mut Self {
        self.0.push_str(marks);
        self
    }

    /// Appends a text, inside an element or between the quotes of an attribute.
    pub(super) fn text(&mut self, value: impl Display) -> &mut Self {
        // Writing to a string does not fail.
        write!(Escaped(&mut self.0), "{value}").ok();
        self
    }

    /// Appends an element of a text.
    pub(super) fn cell(
        &mut self,
        open: &'static str,
        value: impl Display,
        close: &'static str,
    ) -> &mut Self {
        self.raw(open).text(value).raw(close)
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

struct Escaped<'a>(&'a mut String);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                // A text cannot turn what stands around it, nor hide.
                other if other.is_control() || is_invisible(other) => self.0.push('\u{fffd}'),
                other => self.0.push(other),
            }
        }
        Ok(())
    }
}

/// Marks of direction and other characters without a form.
const fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_text() {
        let mut html = Html::default();
        html.raw("<p title=\"").text("\"><script>'&\u{202e}\u{1b}").raw("\">");
        assert_eq!(
            html.finish(),
            "<p title=\"&quot;&gt;&lt;script&gt;&#39;&amp;\u{fffd}\u{fffd}\">"
        );
    }
}
