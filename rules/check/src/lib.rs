//! The checker of certificates and traces, and the interpreter that replays them. It depends on the program alone and shares no code with what it checks.
