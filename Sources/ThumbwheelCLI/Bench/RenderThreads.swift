import Dispatch
import Foundation
import Thumbwheel
import ThumbwheelLocks

/// Threads of a benchmark that render a picture again and again, and note how long each render took, together with the work
/// that follows it.
final class RenderThreads: Sendable {
    private struct State {
        var times: [Double] = []
        var isOver = false
    }

    private static let target = RenderOptions(targetSize: PixelSize(width: 256, height: 256))

    private let state = Mutex(State())
    private let count: Int
    private let hasEnded = DispatchSemaphore(value: 0)

    /// - Parameter work: what each thread does after each of its renders.
    init(_ picture: BenchPicture, count: Int, andThen work: @escaping @Sendable () -> Void) {
        self.count = count
        for _ in 0..<count {
            Thread { [self] in
                while !state.withLock({ $0.isOver }), let time = try? Self.time(of: picture, andThen: work) {
                    state.withLock { $0.times.append(time) }
                }
                hasEnded.signal()
            }.start()
        }
    }

    /// The milliseconds that a render takes, with the work that follows it.
    private static func time(of picture: BenchPicture, andThen work: () -> Void) throws -> Double {
        let source = try picture.asset.resource.open()
        return try Stopwatch.milliseconds {
            Stopwatch.consume(try Renderer().render(source, head: picture.asset.head, options: target))
            work()
        }.time
    }

    /// The milliseconds of each render that has ended since the last call.
    func takeTimes() -> [Double] {
        state.withLock { state in
            defer { state.times = [] }
            return state.times
        }
    }

    /// Ends the threads, and waits for them.
    func end() {
        state.withLock { $0.isOver = true }
        for _ in 0..<count { hasEnded.wait() }
    }
}
