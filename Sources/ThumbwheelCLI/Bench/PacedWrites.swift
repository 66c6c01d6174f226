import Foundation
import ThumbwheelLocks

/// A thread that writes bytes over files, a given number a second, as fast as the system copies them: what any store costs that
/// brings so many bytes to the disk.
final class PacedWrites: Sendable {
    private struct State {
        var isWriting = false
        var isOver = false
    }

    /// The bytes of a file, which are written one call after another, and then the thread rests.
    private static let fileByteCount = 8 << 20
    private static let callByteCount = 128 << 10

    private let state = Mutex(State())
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Makes the files, which take `byteCount` together, and starts the thread.
    init(folder: String, byteCount: Int, perSecond: Int) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let descriptors = (0..<max(1, byteCount / Self.fileByteCount)).map { number in
            open("\(folder)/\(number)", O_RDWR | O_CREAT | O_EXCL, 0o600)
        }
        for descriptor in descriptors { Self.write(descriptor) }
        let rest = Double(Self.fileByteCount) / Double(perSecond)
        Thread { [self] in
            var number = 0
            while !state.withLock({ $0.isOver }) {
                Thread.sleep(forTimeInterval: rest)
                guard state.withLock({ $0.isWriting }) else { continue }
                Self.write(descriptors[number % descriptors.count])
                number += 1
            }
            for descriptor in descriptors { close(descriptor) }
            hasEnded.signal()
        }.start()
    }

    private static func write(_ descriptor: Int32) {
        let bytes = [UInt8](repeating: 7, count: callByteCount)
        for offset in stride(from: 0, to: fileByteCount, by: callByteCount) {
            let count = pwrite(descriptor, bytes, bytes.count, off_t(offset))
            precondition(count == bytes.count, "a file that cannot be written")
        }
    }

    func start() { state.withLock { $0.isWriting = true } }

    func stop() { state.withLock { $0.isWriting = false } }

    /// Ends the thread, and waits for it.
    func end() {
        state.withLock { $0.isOver = true }
        hasEnded.wait()
    }
}
