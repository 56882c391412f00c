//! Pages: how one is named, so that the same page has the same name.

/// A page as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page<'a> {
    /// Its address or the key of its file; [`page_key`] makes addresses comparable, and the store calls it.
    pub key: &'a str,
    /// Its title.
    pub title: Option<&'a str>,
    /// Hash of its text (`Document::content_hash`).
    pub content: [u8; 32],
}

/// The one spelling of a page's address: scheme and host in lower case, no fragment, no credentials, no default port.
/// What is no web address stays as it is.
pub fn page_key(address: &str) -> String {
    let address = address.trim();
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let scheme = scheme.to_ascii_lowercase();
    let default_port = match scheme.as_str() {
        "http" => ":80",
        "https" => ":443",
        _ => return format!("{scheme}://{rest}"),
    };
    let rest = rest.split('#').next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default().to_lowercase();
    let host = host.strip_suffix(default_port).unwrap_or(&host);
    let (host, port) =
        host.split_at(host.rfind(':').filter(|&at| !host[at..].contains(']')).unwrap_or(host.len()));
    let host = host.trim_end_matches('.');
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("{scheme}://{host}{port}{slash}{path}")
}

/// The key of a file.
pub fn file_key(path: &std::path::Path) -> String {
    format!("file://{}", path.display())
}

/// Host of a key; `None` for files and other names.
pub(crate) fn host(key: &str) -> Option<&str> {
    let (scheme, rest) = key.split_once("://")?;
    let authority = rest.split(['/', '?']).next()?;
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    (scheme != "file" && !host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_page_has_one_key() {
        let same = [
            ("HTTPS://Example.ORG:443/A?b=C#part", "https://example.org/A?b=C"),
            ("https://me:secret@example.org", "https://example.org/"),
            ("http://example.org.:8080?q", "http://example.org:8080/?q"),
            ("file:///home/Me/a#b.txt", "file:///home/Me/a#b.txt"),
            ("  notes ", "notes"),
        ];
        for (address, key) in same {
            assert_eq!(page_key(address), key);
            assert_eq!(page_key(key), key, "a key stays");
        }
    }

    #[test]
    fn hosts_are_found_in_web_addresses_only() {
        assert_eq!(host("https://a.example:8443/b"), Some("a.example"));
        assert_eq!(host("https://[::1]:80/"), Some("[::1]"));
        assert_eq!(host("file:///a"), None);
        assert_eq!(host("notes"), None);
    }
}
