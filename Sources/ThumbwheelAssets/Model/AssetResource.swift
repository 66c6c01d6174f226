import ThumbwheelCore

/// A description of bytes that belong to an asset: their kind and where they are, never the pixels. See
/// <doc:Semantics#Resources>.
public struct AssetResource: Sendable, Hashable {
    /// The purpose that a resource's bytes serve, with PhotoKit's numbers.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        /// The photograph.
        case photo = 1
        /// The video.
        case video = 2
        /// The sound.
        case audio = 3
        /// The second file of a pair: the RAW file that accompanies a JPEG file.
        case alternatePhoto = 4
        /// The rendering of an adjusted photograph.
        case fullSizePhoto = 5
        /// The recipe of an adjustment, opaque to the library.
        case adjustmentData = 7
        /// The video of a live photo.
        case pairedVideo = 9
        /// A smaller copy of the photograph, available locally while the photograph itself is elsewhere.
        case photoProxy = 19
    }

    /// The place of a resource's bytes.
    public enum Source: Sendable {
        /// The bytes are in a file. Two paths are equal if all their bytes are equal, as in a file system.
        case file(path: String)
        /// The bytes are in memory.
        case bytes([UInt8])
        /// The bytes come from the host, perhaps over a network.
        case provider(any ResourceProvider)
    }

    /// The purpose of the bytes.
    public var kind: Kind
    /// The place of the bytes.
    public var source: Source

    /// Makes a description of a resource; no file is opened.
    public init(kind: Kind = .photo, source: Source) {
        self.kind = kind
        self.source = source
    }

    /// Describes a photograph in a file.
    public static func file(path: String) -> AssetResource { AssetResource(source: .file(path: path)) }

    /// Makes the facts of a photograph whose file lies in memory.
    public static func bytes(_ bytes: [UInt8]) -> AssetResource { AssetResource(source: .bytes(bytes)) }

    /// Describes a photograph that the host supplies.
    public static func provider(_ provider: any ResourceProvider) -> AssetResource {
        AssetResource(source: .provider(provider))
    }

    /// Opens the bytes for reading. A file stays open as long as the returned source lives.
    ///
    /// - Throws: `ByteSourceError` if the file or the provider cannot be opened.
    public func open() throws(ByteSourceError) -> any ByteSource {
        switch source {
        case .file(let path): try FileByteSource(path: path)
        case .bytes(let bytes): MemoryByteSource(bytes)
        case .provider(let provider): try provider.open()
        }
    }

    /// Whether the bytes can be read without a network.
    public var isLocallyAvailable: Bool {
        if case .provider(let provider) = source { !provider.requiresNetwork } else { true }
    }

    /// The path of the resource's file; nil if the bytes are not in a file.
    public var filePath: String? {
        if case .file(let path) = source { path } else { nil }
    }
}

extension AssetResource.Source: Hashable {
    public static func == (one: AssetResource.Source, other: AssetResource.Source) -> Bool {
        switch (one, other) {
        case (.file(let one), .file(let other)): FilePath(one) == FilePath(other)
        case (.bytes(let one), .bytes(let other)): one == other
        case (.provider(let one), .provider(let other)): one.identifier == other.identifier
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .file(let path): hasher.combine(FilePath(path))
        case .bytes(let bytes): hasher.combine(bytes)
        case .provider(let provider): hasher.combine(provider.identifier)
        }
    }
}
