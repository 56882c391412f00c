//! Who may ask: one-time codes become tokens, tokens open the door. Only hashes are kept, in one file that nobody else
//! can read; a second process may change it (`--pair`, `--rotate-token`) and a running server notices.

mod file;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub use file::AccessError;
use file::{Grants, Stamp, StoredAccess, StoredCode, StoredToken};

/// How long a code lives, and how often it may be guessed wrong.
const MAX_CODE_TIME: Duration = Duration::from_secs(600);
const MAX_CODE_TRIES: u32 = 5;

/// Most clients paired at a time; the one paired longest ago makes room.
const MAX_TOKENS: usize = 64;

/// Longest name of a client that is kept.
const MAX_NAME_CHARS: usize = 80;

/// A client that was let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The origin that its requests carry, if it is an extension.
    pub origin: Option<String>,
    /// Tells clients apart in counters; says nothing about the token.
    pub number: u64,
}

/// The door.
#[derive(Debug)]
pub struct Access {
    path: PathBuf,
    seen: Mutex<(Stamp, Grants)>,
}

impl Access {
    /// The door whose file lies in this folder; the folder is made when something is first written.
    pub fn open(folder: &Path) -> Result<Self, AccessError> {
        let path = folder.join("access.json");
        let (stamp, stored) = file::read(&path)?;
        Ok(Self { path, seen: Mutex::new((stamp, stored.grants())) })
    }

    /// A door that nobody comes through: for a service that only its own process asks.
    pub fn nobody() -> Self {
        Self { path: PathBuf::new(), seen: Mutex::default() }
    }

    /// A new one-time code, in place of an older one. It is shown to the person and kept as a hash.
    pub fn new_code(&self) -> Result<String, AccessError> {
        let code = random_code()?;
        let expires = now().saturating_add(MAX_CODE_TIME.as_secs());
        file::change(&self.path, |stored| {
            stored.code = Some(StoredCode { hash: hash_of(&code), expires, tries: 0 });
        })?;
        Ok(code)
    }

    /// Takes back every token and the code.
    pub fn rotate(&self) -> Result<(), AccessError> {
        file::change(&self.path, |stored| *stored = StoredAccess::default())
    }

    /// True when at least one client is paired.
    pub fn has_tokens(&self) -> bool {
        self.with_grants(|grants| !grants.tokens.is_empty())
    }

    /// True when this origin is paired.
    pub fn is_paired(&self, origin: &str) -> bool {
        self.with_grants(|grants| grants.tokens.iter().any(|token| token.origin.as_deref() == Some(origin)))
    }

    /// Who holds this token. Every stored hash is compared, each in constant time.
    pub fn grant(&self, token: &str) -> Option<Grant> {
        let hash = blake3::hash(token.as_bytes());
        self.with_grants(|grants| {
            let mut found = None;
            for (number, known) in grants.tokens.iter().enumerate() {
                // `blake3::Hash` compares in constant time.
                if known.hash == hash {
                    found = Some(Grant { origin: known.origin.clone(), number: number as u64 });
                }
            }
            found
        })
    }

    /// Turns a code into a token, once. `None` when the code is wrong, too old, or was guessed at too often.
    pub fn redeem(
        &self,
        code: &str,
        origin: Option<&str>,
        name: Option<&str>,
    ) -> Result<Option<String>, AccessError> {
        let token = hex(&random::<32>()?);
        let given = blake3::hash(normalise_code(code).as_bytes());
        let mut accepted = false;
        file::change(&self.path, |stored| {
            let Some(kept) = &mut stored.code else { return };
            let is_right = blake3::Hash::from_hex(&kept.hash).is_ok_and(|hash| hash == given);
            kept.tries += 1;
            accepted = is_right && now() < kept.expires && kept.tries <= MAX_CODE_TRIES;
            if accepted || kept.tries >= MAX_CODE_TRIES {
                stored.code = None;
            }
            if accepted {
                stored.tokens.push(StoredToken {
                    hash: hash_of(&token),
                    name: name.unwrap_or_default().chars().take(MAX_NAME_CHARS).collect(),
                    origin: origin.map(str::to_owned),
                    created: now(),
                });
                let surplus = stored.tokens.len().saturating_sub(MAX_TOKENS);
                stored.tokens.drain(..surplus);
            }
        })?;
        Ok(accepted.then_some(token))
    }

    /// Looks at the file again when it has changed; a file that has become unreadable lets nobody in.
    fn with_grants<T>(&self, look: impl FnOnce(&Grants) -> T) -> T {
        let mut seen = self.seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let stamp = Stamp::of(&self.path);
        if seen.0 != stamp {
            *seen = match file::read(&self.path) {
                Ok((stamp, stored)) => (stamp, stored.grants()),
                Err(error) => {
                    tracing::error!(%error, "the file of tokens cannot be read; nobody is let in");
                    (stamp, Grants::default())
                }
            };
        }
        look(&seen.1)
    }
}

/// Letters that cannot be taken for one another, then digits: `ABCD-1234`.
fn random_code() -> Result<String, AccessError> {
    const LETTERS: &[u8; 23] = b"ABCDEFGHJKLMNPQRSTVWXYZ";
    let numbers = random::<16>()?;
    let mut code = String::with_capacity(9);
    for (at, pair) in numbers.chunks_exact(2).enumerate() {
        // Sixteen bits over at most 23 signs: no sign is favoured by more than one in 2,800.
        let number = usize::from(u16::from_le_bytes([pair[0], pair[1]]));
        if at == 4 {
            code.push('-');
        }
        let digits = b"0123456789";
        code.push(char::from(if at < 4 { LETTERS[number % LETTERS.len()] } else { digits[number % 10] }));
    }
    Ok(code)
}

/// As a person may type it: in small letters, with spaces, without the dash.
fn normalise_code(code: &str) -> String {
    let signs: String =
        code.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).take(32).collect();
    match signs.split_at_checked(4) {
        Some((letters, digits)) => format!("{letters}-{digits}"),
        None => signs,
    }
}

fn hash_of(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

fn random<const N: usize>() -> Result<[u8; N], AccessError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| AccessError::Random(error.to_string()))?;
    Ok(bytes)
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests;
