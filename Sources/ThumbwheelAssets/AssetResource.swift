import ThumbwheelCore

/// A description of bytes that belong to an asset: what they are for and where they are, never the pixels.
public struct AssetResource: Sendable, Hashable {
    /// What the bytes are for.
    public enum Kind: Sendable, Hashable {
        case photo
    }

    /// Where the bytes are.
    public enum Source: Sendable, Hashable {
        case file(path: String)
        case bytes([UInt8])
    }

    public var kind: Kind
    public var source: Source

    public init(kind: Kind = .photo, source: Source) {
        self.kind = kind
        self.source = source
    }

    /// A photograph in a file.
    public static func file(path: String) -> AssetResource { AssetResource(source: .file(path: path)) }

    /// A photograph in memory.
    public static func bytes(_ bytes: [UInt8]) -> AssetResource { AssetResource(source: .bytes(bytes)) }

    /// Opens the bytes for reading. A file stays open as long as what is returned lives.
    public func open() throws(ByteSourceError) -> any ByteSource {
        switch source {
        case .file(let path): try FileByteSource(path: path)
        case .bytes(let bytes): MemoryByteSource(bytes)
        }
    }
}
