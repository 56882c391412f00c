//! Sending pages: text and HTML, memory, progress, privacy.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::support::Service;

const PAGE: &str = "WeChat is everywhere. Lyon is not. People in China like Sina Weibo.";

#[tokio::test]
async fn a_text_is_read_once_and_held() {
    let service = Service::new();
    let sent = json!({"text": PAGE, "url": "https://example.org/", "title": "Apps"});
    let first = service.post("/v1/documents", sent.clone()).await.json();
    assert_eq!(first["chars"], PAGE.chars().count());
    assert_eq!(first["coverage"]["read"], first["coverage"]["total"]);
    assert_eq!(first["coverage"]["mentions"], 4);
    assert_eq!(first["coverage"]["skipped"], json!([]));
    assert!(first.get("text").is_none());
    let again = service.post("/v1/documents", sent).await.json();
    assert_eq!(first["document"], again["document"]);
    let metrics = service.get("/metrics").await.text;
    assert!(metrics.contains("findall_documents_prepared_total 1"), "{metrics}");
    assert!(metrics.contains("findall_documents_reused_total 1"));
    assert!(metrics.contains("findall_documents 1"));
    assert!(
        metrics.contains(r#"findall_requests_total{method="POST",route="/v1/documents",status="200"} 2"#)
    );
}

#[tokio::test]
async fn html_comes_back_as_text_that_spans_count_into() {
    let service = Service::new();
    let html = "<h1>Apps</h1><p>We😀 <b>We</b>Chat &amp; co.</p><script>WeChat</script>";
    let reply = service.post("/v1/documents", json!({"html": html, "return_text": true})).await.json();
    let text = reply["text"].as_str().unwrap();
    assert!(text.contains("WeChat & co."), "{text}");
    let found = service
        .post("/v1/find", json!({"document": reply["document"], "query": "wechat", "offsets": "utf16"}))
        .await
        .json();
    assert_eq!(found["matches"].as_array().unwrap().len(), 1);
    let span = &found["matches"][0]["span"];
    let units: Vec<u16> = text.encode_utf16().collect();
    let at = |end: &str| span[end].as_u64().unwrap() as usize;
    assert_eq!(String::from_utf16(&units[at("start")..at("end")]).unwrap(), "WeChat");
}

#[tokio::test]
async fn lines_tell_how_far_it_is_and_end_with_the_document() {
    let service = Service::new();
    let long = format!("{PAGE} ").repeat(400);
    let reply = service.post_for_lines("/v1/documents", json!({"text": long})).await;
    assert_eq!(reply.headers["content-type"], "application/x-ndjson");
    let lines = reply.lines();
    let (last, progress) = lines.split_last().unwrap();
    assert!(progress.len() > 2);
    assert!(progress.iter().all(|line| line["event"] == "progress" && line["total"] == long.chars().count()));
    assert!(progress.windows(2).all(|two| two[0]["read"].as_u64() < two[1]["read"].as_u64()));
    assert_eq!(last["event"], "ready");
    let again = service.post_for_lines("/v1/documents", json!({"text": long})).await.lines();
    assert_eq!(again.len(), 1, "from memory");
    assert_eq!(again[0]["document"], last["document"]);
}

#[tokio::test]
async fn a_private_document_leaves_nothing_on_disk() {
    let service = Service::new();
    let cache = service.folder.path().join("cache");
    let reply = service.post("/v1/documents", json!({"text": PAGE, "private": true})).await.json();
    service.post("/v1/find", json!({"document": reply["document"], "query": "city"})).await;
    assert!(!cache.exists());
    let open = service.post("/v1/documents", json!({"text": PAGE})).await.json();
    assert_ne!(open["document"], reply["document"]);
    assert!(cache.exists(), "without the wish, it is kept");
}

#[tokio::test]
async fn one_of_text_and_html() {
    let service = Service::new();
    for sent in [json!({}), json!({"text": "a", "html": "b"}), json!({"url": "https://example.org/"})] {
        service.post("/v1/documents", sent).await.refused(400, "bad_request");
    }
    let empty = service.post("/v1/documents", json!({"text": ""})).await;
    assert!(empty.status.is_success(), "an empty page is a page: {}", empty.text);
}

#[tokio::test]
async fn the_same_text_sent_by_many_at_once_is_read_once() {
    let service = Service::new();
    let long = format!("{PAGE} ").repeat(200);
    let send = || service.post("/v1/documents", json!({"text": long}));
    let replies = tokio::join!(send(), send(), send(), send(), send(), send());
    assert!(replies.0.status.is_success() && replies.5.status.is_success());
    assert!(service.get("/metrics").await.text.contains("findall_documents_prepared_total 1\n"));
}

/// Stands for a page that is nothing but a picture.
const SCANNED: &str = "scanned";

/// A PDF with a line on each page, made by hand.
fn pdf_of(lines: &[&str]) -> Vec<u8> {
    let count = lines.len();
    let kids: Vec<String> = (0..count).map(|page| format!("{} 0 R", 5 + 2 * page)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {count} >>", kids.join(" ")),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        "<< /Type /XObject /Subtype /Image /Width 800 /Height 1000 /ColorSpace /DeviceGray /BitsPerComponent 1 \
         /Length 1 >>\nstream\n0\nendstream"
            .to_owned(),
    ];
    for (page, line) in lines.iter().enumerate() {
        let stream = match *line {
            SCANNED => "q 400 0 0 144 0 0 cm /I1 Do Q".to_owned(),
            line => format!("BT /F1 18 Tf 20 100 Td ({line}) Tj ET"),
        };
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 144] /Contents {} 0 R \
             /Resources << /Font << /F1 3 0 R >> /XObject << /I1 4 0 R >> >> >>",
            6 + 2 * page
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()));
    }
    let mut file = "%PDF-1.4\n".to_owned();
    let mut table = String::new();
    for (number, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", number + 1));
    }
    let (start, size) = (file.len(), objects.len() + 1);
    file.push_str(&format!(
        "xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF"
    ));
    file.into_bytes()
}

