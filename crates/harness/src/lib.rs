//! The measuring command line: run, verify, record, list.
