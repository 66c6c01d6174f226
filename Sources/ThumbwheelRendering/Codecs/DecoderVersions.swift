import CDav1d
import CDe265
import CWebP

/// The versions of the libraries that decode pictures beside libvips. Another version may make other pixels, or may
/// decode what could not be decoded before. So they are a part of the keys of stores.
package enum DecoderVersions {
    /// The versions of all decoders that this process uses now.
    package static var all: String {
        "\(linked) HEVC \(HEVCDecoders.version ?? "-") video \(VideoDecoders.version ?? "-")"
    }

    private static let linked = """
        libde265 \(String(cString: de265_get_version())) dav1d \(String(cString: dav1d_version())) \
        libwebp \(WebPGetDecoderVersion())
        """
}
