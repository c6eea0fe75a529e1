//! What a study ran on: times mean little without it.

use serde_json::{Value as Json, json};

/// A machine, as far as it tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The processor's name.
    pub cpu: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// Physical memory.
    pub megabytes: Option<u64>,
    /// The system and its kernel.
    pub system: String,
}

impl Machine {
    /// This machine.
    pub fn this() -> Machine {
        let file = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let kernel = file("/proc/sys/kernel/osrelease");
        let system = system(&file("/etc/os-release")).unwrap_or_else(|| std::env::consts::OS.into());
        Machine {
            cpu: cpu(&file("/proc/cpuinfo")).unwrap_or_else(|| std::env::consts::ARCH.into()),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            megabytes: megabytes(&file("/proc/meminfo")),
            system: format!("{system} {}", kernel.trim()).trim().to_string(),
        }
    }

    /// The machine as an object.
    pub fn json(&self) -> Json {
        let Machine { cpu, cores, megabytes, system } = self;
        json!({ "cpu": cpu, "cores": cores, "megabytes": megabytes, "system": system })
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cores = if self.cores == 1 { "1 core".into() } else { format!("{} cores", self.cores) };
        write!(f, "{}, {cores}", self.cpu)?;
        if let Some(megabytes) = self.megabytes {
            write!(f, ", {megabytes} MB")?;
        }
        write!(f, ", {}", self.system)
    }
}

fn cpu(cpuinfo: &str) -> Option<String> {
    let (_, name) = cpuinfo.lines().find(|line| line.starts_with("model name"))?.split_once(':')?;
    Some(name.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn megabytes(meminfo: &str) -> Option<u64> {
    let kilobytes = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(kilobytes.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? / 1024)
}

fn system(os_release: &str) -> Option<String> {
    let name = os_release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_read() {
        assert_eq!(cpu("processor\t: 0\nmodel name\t: A  CPU @ 2 GHz\n").as_deref(), Some("A CPU @ 2 GHz"));
        assert_eq!(megabytes("MemTotal:       2048 kB\nMemFree: 1 kB\n"), Some(2));
        assert_eq!(system("ID=debian\nPRETTY_NAME=\"Debian 12\"\n").as_deref(), Some("Debian 12"));
        assert_eq!((cpu(""), megabytes("MemTotal: many"), system("")), (None, None, None));
    }
}
