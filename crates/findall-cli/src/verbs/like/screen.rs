//! The screen of `findall like --interactive`: chips of words over live results. Keys and drawing; what they mean is in `state`.

use std::io::IsTerminal;
use std::time::Instant;

use findall::Engine;
use findall_service::like::LikeQuery;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame};

use super::state::{Key, KeyEffect, State};
use super::{SearchedCorpus, model_failure};
use crate::failure::Failure;
use crate::printer::terminal::to_safe_line;

const HELP: &str = "← → choose  ↑ ↓ 0-9 weigh  Enter accept suggested  c clear  PgUp PgDn scroll  q quit";

/// Runs until the person leaves.
pub fn run(engine: &Engine, searched: &SearchedCorpus, mut query: LikeQuery) -> Result<(), Failure> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(Failure::Usage(
            "--interactive needs a terminal; --term and --auto set weights without one".into(),
        ));
    }
    let suggested = query.suggest_terms(engine).map_err(model_failure)?;
    let mut state = State::new(std::mem::take(&mut query.example), suggested);
    let mut terminal = ratatui::try_init().map_err(Failure::Output)?;
    let done = converse(&mut terminal, engine, searched, query, &mut state);
    ratatui::restore();
    done
}

fn converse(
    terminal: &mut DefaultTerminal,
    engine: &Engine,
    searched: &SearchedCorpus,
    mut query: LikeQuery,
    state: &mut State,
) -> Result<(), Failure> {
    let mut then = KeyEffect::Search;
    loop {
        if then == KeyEffect::Search {
            let started = Instant::now();
            query.example = state.example();
            let alike = query.find(engine, searched.library.corpus()).map_err(model_failure)?;
            let sentence = |number| searched.show(number).map(|shown| shown.sentence).unwrap_or_default();
            state.show(&alike, sentence, started.elapsed().as_millis());
        }
        terminal.draw(|frame| draw(frame, state)).map_err(Failure::Output)?;
        then = match event::read().map_err(Failure::Output)? {
            Event::Key(pressed) if pressed.kind != KeyEventKind::Release => match key_of(pressed) {
                Some(key) => state.press(key),
                None => KeyEffect::Draw,
            },
            _ => KeyEffect::Draw,
        };
        if then == KeyEffect::Leave {
            return Ok(());
        }
    }
}

fn key_of(pressed: KeyEvent) -> Option<Key> {
    Some(match pressed.code {
        KeyCode::Char('c') if pressed.modifiers.contains(KeyModifiers::CONTROL) => Key::Quit,
        KeyCode::Char('q') | KeyCode::Esc => Key::Quit,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Enter => Key::Accept,
        KeyCode::Char('c') => Key::Clear,
        KeyCode::PageUp => Key::ScrollUp,
        KeyCode::PageDown => Key::ScrollDown,
        KeyCode::Char(digit) => Key::Weight(u8::try_from(digit.to_digit(10)?).ok()?),
        _ => return None,
    })
}

fn draw(frame: &mut Frame<'_>, state: &State) {
    let [words, results, help] =
        Layout::vertical([Constraint::Length(5), Constraint::Min(3), Constraint::Length(1)])
            .areas(frame.area());
    let mut line = Vec::new();
    for (at, chip) in state.chips.iter().enumerate() {
        let style = match (at == state.chosen, chip.weight) {
            (true, _) => Style::new().add_modifier(Modifier::REVERSED),
            (false, 0) => Style::new().add_modifier(Modifier::DIM),
            (false, _) => Style::new().add_modifier(Modifier::BOLD),
        };
        let text = match chip.weight {
            0 => format!(" {} ", to_safe_line(&chip.word)),
            weight => format!(" {} {weight} ", to_safe_line(&chip.word)),
        };
        line.extend([Span::styled(text, style), Span::raw(" ")]);
    }
    let title =
        if state.has_suggestion() { " words (Enter takes the suggested weights) " } else { " words " };
    let chips = Paragraph::new(Line::from(line)).wrap(Wrap { trim: true });
    frame.render_widget(chips.block(Block::bordered().title(title)), words);
    let lines: Vec<Line<'_>> = state
        .results
        .iter()
        .enumerate()
        .skip(state.scrolled)
        .flat_map(|(rank, (name, sentence))| {
            let name = Span::styled(format!("{:>2}. {}", rank + 1, to_safe_line(name)), Modifier::BOLD);
            [Line::from(name), Line::from(format!("    {}", to_safe_line(sentence)))]
        })
        .collect();
    let title = format!(" {} alike, {} ms ", state.results.len(), state.took_ms);
    let list = Paragraph::new(lines).wrap(Wrap { trim: false });
    frame.render_widget(list.block(Block::bordered().title(title)), results);
    frame.render_widget(Paragraph::new(HELP), help);
}

#[cfg(test)]
mod tests {
    use super::*;
    use findall::like::{AlikeEntity, AlikeMention, Example, LikeFindings, Suggestion};
    use findall::mentions::MentionType;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    fn draw_to_text(state: &State) -> String {
        let mut terminal = Terminal::new(TestBackend::new(90, 12)).unwrap();
        terminal.draw(|frame| draw(frame, state)).unwrap();
        terminal.backend().to_string()
    }

    #[test]
    fn chips_weights_and_results_are_on_the_screen() {
        let example = Example { entity: "Jo".into(), sentence: "Jo taught.".into(), terms: Vec::new() };
        let suggested = vec![Suggestion { word: "taught".into(), weight: 3 }];
        let mut state = State::new(example, suggested);
        assert!(draw_to_text(&state).contains("Enter takes the suggested weights"));
        state.press(key_of(KeyEvent::from(KeyCode::Enter)).unwrap());
        let entity = AlikeEntity {
            name: "Meg\u{1b}[2J".into(),
            known: false,
            kind: MentionType::Person,
            score: 1.0,
            mentions: vec![AlikeMention { sentence: 0, span: findall::Span::new(0, 3) }],
        };
        let alike = LikeFindings { entities: vec![entity], ..LikeFindings::default() };
        state.show(&alike, |_| "Meg taught, too.".into(), 12);
        let screen = draw_to_text(&state);
        assert!(screen.contains("taught 3 "), "{screen}");
        assert!(screen.contains("Meg taught, too."), "{screen}");
        assert!(screen.contains("1 alike, 12 ms"), "{screen}");
        assert!(!screen.contains('\u{1b}'), "a document cannot drive the terminal");
    }

    #[test]
    fn digits_are_weights_and_letters_are_not() {
        assert_eq!(key_of(KeyEvent::from(KeyCode::Char('7'))), Some(Key::Weight(7)));
        assert_eq!(key_of(KeyEvent::from(KeyCode::Char('x'))), None);
        assert_eq!(key_of(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)), Some(Key::Quit));
    }
}
