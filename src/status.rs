//! How a run ends. Others script against the codes.

use std::process::ExitCode;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The property holds, or what was asked for has been printed.
    Success,
    /// The property is violated.
    Violated,
    /// There is no verdict.
    Unknown,
    /// The command line is wrong, or the output cannot be written.
    Usage,
    /// The input is missing or malformed.
    Malformed,
    /// A bug of threader.
    Internal,
}

impl Status {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Status::Success => 0,
            Status::Violated => 10,
            Status::Unknown => 5,
            Status::Usage => 1,
            Status::Malformed => 2,
            Status::Internal => 6,
        }
    }
}

impl Status {
    /// The status that a process of ours ended with.
    pub fn from_code(code: i32) -> Status {
        match code {
            0 => Status::Success,
            10 => Status::Violated,
            5 => Status::Unknown,
            1 => Status::Usage,
            2 => Status::Malformed,
            _ => Status::Internal,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}
