#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Access to the process's heap: its byte counts, if the host uses the allocator jemalloc, and a way to return free
/// pages to the system.
///
/// The library does not link an allocator. It looks for the host's allocator at run time.
package struct AllocatorStatistics: Sendable {
    private typealias Control =
        @convention(c) (
            UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?, UnsafeMutableRawPointer?, Int
        ) -> CInt

    /// jemalloc's version; nil if the host uses another allocator.
    package let version: String?
    private let control: Control?

    /// Looks for the host's allocator.
    package init() {
        guard let symbol = dlsym(nil, "mallctl") else {
            version = nil
            control = nil
            return
        }
        // Only jemalloc has a function named `mallctl`, and it has this signature in every version (jemalloc(3)).
        let control = unsafeBitCast(symbol, to: Control.self)
        var text: UnsafePointer<CChar>?
        var size = MemoryLayout.size(ofValue: text)
        let code = withUnsafeMutablePointer(to: &text) { control("version", $0, &size, nil, 0) }
        version = code == 0 ? text.map { String(cString: $0) } : nil
        self.control = version == nil ? nil : control
    }

    /// Bytes that the process has allocated and not freed.
    package var allocatedByteCount: Int? { figure("stats.allocated") }

    /// Bytes of memory that the allocator has obtained from the system and not returned.
    package var residentByteCount: Int? { figure("stats.resident") }

    /// Bytes that the process has allocated and not freed, by the size of the blocks that they are in; empty if the allocator
    /// does not report it. Blocks of threads' caches count as allocated.
    package var allocatedByteCountsBySize: [Int: Int] {
        guard allocatedByteCount != nil else { return [:] }
        var counts: [Int: Int] = [:]
        for (kinds, kind, count) in [("nbins", "bin", "curregs"), ("nlextents", "lextent", "curlextents")] {
            let kindCount: UInt32 = read("arenas.\(kinds)") ?? 0
            for index in 0..<kindCount {
                guard let size: Int = read("arenas.\(kind).\(index).size"),
                    let blockCount: Int = read("stats.arenas.\(Self.allArenas).\(kind)s.\(index).\(count)"),
                    blockCount > 0
                else { continue }
                counts[size] = size * blockCount
            }
        }
        return counts
    }

    /// Calls `body` and measures the peak, in bytes, of the memory that this thread has allocated and not freed, above
    /// its level at the start. The peak is nil if the allocator does not report it; jemalloc does from version 5.3 on.
    package func measurePeak<Result>(of body: () -> Result) -> (Result, peakByteCount: Int?) {
        guard let control, control("thread.peak.reset", nil, nil, nil, 0) == 0 else { return (body(), nil) }
        let result = body()
        return (result, read("thread.peak.read").map { (value: UInt64) in Int(clamping: value) })
    }

    /// Returns free pages to the system at once: those of jemalloc, or, on glibc, those of glibc's heap.
    package func returnFreePages() {
        if let control {
            _ = control("arena.\(Self.allArenas).purge", nil, nil, nil, 0)
        } else if let symbol = dlsym(nil, "malloc_trim") {
            // Only glibc has a function of this name, and it has this signature (malloc_trim(3)).
            typealias Trim = @convention(c) (Int) -> CInt
            _ = unsafeBitCast(symbol, to: Trim.self)(0)
        }
    }

    /// The value of `MALLCTL_ARENAS_ALL` in jemalloc's header, which stands for all arenas.
    private static let allArenas = 4096

    private func figure(_ name: String) -> Int? {
        guard let control else { return nil }
        // jemalloc updates its counts only when its epoch is advanced.
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
