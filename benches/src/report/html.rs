//! The page: one file without scripts, which needs nothing from elsewhere.

use core::fmt::Write as _;

use super::machine::{Load, Machine};
use super::section::{Block, Grid, Kind, Section};

const STYLE: &str = include_str!("style.css");

/// The head of the page: the run as a whole.
pub struct Head<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// `tiny`, `quick` or `full`.
    pub scale: &'a str,
    /// The command that makes it again.
    pub command: &'a str,
    /// The other load of the machine.
    pub load: &'a Load,
}

/// Text without the characters that mean something in HTML.
#[must_use]
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The page.
#[must_use]
pub fn page(head: &Head<'_>, sections: &[Section]) -> String {
    let mut out =
        String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out += "<title>Quorate beside five published reports</title>\n";
    out += &format!("<style>\n{STYLE}</style>\n</head>\n<body>\n");
    out += "<h1>Quorate beside five published reports</h1>\n";
    intro(&mut out, head);
    summary(&mut out, sections);
    for section in sections {
        one(&mut out, section);
    }
    listing(&mut out, head, sections);
    out += "</body>\n</html>\n";
    out
}

fn intro(out: &mut String, head: &Head<'_>) {
    paragraph(
        out,
        "",
        &format!("Machine: {}. Run: {}, <{}>.", head.machine.line(), head.scale, head.command),
    );
    let warn =
        if head.load.is_busy() || head.machine.build != "optimised" { "warn" } else { "faint" };
    let not_optimised = if head.machine.build == "optimised" {
        ""
    } else {
        " This program was compiled without optimisation: its times mean nothing."
    };
    paragraph(out, warn, &format!("{}{not_optimised}", head.load.sentence()));
    paragraph(
        out,
        "faint",
        "Times are CPU time of the one thread that did the work. A figure is the median of its runs, of searches for \
         primes the mean; after ± stands half of the range between the quartiles. Published figures are cited as \
         published, on the hardware that their rows name: no ratio has one of them in it. A ratio says how many times \
         as long a library takes that ran in turns with ours, in the same process.",
    );
    *out += "<p class=\"key\"><span class=\"ours\">ours, this run</span> <span>a peer, this run</span> \
             <span class=\"ratio\">ratio, this run</span> <span class=\"published\">published</span></p>\n";
}

fn paragraph(out: &mut String, class: &str, text: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    *out += &format!("<p{class}>{}</p>\n", escape(text));
}

fn summary(out: &mut String, sections: &[Section]) {
    *out += "<div class=\"scroll\"><table id=\"table-summary\"><caption>A line for each report</caption>\n<tr>";
    for title in
        ["report", "what", "ours, this run", "as published", "on", "peer of this run takes"]
    {
        *out += &format!("<th>{title}</th>");
    }
    *out += "</tr>\n";
    let lines = sections.iter().flat_map(|one| one.headlines.iter().map(move |line| (one, line)));
    for (section, line) in lines {
        *out += &format!("<tr><td><a href=\"#{}\">{}</a></td>", section.id, escape(&section.title));
        let cells =
            [&line.what, &line.ours, &line.published, section.source.hardware, &line.ratio()];
        for cell in cells {
            *out += &format!("<td>{}</td>", escape(cell));
        }
        *out += "</tr>\n";
    }
    *out += "</table></div>\n";
}

fn one(out: &mut String, section: &Section) {
    let (title, source) = (escape(&section.title), section.source);
    *out += &format!("<section id=\"{}\">\n<h2>{title}</h2>\n", section.id);
    let cited = format!("Published: {} ({}). {}", source.title, source.hardware, source.notes);
    paragraph(out, "faint", &cited);
    paragraph(out, if section.load.is_busy() { "warn" } else { "faint" }, &section.load.sentence());
    let mut plots = false;
    for block in &section.blocks {
        let is_plot = matches!(block, Block::Plot(..));
        if is_plot != plots {
            *out += if is_plot { "<div class=\"plots\">\n" } else { "</div>\n" };
            plots = is_plot;
        }
        match block {
            Block::Text(text) => paragraph(out, "", text),
            Block::Table(grid) => table(out, grid),
            Block::Plot(id, title, svg) => {
                let title = escape(title);
                let start = svg.find("<svg").unwrap_or(0);
                let svg = svg.get(start..).unwrap_or_default();
                *out += &format!("<figure id=\"{id}\"><figcaption>{title}</figcaption>\n");
                *out +=
                    &svg.replacen("<svg", &format!("<svg role=\"img\" aria-label=\"{title}\""), 1);
                *out += "</figure>\n";
            }
        }
    }
    if plots {
        *out += "</div>\n";
    }
    *out += "</section>\n";
}

fn table(out: &mut String, grid: &Grid) {
    *out += &format!(
        "<div class=\"scroll\"><table id=\"{}\"><caption>{}</caption>\n<tr>",
        grid.id,
        escape(&grid.caption)
    );
    for title in &grid.head {
        *out += &format!("<th>{}</th>", escape(title));
    }
    *out += "</tr>\n";
    for row in &grid.rows {
        *out += &format!("<tr class=\"{}\"><td>{}</td>", row.kind.name(), escape(&row.label));
        for cell in &row.cells {
            *out += &format!("<td>{}</td>", escape(cell));
        }
        *out += "</tr>\n";
    }
    *out += "</table></div>\n";
}

/// Every figure with all that it depends on.
fn listing(out: &mut String, head: &Head<'_>, sections: &[Section]) {
    *out += "<section id=\"figures\">\n<h2>All figures</h2>\n";
    paragraph(out, "faint", &format!("All on: {}.", head.machine.line()));
    *out +=
        "<details><summary>Every figure: engine, level, runs, median or mean, spread</summary>\n";
    *out += "<div class=\"scroll\"><table id=\"table-figures\"><tr>";
    for title in ["figure", "library", "engine", "level", "runs", "statistic", "value", "spread"] {
        *out += &format!("<th>{title}</th>");
    }
    *out += "</tr>\n";
    for figure in sections.iter().flat_map(|section| &section.figures) {
        let spread =
            figure.spread().map_or_else(|| "–".to_owned(), |part| format!("{:.1} %", part * 100.0));
        let (who, engine) = (escape(&figure.who), escape(&figure.engine));
        let kind = if figure.who == "quorate" { Kind::Ours } else { Kind::Peer };
        writeln!(
            out,
            "<tr class=\"{}\"><td>{}</td><td>{who}</td><td>{engine}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{spread}</td></tr>",
            kind.name(),
            escape(&figure.name),
            escape(&figure.level),
            figure.samples.len(),
            figure.by.name(),
            figure.unit.show(figure.middle()),
        )
        .expect("a string");
    }
    *out += "</table></div></details>\n</section>\n";
}
