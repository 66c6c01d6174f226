import Dispatch
import ThumbwheelCore

extension FetchResult {
    /// Calls `body` for each element, several at a time and in no particular order, and returns when all calls have returned.
    ///
    /// When a call sets its last argument to true, no further call begins; calls that run on other threads still finish.
    /// The calling thread takes part in the work.
    public func enumerateObjectsConcurrently(_ body: @Sendable (Element, Int, inout Bool) -> Void) {
        let stop = CancellationToken()
        let pieceCount = (count + Self.piece - 1) / Self.piece
        DispatchQueue.concurrentPerform(iterations: pieceCount) { number in
            for index in number * Self.piece..<Swift.min(count, (number + 1) * Self.piece) {
                guard !stop.isCancelled else { return }
                var stops = false
                body(self[index], index, &stops)
                if stops { stop.cancel() }
            }
        }
    }

    /// The number of elements that one thread takes at a time.
    private static var piece: Int { 32 }
}
