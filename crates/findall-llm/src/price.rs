//! What calls cost: tokens times a price that the person knows and says.

use std::str::FromStr;

use findall::chat::Usage;

/// Price of a million tokens sent and of a million received, in whatever money the person thinks in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// For a million tokens sent.
    pub sent: f64,
    /// For a million tokens received.
    pub received: f64,
}

impl Price {
    /// What this usage costs.
    pub fn of(&self, usage: &Usage) -> f64 {
        (self.sent * usage.tokens_in as f64 + self.received * usage.tokens_out as f64) / 1e6
    }
}

impl FromStr for Price {
    type Err = String;

    /// `0.15,0.60`: sent, received.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no price; give two, sent and received, such as 0.15,0.60");
        let (sent, received) = text.split_once(',').ok_or_else(wrong)?;
        let number =
            |text: &str| text.trim().parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
        Ok(Price { sent: number(sent).ok_or_else(wrong)?, received: number(received).ok_or_else(wrong)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_and_multiplied() {
        let price: Price = "0.5, 2".parse().unwrap();
        let usage = Usage { tokens_in: 1_000_000, tokens_out: 500_000, ..Usage::default() };
        assert_eq!(price.of(&usage), 1.5);
        assert!(
            "1".parse::<Price>().is_err()
                && "-1,2".parse::<Price>().is_err()
                && "a,b".parse::<Price>().is_err()
        );
    }
}
