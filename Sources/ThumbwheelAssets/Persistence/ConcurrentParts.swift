import Dispatch
import ThumbwheelLocks

/// Work on the parts of a range, several at a time, for a caller that may block.
enum ConcurrentParts {
    /// The results of `body` for all parts, in the order of the parts.
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
