#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The process's heap: what jemalloc says of it, where the host runs on it.
///
/// The library does not link an allocator: it looks for the host's at run time.
package struct AllocatorStatistics: Sendable {
    private typealias Control =
        @convention(c) (
            UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?, UnsafeMutableRawPointer?, Int
        ) -> CInt

    /// jemalloc's version; nil where the host runs on another allocator.
    package let version: String?
    private let control: Control?

    /// Looks for the host's allocator.
    package init() {
        guard let symbol = dlsym(nil, "mallctl") else {
            version = nil
            control = nil
            return
        }
        // `mallctl` is jemalloc's name, and this its signature in every version (jemalloc(3)).
        let control = unsafeBitCast(symbol, to: Control.self)
        var text: UnsafePointer<CChar>?
        var size = MemoryLayout.size(ofValue: text)
        let code = withUnsafeMutablePointer(to: &text) { control("version", $0, &size, nil, 0) }
        version = code == 0 ? text.map { String(cString: $0) } : nil
        self.control = version == nil ? nil : control
    }

    /// Bytes that the process has allocated and not freed.
    package var allocatedByteCount: Int? { figure("stats.allocated") }

    /// Bytes of memory that the allocator holds from the system.
    package var residentByteCount: Int? { figure("stats.resident") }

    /// Calls `body`, and says by how much the memory that this thread has allocated and not freed was larger at the most than
    /// at the beginning; nil where the allocator does not tell, which jemalloc does from version 5.3 on.
    package func measurePeak<Result>(of body: () -> Result) -> (Result, peakByteCount: Int?) {
        guard let control, control("thread.peak.reset", nil, nil, nil, 0) == 0 else { return (body(), nil) }
        let result = body()
        return (result, read("thread.peak.read").map { (value: UInt64) in Int(clamping: value) })
    }

    /// Gives pages that hold nothing back to the system: jemalloc's at once, else, on glibc, the heap's.
    package func returnFreePages() {
        if let control {
            _ = control("arena.\(Self.allArenas).purge", nil, nil, nil, 0)
        } else if let symbol = dlsym(nil, "malloc_trim") {
            // glibc's, by this name and signature only (malloc_trim(3)).
            typealias Trim = @convention(c) (Int) -> CInt
            _ = unsafeBitCast(symbol, to: Trim.self)(0)
        }
    }

    /// `MALLCTL_ARENAS_ALL` of jemalloc's header.
    private static let allArenas = 4096

    private func figure(_ name: String) -> Int? {
        guard let control else { return nil }
        // Figures stand still until the epoch is advanced.
        var epoch: UInt64 = 1
        _ = withUnsafeMutablePointer(to: &epoch) { control("epoch", nil, nil, $0, MemoryLayout<UInt64>.size) }
        return read(name)
    }

    private func read<Value: FixedWidthInteger>(_ name: String) -> Value? {
        guard let control else { return nil }
        var value: Value = 0
        var size = MemoryLayout<Value>.size
        return withUnsafeMutablePointer(to: &value) { control(name, $0, &size, nil, 0) } == 0 ? value : nil
    }
}
