// Holds what jemalloc looks for in the soak tool; nothing to call.
