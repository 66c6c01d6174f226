#include "UncachedJemallocOptions.h"

// Without caches of threads, what jemalloc counts as allocated is what the program has allocated and not freed: the
// caches of threads that come and go hold ten times as much as a small service.
__attribute__((used)) const char *malloc_conf = "tcache:false,narenas:2,dirty_decay_ms:250";
