import ThumbwheelCore

/// The decoder of HEVC pictures that the host (the program that uses this library) has installed, if any. It is used
/// instead of libde265.
package enum HEVCDecoders {
    package typealias Maker = @Sendable (HEVCParameters) throws(RenderError) -> any PictureDecoder

    private static let installed = InstalledDecoder<Maker>()

    /// Installs a decoder that uses libavcodec. A decoder that is installed already is not replaced.
    package static func install(_ make: @escaping Maker) { installed.install(make) }

    /// Whether a host has installed a decoder. If not, libde265 decodes HEVC pictures.
    package static var isInstalled: Bool { installed.isInstalled }

    static func makeLibAV(_ parameters: HEVCParameters) throws(RenderError) -> (any PictureDecoder)? {
        guard let make = installed.maker else { return nil }
        return try make(parameters)
    }
}
