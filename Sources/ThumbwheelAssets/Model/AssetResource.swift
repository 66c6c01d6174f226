import ThumbwheelCore

/// A description of bytes that belong to an asset: their purpose, their name, and their place (a file, for example).
/// The bytes are not decoded. See <doc:Semantics#Resources>.
///
/// Two resources are equal if they have the same type and the same source.
public struct AssetResource: Sendable {
    /// The place of a resource's bytes.
    public enum Source: Sendable {
        /// The bytes are in the file at this path. Paths are compared byte by byte, not as Unicode texts.
        case file(path: String)
        /// The bytes are in memory.
        case bytes([UInt8])
        /// The bytes are supplied by the host program, possibly over a network.
        case provider(any ResourceProvider)
    }

    /// The purpose of the bytes in the asset, such as `.photo` or `.adjustmentData`. Their format is stated by the
    /// content type, not by this property.
    public var type: AssetResourceType
    /// The place of the bytes.
    public var source: Source
    /// The resource's filename, content type, length, size in pixels, and the asset to which it belongs, as far as they
    /// are known. The program that uses this library has stated them, or they were taken from the asset. Nil if none of
    /// them is known.
    var facts: Facts?

    /// Makes a description of a resource. No file is opened.
    ///
    /// - Parameters:
    ///   - originalFilename: the name of the file, without its folder. State it if the bytes are not in a file of that
    ///     name.
    ///   - contentType: the type of the bytes. If it is stated, an asset can be created only from bytes of this type.
    public init(
        type: AssetResourceType = .photo, source: Source, originalFilename: String? = nil,
        contentType: ContentType? = nil
    ) {
        self.type = type
        self.source = source
        if originalFilename != nil || contentType != nil {
            facts = Facts(originalFilename: originalFilename, contentType: contentType)
        }
    }

    /// Makes the description of a photograph whose bytes are in a file.
    public static func file(path: String) -> AssetResource { AssetResource(source: .file(path: path)) }

    /// Makes the description of a photograph whose bytes are in memory.
    public static func bytes(_ bytes: [UInt8]) -> AssetResource { AssetResource(source: .bytes(bytes)) }

    /// Makes the description of a photograph whose bytes are supplied by the program that uses this library.
    public static func provider(_ provider: any ResourceProvider) -> AssetResource {
        AssetResource(source: .provider(provider))
    }

    /// Opens the bytes for reading, on the calling thread. A file stays open until the returned source is destroyed.
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

    /// The path of the file with the bytes; nil if the bytes are not in a file.
    public var filePath: String? {
        if case .file(let path) = source { path } else { nil }
    }
}

extension AssetResource: Hashable {
    public static func == (one: AssetResource, other: AssetResource) -> Bool {
        one.type == other.type && one.source == other.source
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(source)
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
