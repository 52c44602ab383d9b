//! The command line: what it prints, what it writes, and with which code it ends.

mod bodies;
mod compare;
mod errors;
mod impacts;
#[cfg(not(feature = "peers"))]
mod lean;
mod list;
mod parameters;
#[cfg(feature = "peers")]
mod peers;
mod record;
mod run;
mod verify;
mod worlds;
