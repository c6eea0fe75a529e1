//! Scratch.
fn main(){ let a: Vec<String> = std::env::args().collect(); let mut o = frontend::Options::default(); if a.len()>2 { o.fusion = frontend::Fusion::Off; }
 match frontend::load(std::path::Path::new(&a[1]), &o) { Ok(l) => { print!("{}", l.program); for w in l.warnings { println!("{w:?}"); } } Err(e) => println!("{:?}", e.failure) } }
