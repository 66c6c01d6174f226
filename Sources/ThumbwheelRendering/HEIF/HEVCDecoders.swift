import ThumbwheelCore

/// The decoder of HEVC pictures that the host (the program that uses this library) has installed, if any. It is used
/// instead of libde265.
package enum HEVCDecoders {
    package typealias Maker = @Sendable (HEVCParameters) throws(RenderError) -> any PictureDecoder

    private static let installed = InstalledDecoder<Maker>()

    /// Installs a decoder that uses libavcodec. A decoder that is installed already is not replaced.
    ///
    /// - Parameter version: the version of the library that decodes. Pictures of another version are not found in
    ///   stores.
    package static func install(version: String, _ make: @escaping Maker) { installed.install(make, version: version) }

    /// The version of the library that the installed decoder uses; nil if a host has installed none.
    static var version: String? { installed.version }

    /// Whether a host has installed a decoder. If not, libde265 decodes HEVC pictures.
    package static var isInstalled: Bool { installed.isInstalled }

    static func makeLibAV(_ parameters: HEVCParameters) throws(RenderError) -> (any PictureDecoder)? {
        guard let make = installed.maker else { return nil }
        return try make(parameters)
    }
}
