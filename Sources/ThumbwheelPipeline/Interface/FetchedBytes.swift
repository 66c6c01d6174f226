import ThumbwheelCore

/// The bytes of a file that came over a network.
package struct FetchedBytes: Sendable {
    package let source: any ByteSource
    package let byteCount: Int

    package init(source: any ByteSource, byteCount: Int) {
        self.source = source
        self.byteCount = byteCount
    }
}
