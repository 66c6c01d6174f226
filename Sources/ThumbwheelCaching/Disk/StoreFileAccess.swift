#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The two system calls by which a store reads and writes its segment files. Tests replace them by calls that fail,
/// block or return wrong bytes.
package struct StoreFileAccess: Sendable {
    /// Reads like `pread`: from a descriptor, into a buffer, at an offset. Returns the number of bytes, or -1 with
    /// `errno` set.
    package var read: @Sendable (Int32, UnsafeMutableRawBufferPointer, Int) -> Int
    /// Writes like `pwrite`: to a descriptor, from a buffer, at an offset. Returns the number of bytes, or -1 with
    /// `errno` set.
    package var write: @Sendable (Int32, UnsafeRawBufferPointer, Int) -> Int

    package init(
        read: @escaping @Sendable (Int32, UnsafeMutableRawBufferPointer, Int) -> Int = {
            pread($0, $1.baseAddress!, $1.count, off_t($2))
        },
        write: @escaping @Sendable (Int32, UnsafeRawBufferPointer, Int) -> Int = {
            pwrite($0, $1.baseAddress!, $1.count, off_t($2))
        }
    ) {
        (self.read, self.write) = (read, write)
    }
}