#[tokio::test]
async fn a_file_is_read_page_by_page() {
    let service = Service::new();
    let file = STANDARD.encode(pdf_of(&["WeChat is everywhere.", "Lyon is not."]));
    let reply = service.post("/v1/read", json!({"file": file, "name": "apps.pdf"})).await.json();
    assert_eq!(reply["pages"], json!(["WeChat is everywhere.", "Lyon is not."]), "{reply}");
    assert_eq!((&reply["format"], &reply["missing"]), (&json!("pdf"), &json!("")));
    let text = service.post("/v1/read", json!({"file": STANDARD.encode("Plain."), "name": "a.txt"})).await;
    assert_eq!(text.json()["pages"], json!(["Plain."]));
    let metrics = service.get("/metrics").await.text;
    assert!(metrics.contains("findall_documents 0"), "nothing is held: {metrics}");
    for (file, status) in [("not base64!", 400), ("JVBERi0xLjQKbm90aGluZw==", 422)] {
        let refused = service.post("/v1/read", json!({"file": file, "name": "a.pdf"})).await;
        assert_eq!(refused.status, status, "{}", refused.text);
    }
}

#[tokio::test]
async fn what_of_a_file_cannot_be_read_is_said() {
    let service = Service::new();
    let read = async |lines: &[&str]| {
        let file = STANDARD.encode(pdf_of(lines));
        service.post("/v1/read", json!({"file": file, "name": "a.pdf"})).await
    };
    let part = read(&["WeChat is everywhere.", SCANNED, SCANNED]).await.json();
    assert_eq!(part["pages"], json!(["WeChat is everywhere.", "", ""]), "{part}");
    let missing = part["missing"].as_str().unwrap();
    assert!(missing.starts_with("2 of 3 pages are scanned"), "{part}");
    let message = read(&[SCANNED]).await.refused(422, "unprocessable");
    assert!(message.contains("no text in this file can be read: its one page is scanned"), "{message}");
}
