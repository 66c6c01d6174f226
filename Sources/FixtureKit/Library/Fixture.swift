/// One file of the fixtures: where it lies, what it is for, how it is made.
package struct Fixture: Sendable {
    /// Relative to the output directory, such as "library/grey.jpg".
    package var path: String
    /// One sentence about what the file is for.
    package var purpose: String
    /// The encoder whose version the bytes depend on, or nil if they are the same on every machine.
    package var encoder: VersionedEncoder?
    let make: @Sendable () throws(FixtureError) -> [UInt8]

    /// An encoder outside of this package, other versions of which give other bytes.
    package enum VersionedEncoder: Sendable, Hashable, CaseIterable {
        case png
        case webp
        case heic
        case avif

        /// The libraries that are installed here, such as "libvips-8.14.1/libwebp-1.2.4".
        package var version: String {
            switch self {
            case .png: EncoderVersions.png
            case .webp: EncoderVersions.webp
            case .heic: EncoderVersions.heif(format: 1)
            case .avif: EncoderVersions.heif(format: 4)
            }
        }
    }

    init(
        _ path: String, _ purpose: String, encoder: VersionedEncoder? = nil,
        make: @escaping @Sendable () throws(FixtureError) -> [UInt8]
    ) {
        self.path = path
        self.purpose = purpose
        self.encoder = encoder
        self.make = make
    }

    /// The file's bytes, made anew: the same for every call in one process.
    package func bytes() throws(FixtureError) -> [UInt8] { try make() }
}
