import Dispatch
import ThumbwheelCore

extension FetchResult {
    /// Calls `body` once for each element, on several threads at the same time and in no particular order. The method
    /// returns after all calls have ended. The calling thread makes some of the calls.
    ///
    /// - Parameter body: gets the element, its index, and a Bool that is false. If a call sets the Bool to true, no
    ///   further calls begin; calls that are running on other threads end as usual.
    public func enumerateObjectsConcurrently(_ body: @Sendable (Element, Int, inout Bool) -> Void) {
        let stop = CancellationToken()
        let pieceCount = (count + Self.pieceLength - 1) / Self.pieceLength
        DispatchQueue.concurrentPerform(iterations: pieceCount) { number in
            for index in number * Self.pieceLength..<Swift.min(count, (number + 1) * Self.pieceLength) {
                guard !stop.isCancelled else { return }
                var stops = false
                body(self[index], index, &stops)
                if stops { stop.cancel() }
            }
        }
    }

    /// The number of consecutive elements that a thread takes at a time.
    private static var pieceLength: Int { 32 }
}
