import Foundation
import Thumbwheel

/// Bytes that the process holds at rests, and whether they become more.
///
/// The first sixth of a run is for warming up. Of the rest, the median of the first fifth is held against that of the
/// last.
package struct MemoryWatch: Sendable {
    package struct Sample: Sendable {
        /// How much of the run was over, from 0 to 1.
        let place: Double
        /// Allocated and not freed.
        let liveByteCount: Int
        let residentByteCount: Int
    }

    private var samples: [Sample] = []
    /// Live bytes by the size of their blocks, when the warm-up was over.
    private var bytesAfterWarmUp: [Int: Int]?
    /// One of so many samples is kept; rises where there are too many.
    private var interval = 1
    private var count = 0

    private static let sampleLimit = 1200
    private static let warmUp = 1.0 / 6
    package static let tolerance = 0.05
    /// In a run that is short, Dispatch's threads are still filling their caches: each keeps up to 1024 blocks of 64
    /// bytes, and there can be more than a hundred threads.
    private static let shortRunAllowance = 6 << 20

    package init() {}

    package mutating func sample(at place: Double) {
        add(
            Sample(
                place: place, liveByteCount: Self.liveByteCount ?? 0,
                residentByteCount: Self.residentByteCount ?? 0))
        if place >= Self.warmUp, bytesAfterWarmUp == nil {
            bytesAfterWarmUp = AllocatorStatistics().allocatedByteCountsBySize
        }
    }

    /// The sizes of blocks whose bytes have become more or fewer since the warm-up by more than a sixteenth of a megabyte,
    /// those that grew most first: where memory grows, these lines say which objects to look for.
    package var changesBySize: [(blockSize: Int, before: Int, now: Int)] {
        guard let bytesAfterWarmUp else { return [] }
        let bytes = AllocatorStatistics().allocatedByteCountsBySize
        return Set(bytes.keys).union(bytesAfterWarmUp.keys)
            .map { (blockSize: $0, before: bytesAfterWarmUp[$0] ?? 0, now: bytes[$0] ?? 0) }
            .filter { abs($0.now - $0.before) > 1 << 16 }
            .sorted { $0.now - $0.before > $1.now - $1.before }
    }

    mutating func add(_ sample: Sample) {
        count += 1
        guard count.isMultiple(of: interval) else { return }
        samples.append(sample)
        guard samples.count >= Self.sampleLimit else { return }
        samples = samples.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        interval *= 2
    }

    var sampleCount: Int { samples.count }

    package var last: (live: Int, resident: Int) {
        (samples.last?.liveByteCount ?? 0, samples.last?.residentByteCount ?? 0)
    }

    /// The medians of the first and the last fifth after the warm-up; nil where there are too few samples to tell.
    package func medians(_ figure: (Sample) -> Int) -> (first: Int, last: Int)? {
        let share = (1 - Self.warmUp) / 5
        let first = samples.filter { Self.warmUp..<(Self.warmUp + share) ~= $0.place }.map(figure).sorted()
        let last = samples.filter { $0.place >= 1 - share }.map(figure).sorted()
        guard first.count >= 5, last.count >= 5 else { return nil }
        return (first[first.count / 2], last[last.count / 2])
    }

    package var live: (first: Int, last: Int)? { medians(\.liveByteCount) }

    package var resident: (first: Int, last: Int)? { medians(\.residentByteCount) }

    /// - Parameter isLong: whether the warm-up was long enough for the caches of threads and the process's pages to settle,
    ///   which takes some minutes. In a shorter run, only live bytes are looked at, and with an allowance.
    /// - Throws: where the bytes in use have grown beyond the tolerance.
    package func check(isLong: Bool) throws(SoakFailure) {
        for (name, figure) in [("live", live), ("resident", isLong ? resident : nil)] {
            guard let figure, figure.first > 0 else { continue }
            let allowance = isLong ? 0 : Self.shortRunAllowance
            guard Double(figure.last - allowance) > Double(figure.first) * (1 + Self.tolerance) else { continue }
            throw SoakFailure(
                .memory, expected: "\(name) bytes within \(Int(Self.tolerance * 100)) % of \(figure.first)",
                seen: "\(figure.last)")
        }
    }
}

extension MemoryWatch {
    /// The bytes that the allocator has handed out, counted by the address sanitizer or by jemalloc; nil without either.
    static var liveByteCount: Int? {
        if let symbol = dlsym(nil, "__sanitizer_get_current_allocated_bytes") {
            // By this name and signature in the sanitizers' common interface (sanitizer/allocator_interface.h).
            typealias Count = @convention(c) () -> Int
            return unsafeBitCast(symbol, to: Count.self)()
        }
        return AllocatorStatistics().allocatedByteCount
    }

    static var residentByteCount: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
    }
}
