import CVips

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Which encoders stand behind libvips in this process: the same versions give the same bytes, others need not.
///
/// libvips does not tell what it was linked with, and its modules load libheif at run time, so the libraries are asked
/// through the dynamic linker.
enum EncoderVersions {
    static var libvips: String { "libvips-\(vips_version(0)).\(vips_version(1)).\(vips_version(2))" }

    static var webp: String {
        typealias Version = @convention(c) () -> Int32
        return join(
            lookUp("WebPGetEncoderVersion", as: Version.self).map { version in
                let number = version()
                return "libwebp-\(number >> 16).\(number >> 8 & 255).\(number & 255)"
            }, architecture)
    }

    static var png: String {
        typealias PNGVersion = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>
        typealias Version = @convention(c) () -> UnsafePointer<CChar>
        let spng = lookUp("spng_version_string", as: Version.self).map { "libspng-" + String(cString: $0()) }
        let libpng = lookUp("png_get_libpng_ver", as: PNGVersion.self).map { "libpng-" + String(cString: $0(nil)) }
        let zlib = lookUp("zlibVersion", as: Version.self).map { "zlib-" + String(cString: $0()) }
        return join(spng ?? libpng, zlib)
    }

    /// libheif and the plugin that it prefers for a format (1 is HEVC, 4 is AV1).
    static func heif(format: Int32) -> String {
        typealias Version = @convention(c) () -> UnsafePointer<CChar>
        typealias Descriptors =
            @convention(c) (
                OpaquePointer?, Int32, UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>, Int32
            ) -> Int32
        typealias Name = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>
        // libvips loads it with a module of its own, out of the process's common names.
        let library = dlopen("libheif.so.1", RTLD_LAZY) ?? dlopen("libheif.1.dylib", RTLD_LAZY)
        let libheif = lookUp("heif_get_version", in: library, as: Version.self).map {
            "libheif-" + String(cString: $0())
        }
        var encoder: String?
        if let list = lookUp("heif_context_get_encoder_descriptors", in: library, as: Descriptors.self),
            let name = lookUp("heif_encoder_descriptor_get_name", in: library, as: Name.self)
        {
            var first: OpaquePointer?
            if list(nil, format, nil, &first, 1) > 0 {
                encoder = String(cString: name(first)).map { $0 == " " || $0 == "/" ? "_" : String($0) }.joined()
            }
        }
        return join(libheif, encoder, architecture)
    }

    /// Lossy encoders weigh bits in floating point, where processors may differ.
    private static var architecture: String {
        #if arch(x86_64)
        "x86_64"
        #elseif arch(arm64)
        "arm64"
        #else
        "other"
        #endif
    }

    private static func join(_ parts: String?...) -> String {
        ([libvips] + parts.compactMap { $0 }).joined(separator: "/")
    }

    private static func lookUp<Function>(
        _ name: String, in library: UnsafeMutableRawPointer? = nil, as type: Function.Type
    ) -> Function? {
        guard let symbol = dlsym(library ?? dlopen(nil, RTLD_LAZY), name) else { return nil }
        // Callers name C functions of fixed signatures: those of the libraries' public headers.
        return unsafeBitCast(symbol, to: type)
    }
}
