#pragma once
#include <sqlite3.h>

/* SQLite counts its memory under one mutex for all connections unless it is told not to, before its first use. A host that
 * uses SQLite as well may have done so already, and then nothing changes. */
static inline void tw_sqlite_forgo_statistics(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
