#include "JemallocOptions.h"

// Two arenas, not four for each processor, each of which would keep free pages of its own; and free pages go back to the
// system after a quarter of a second, not after ten. What the allocator holds beyond what is allocated stays about 8 MiB
// for a while, and below 16 in an hour, at the price of a dozen page faults a render: at once would cost hundreds. All
// memory comes from mmap: the command line's merge hook relies on it.
__attribute__((used)) const char *malloc_conf = "narenas:2,dirty_decay_ms:250,dss:disabled";
