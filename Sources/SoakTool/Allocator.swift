// Where the tool is linked with jemalloc, that tells how many bytes are in use.
#if canImport(CJemalloc)
import CJemalloc
#endif
