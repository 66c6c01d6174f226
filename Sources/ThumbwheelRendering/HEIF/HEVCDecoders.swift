import ThumbwheelCore
import ThumbwheelLocks

import struct Synchronization.Atomic

/// The decoder of HEVC pictures that the host (the program that uses this library) has installed, if any. It is used
/// instead of libde265.
package enum HEVCDecoders {
    package typealias Maker = @Sendable (HEVCParameters) throws(RenderError) -> any PictureDecoder

    private static let maker = Mutex<Maker?>(nil)
    // This flag is read without a lock, because every prediction of a request's cost reads it.
    private static let flag = Atomic(false)

    /// Installs a decoder that uses libavcodec. A decoder that is installed already is not replaced.
    package static func install(_ make: @escaping Maker) {
        maker.withLock { $0 = $0 ?? make }
        flag.store(true, ordering: .releasing)
    }

    /// Whether a host has installed a decoder.
    package static var isInstalled: Bool { flag.load(ordering: .acquiring) }

    static var hasLibAV: Bool { isInstalled }

    static func makeLibAV(_ parameters: HEVCParameters) throws(RenderError) -> (any PictureDecoder)? {
        guard let make = maker.withLock({ $0 }) else { return nil }
        return try make(parameters)
    }
}
