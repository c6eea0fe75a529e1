//! Pages in a real browser: headless Chromium loads them, a script steps through, and the document is read back.

mod support;

use std::path::Path;
use std::process::Command;

use support::browser::{chromium, document};
use support::native::scratch;

fn page(name: &str, rule: &str, file: &Path) -> String {
    let program = format!("{}/tests/programs/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let html = file.display().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_threader"))
        .args(["prove", &program, "--rule", rule, "--html", &html])
        .output()
        .unwrap();
    assert!(output.status.code().is_some_and(|code| [0, 10].contains(&code)), "{output:?}");
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn pages_need_nothing_else() {
    let dir = scratch("pages-alone");
    for (name, rule) in [("table1/spin2003", "rely-guarantee"), ("table1/peterson-unsafe", "monolithic")] {
        // The name of a kind of elements is no address that is looked up.
        let text = page(name, rule, &dir.join("page.html")).replace("http://www.w3.org/2000/svg", "");
        for outside in ["http://", "https://", "src=", "href=", "@import"] {
            assert!(!text.contains(outside), "{name}: {outside}");
        }
    }
}

#[test]
fn a_proof_shows_its_invariants() {
    let dir = scratch("pages-proof");
    let Some(browser) = chromium() else { return };
    let text = page("table1/spin2003", "rely-guarantee", &dir.join("page.html"));
    let script = "
        const marked = [...document.querySelectorAll('#source .has')];
        if (marked.length < 4) throw 'only ' + marked.length + ' lines are marked';
        if (document.querySelectorAll('.environment').length < 2) throw 'no environment';
        const line = marked.find(line => line.textContent.includes('pthread_mutex_lock'));
        line.dispatchEvent(new MouseEvent('mouseenter'));
        const shown = document.querySelectorAll('#invariants .formula');
        if (!shown.length) throw 'nothing is shown';
        if (!line.title) throw 'no hint';
        document.body.append('SHOWN ' + shown.length);";
    let document = document(&browser, &text, script, &dir.join("driven.html"));
    assert!(document.contains("spin2003.c: true, by rely-guarantee"), "{document}");
    assert!(document.contains("SHOWN 2"), "both workers are there: {document}");
}

#[test]
fn a_page_says_of_how_many_threads_it_speaks() {
    let dir = scratch("pages-number");
    let Some(browser) = chromium() else { return };
    for (name, title) in [
        ("counter", "counter.c: true, by owicki-gries, thread-modular, for any number of "),
        ("counter_unsafe", "counter_unsafe.c: false(unreach-call), with "),
    ] {
        let text = page(&format!("../parametric/{name}"), "owicki-gries", &dir.join("page.html"));
        let document = document(&browser, &text, "", &dir.join("driven.html"));
        assert!(document.contains(title), "{document}");
    }
}

#[test]
fn a_trace_is_stepped_through() {
    let dir = scratch("pages-trace");
    let Some(browser) = chromium() else { return };
    let text = page("table1/peterson-unsafe", "monolithic", &dir.join("page.html"));
    let script = "
        const count = () => document.getElementById('count').textContent;
        const total = Number(count().split(' of ')[1]);
        if (!count().startsWith('1 of ')) throw count();
        document.getElementById('step').click();
        if (!count().startsWith('2 of ')) throw count();
        document.getElementById('back').click();
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
        if (!count().startsWith('2 of ')) throw count();
        for (let k = 0; k < total + 3; k++) document.getElementById('step').click();
        if (count() !== total + ' of ' + total) throw count();
        const bad = document.querySelector('#source .bad');
        if (!bad || !bad.textContent.includes('assert')) throw 'the failing line is not marked';
        const columns = document.querySelectorAll('#steps th').length;
        if (columns !== 4) throw columns + ' columns';
        if (!document.querySelector('#values table')) throw 'no values';
        document.body.append('STEPPED ' + total);";
    let document = document(&browser, &text, script, &dir.join("driven.html"));
    assert!(document.contains("peterson-unsafe.c: false(unreach-call)") && document.contains("STEPPED "), "{document}");
}

/// The two accesses of a race stand side by side, with what each does and in which function.
#[test]
fn a_race_has_its_accesses_side_by_side() {
    let dir = scratch("pages-race");
    let (file, path) = (dir.join("hits.c"), dir.join("page.html"));
    let text = "#include <pthread.h>
int hits;
void count(void) { hits = 1; }
void *one(void *a) { count(); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); int seen = hits; return seen; }
";
    std::fs::write(&file, text).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_threader"));
    let output =
        command.arg("prove").arg(&file).args(["--property", "no-data-race", "--html"]).arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(10));
    let page = std::fs::read_to_string(&path).unwrap();
    for told in ["about to make this write, in count", "about to make this read, in main"] {
        assert!(page.contains(told), "{page}");
    }
    let Some(browser) = chromium() else { return };
    let script = "
        const cells = [...document.querySelectorAll('#race td')].map(cell => cell.textContent);
        if (cells.length !== 4) throw cells.join('|');
        document.body.append('RACE ' + cells.join('|'));";
    let document = document(&browser, &page, script, &dir.join("driven.html"));
    assert!(document.contains("RACE ") && document.contains("in count"), "{document}");
}

/// A deadlock is drawn: a box for each thread, a round one for what it waits for, and arrows around.
#[test]
fn a_deadlock_is_drawn_as_a_ring() {
    let dir = scratch("pages-deadlock");
    let file = format!("{}/tests/deadlock/locks/ring_of_three.c", env!("CARGO_MANIFEST_DIR"));
    let [path, json, sarif] = ["page.html", "run.json", "run.sarif"].map(|name| dir.join(name).display().to_string());
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    command.args(["prove", &file, "--property", "no-deadlock", "--html", &path, "--json", &json, "--sarif", &sarif]);
    assert_eq!(command.output().unwrap().status.code(), Some(10));
    let read =
        |path: &str| -> serde_json::Value { serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap() };
    let json = read(&json).to_string();
    assert_eq!(json.matches("\"waits_for\":\"mutex ").count() % 3, 0, "{json}");
    assert!(json.contains("\"waits_for\":\"mutex ") && json.contains("\"held_by\":\""), "{json}");
    let places = read(&sarif)["runs"][0]["results"][0]["locations"].clone();
    assert_eq!(places.as_array().map(Vec::len), Some(3), "{places}");
    assert!(places[0]["message"]["text"].as_str().is_some_and(|text| text.contains(" waits for mutex ")), "{places}");
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page.contains("\"waits_for\":\"mutex "), "{page}");
    let Some(browser) = chromium() else { return };
    let script = "
        const count = kind => document.querySelectorAll('#deadlock ' + kind).length;
        const counts = ['rect.thread', 'rect.object', 'path.waits', 'path.held'].map(count).join(' ');
        if (document.querySelector('#race')) throw 'a race';
        document.body.append('DRAWN ' + counts);";
    let document = document(&browser, &page, script, &dir.join("driven.html"));
    assert!(document.contains("DRAWN 3 3 3 3"), "{document}");
}
