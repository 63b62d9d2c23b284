//! Many processes that share documents, configuration, cache and sandbox.
