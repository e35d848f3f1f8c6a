//! The page: one file without scripts, which needs nothing from elsewhere.

use core::fmt::Debug;

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};

use super::files::{Line, Stored};
use super::published;
use super::section::{Drawing, Grid, Kind, Section, notes, or_dash};

const STYLE: &str = include_str!("style.css");
const TITLE: &str = "Quorate beside five published reports";

/// The page of a run.
pub(super) fn page(run: &Stored, sections: &[Section]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (TITLE) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (TITLE) }
                (intro(run))
                (summary(&run.summary))
                @for section in sections { (one(section)) }
                (listing(run))
            }
        }
    };
    page.into_string()
}

fn intro(run: &Stored) -> Markup {
    let optimised = run.machine.build == "optimised";
    html! {
        p { "Machine: " (run.machine.line()) ". Run: " (run.scale) ", <" (run.command) ">." }
        p.(class(run.busy || !optimised)) {
            (run.load)
            @if !optimised {
                " This program was compiled without optimisation: its times mean nothing."
            }
        }
        p.faint {
            "Times are CPU time of the one thread that did the work. A figure is the median of its runs, of searches for \
             primes the mean; after ± stands half of the range between the quartiles. Published figures are cited as \
             published, on the hardware that their rows name: no ratio has one of them in it. A ratio says how many times \
             as long a library takes that ran in turns with ours, in the same process."
        }
        p.key {
            span.ours { "ours, this run" } " " span { "a peer, this run" } " "
            span.ratio { "ratio, this run" } " " span.published { "published" }
        }
    }
}

/// The name of a kind in styles and in words.
fn word(kind: impl Debug) -> String {
    format!("{kind:?}").to_lowercase()
}

/// The style of a sentence on the load.
fn class(busy: bool) -> &'static str {
    if busy { "warn" } else { "faint" }
}

/// A table with its name, its caption, its head and the rows below.
fn framed(id: &str, caption: Option<&str>, head: &[impl Render], rows: Markup) -> Markup {
    html! {
        div.scroll { table id=(id) {
            @if let Some(caption) = caption { caption { (caption) } }
            tr { @for title in head { th { (title) } } }
            (rows)
        } }
    }
}

fn summary(lines: &[Line]) -> Markup {
    let head = ["report", "what", "ours, this run", "as published", "on", "peer of this run takes"];
    let rows = html! {
        @for Line { section, chapter, hardware, headline, .. } in lines {
            tr {
                td { a href={ "#" (section) } { (chapter) } }
                td { (headline.what) } td { (headline.ours) } td { (headline.published) }
                td { (hardware) } td { (headline.peer()) }
            }
        }
    };
    framed("table-summary", Some("A line for each report"), &head, rows)
}

fn one(section: &Section) -> Markup {
    let report = published::report(section.id);
    html! {
        section id=(section.id) {
            h2 { (section.title) }
            p.faint { "Published: " (report.title) " (" (report.hardware) "). " (report.notes) }
            p.(class(section.load.is_busy())) { (section.load.sentence()) }
            @for grid in &section.shown.tables {
                (table(grid))
                @for text in notes(&grid.id) { p { (text) } }
            }
            div.plots { @for plot in &section.shown.plots { (drawing(plot)) } }
        }
    }
}

fn drawing(Drawing { id, title, svg }: &Drawing) -> Markup {
    let label = html! { (title) }.into_string();
    let svg = svg.replacen("<svg", &format!("<svg role=\"img\" aria-label=\"{label}\""), 1);
    html! { figure id=(id) { figcaption { (title) } (PreEscaped(svg)) } }
}

fn table(Grid { id, caption, head, rows }: &Grid) -> Markup {
    let rows = html! {
        @for row in rows {
            tr.(word(row.kind)) { td { (row.label) } @for cell in &row.cells { td { (cell) } } }
        }
    };
    framed(id, Some(caption), head, rows)
}

/// Every figure with all that it depends on.
fn listing(run: &Stored) -> Markup {
    let head = ["figure", "library", "engine", "level", "runs", "statistic", "value", "spread"];
    let rows = html! {
        @for one in &run.figures {
            tr.(word(Kind::of(&one.who))) {
                @for cell in [&one.name, &one.who, &one.engine, &one.level] { td { (cell) } }
                td { (one.samples.len()) }
                td { (word(one.by)) }
                td { (one.unit.show(one.middle())) }
                td { (or_dash(one.spread().map(|part| format!("{:.1} %", part * 100.0)))) }
            }
        }
    };
    html! {
        section #figures {
            h2 { "All figures" }
            p.faint { "All on: " (run.machine.line()) "." }
            details {
                summary { "Every figure: engine, level, runs, median or mean, spread" }
                (framed("table-figures", None, &head, rows))
            }
        }
    }
}
