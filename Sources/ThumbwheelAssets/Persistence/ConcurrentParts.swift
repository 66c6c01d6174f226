import Dispatch
import ThumbwheelLocks

/// Work on the parts of a range, several parts at a time. The caller blocks until all parts are done.
enum ConcurrentParts {
    /// Divides a range into parts of `partSize` elements, and returns the results of `body` for the parts, in order.
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
