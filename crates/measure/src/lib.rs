//! What a measurement is: clocked phases, verified checksums, rows, statistics, tables.
