//! Pages in headless Chromium: it loads them, a script does something, and the document is read back.

use std::path::Path;
use std::process::Command;

/// The browser, or nothing: then the test says so and is skipped, but not where CI=true.
pub fn chromium() -> Option<String> {
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
    assert!(
        found.is_some() || std::env::var("CI").as_deref() != Ok("true"),
        "Chromium is missing: apt install chromium"
    );
    if found.is_none() {
        let warning =
            "Chromium is missing: pages are NOT tested (Debian: apt install chromium; make test does it as root)";
        std::io::Write::write_all(&mut std::io::stderr(), format!("\nSKIPPED: {warning}\n").as_bytes()).unwrap();
    }
    found.map(str::to_string)
}

/// The document after `script` has run in it.
pub fn document(browser: &str, page: &str, script: &str, file: &Path) -> String {
    let guarded = format!(
        "<script>try {{ {script} }} catch (error) {{ document.body.append('FAILED' + ': ' + error); }}</script>"
    );
    std::fs::write(file, page.replace("</body>", &format!("{guarded}</body>"))).unwrap();
    let profile = file.with_extension("profile");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--virtual-time-budget=3000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("FAILED: "), "{text}");
    assert!(text.contains("<h1 id="), "{}", String::from_utf8_lossy(&output.stderr));
    text
}
