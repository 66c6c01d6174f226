import ThumbwheelCore
import ThumbwheelLocks

import struct Synchronization.Atomic

/// The decoder of HEVC pictures that the host has chosen beside libde265.
package enum HEVCDecoders {
    package typealias Maker = @Sendable (HEVCParameters) throws(RenderError) -> any PictureDecoder

    private static let maker = Mutex<Maker?>(nil)
    // Asked whenever the cost of a request is predicted.
    private static let isInstalled = Atomic(false)

    /// Installs a decoder by libavcodec. The first one stays.
    package static func install(_ make: @escaping Maker) {
        maker.withLock { $0 = $0 ?? make }
        isInstalled.store(true, ordering: .releasing)
    }

    static var hasLibAV: Bool { isInstalled.load(ordering: .acquiring) }

    static func makeLibAV(_ parameters: HEVCParameters) throws(RenderError) -> (any PictureDecoder)? {
        guard let make = maker.withLock({ $0 }) else { return nil }
        return try make(parameters)
    }
}
