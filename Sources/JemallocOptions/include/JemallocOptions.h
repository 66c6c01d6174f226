#pragma once

/// Options of jemalloc's, which looks for them under this name before main begins (jemalloc(3), TUNING).
extern const char *malloc_conf;
