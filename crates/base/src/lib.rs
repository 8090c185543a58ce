//! Vocabulary below every room: symbols, logging, options.
