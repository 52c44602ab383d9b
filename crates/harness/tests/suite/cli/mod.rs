//! The command line: what it prints, what it writes, and with which code it ends.

mod bodies;
mod errors;
mod list;
mod peers;
mod record;
mod run;
mod verify;
