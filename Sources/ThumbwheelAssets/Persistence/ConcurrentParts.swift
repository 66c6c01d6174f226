import Dispatch
import ThumbwheelLocks

/// Applies a function to the parts of a range, several parts at the same time. The caller waits until all parts are
/// done.
enum ConcurrentParts {
    /// Divides a range into parts of `partSize` elements. Returns the results of `body` for the parts, in the order of
    /// the parts.
    static func map<Value: Sendable>(
        _ range: Range<Int>, partSize: Int, _ body: @Sendable (Range<Int>) -> Value
    ) -> [Value] {
        let partCount = (range.count + partSize - 1) / partSize
        let results = Mutex([Value?](repeating: nil, count: partCount))
        DispatchQueue.concurrentPerform(iterations: partCount) { part in
            let start = range.lowerBound + part * partSize
            let result = body(start..<min(start + partSize, range.upperBound))
            results.withLock { $0[part] = result }
        }
        return results.withLock { $0 }.compactMap(\.self)
    }
}
