//! Colours: whether to use them, and which.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};

use super::layer::ColorWhen;

/// The styles of the output; all plain when colour is off.
#[derive(Clone, Copy, Debug, Default)]
pub struct Palette {
    /// File names.
    pub path: Style,
    /// Line numbers.
    pub line: Style,
    /// Words of the query as they stand.
    pub exact: Style,
    /// Near misses.
    pub fuzzy: Style,
    /// What the query means.
    pub meaning: Style,
    /// Remarks.
    pub dim: Style,
}

impl Palette {
    /// The colours, for real.
    pub fn with_colors() -> Self {
        Self {
            path: AnsiColor::Magenta.on_default(),
            line: AnsiColor::Green.on_default(),
            exact: AnsiColor::Red.on_default().bold(),
            fuzzy: AnsiColor::Yellow.on_default().bold(),
            meaning: AnsiColor::Cyan.on_default().bold(),
            dim: Style::new().dimmed(),
        }
    }

    /// What suits standard output, asked for as `when`.
    pub fn of_stdout(when: ColorWhen) -> Self {
        let colored = match when {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => wants_color(&ColorEnvironment::of_stdout()),
        };
        if colored { Self::with_colors() } else { Self::default() }
    }
}

/// What decides about colour when nobody did: <https://no-color.org>, <https://bixense.com/clicolors>.
struct ColorEnvironment {
    no_color: bool,
    force: bool,
    dumb: bool,
    terminal: bool,
}

impl ColorEnvironment {
    fn of_stdout() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is = |name: &str, text: &str| std::env::var_os(name).is_some_and(|value| value == text);
        Self {
            no_color: set("NO_COLOR") || is("CLICOLOR", "0"),
            force: set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0"),
            dumb: is("TERM", "dumb"),
            terminal: std::io::stdout().is_terminal(),
        }
    }
}

fn wants_color(around: &ColorEnvironment) -> bool {
    !around.no_color && (around.force || (around.terminal && !around.dumb))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_color_beats_force_beats_the_terminal() {
        let around = |no_color, force, dumb, terminal| ColorEnvironment { no_color, force, dumb, terminal };
        assert!(!wants_color(&around(true, true, false, true)));
        assert!(wants_color(&around(false, true, true, false)));
        assert!(!wants_color(&around(false, false, true, true)));
        assert!(!wants_color(&around(false, false, false, false)));
        assert!(wants_color(&around(false, false, false, true)));
    }
}
