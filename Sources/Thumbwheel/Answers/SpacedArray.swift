/// A few values that many threads use, each in cache lines of its own. So a thread that writes to one value does not
/// slow down threads that use other values (no false sharing).
///
/// The type is unchecked `Sendable`: the storage is allocated and filled by `init`, and freed by `deinit`. In between
/// only the elements change, and these are `Sendable`.
struct SpacedArray<Element: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
    /// The distance between two elements is a multiple of this number of bytes: two cache lines of 64 bytes, because
    /// processors fetch lines in pairs.
    private static var lineLength: Int { 128 }

    let count: Int
    private let stride: Int
    private let storage: UnsafeMutableRawPointer

    init(count: Int, _ element: (Int) -> Element) {
        self.count = count
        stride = (MemoryLayout<Element>.size + Self.lineLength - 1) / Self.lineLength * Self.lineLength
        storage = .allocate(byteCount: count * stride, alignment: Self.lineLength)
        for index in 0..<count {
            (storage + index * stride).initializeMemory(as: Element.self, to: element(index))
        }
    }

    deinit {
        for index in 0..<count { pointer(to: index).deinitialize(count: 1) }
        storage.deallocate()
    }

    subscript(index: Int) -> Element {
        @inline(__always) _read {
            precondition(index >= 0 && index < count)
            yield pointer(to: index).pointee
        }
        @inline(__always) _modify {
            precondition(index >= 0 && index < count)
            yield &pointer(to: index).pointee
        }
    }

    @inline(__always)
    private func pointer(to index: Int) -> UnsafeMutablePointer<Element> {
        (storage + index * stride).assumingMemoryBound(to: Element.self)
    }
}
