import Thumbwheel
import ThumbwheelLocks

/// A provider that brings a picture's bytes, or does as its behaviour says: fails, hangs, lies.
package final class SoakProvider: ResourceProvider {
    package let source: SoakSource
    private let gate: SoakGate
    private let callCount = Mutex(0)

    package init(_ source: SoakSource, gate: SoakGate) {
        self.source = source
        self.gate = gate
    }

    package var identifier: String { source.name }

    package var requiresNetwork: Bool { source.isRemote }

    package func open() throws(ByteSourceError) -> any ByteSource {
        if source.behavior == .hanging { gate.block() }
        return MemoryByteSource(try bytes())
    }

    package func fetch(
        upTo byteLimit: Int, progress: @escaping @Sendable (Double) -> Void
    ) async throws(ByteSourceError) -> [UInt8] {
        if source.behavior == .hanging {
            progress(0.5)
            await gate.pass()
        }
        if source.behavior == .slow { for _ in 0..<100 { await Task.yield() } }
        if Task.isCancelled { throw .network(.cancelled) }
        progress(1)
        return try bytes()
    }

    private func bytes() throws(ByteSourceError) -> [UInt8] {
        let count = callCount.withLock { count in
            count += 1
            return count
        }
        let bytes: [UInt8]
        do throws(RenderError) {
            bytes = try (source.behavior == .swapped ? source.swappedPicture : source.picture).encoded()
        } catch {
            throw .network(.invalidResponse(reason: "\(error)"))
        }
        switch source.behavior {
        case .honest, .slow, .hanging, .swapped: return bytes
        case .flaky where count.isMultiple(of: 2): return bytes
        case .flaky: throw .network(.timedOut)
        case .broken: throw .network(.status(500))
        case .garbled: return bytes.map { $0 ^ 0x5A }
        case .truncated: return Array(bytes.prefix(bytes.count / 2))
        }
    }
}
