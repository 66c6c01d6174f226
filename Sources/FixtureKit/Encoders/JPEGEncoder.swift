import CTurboJPEG
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Encodes with libjpeg-turbo, whose accurate transform gives the same bytes with and without SIMD.
package struct JPEGEncoder: Sendable, Hashable {
    package enum Subsampling: Sendable, Hashable, CaseIterable {
        case yuv444
        case yuv422
        case yuv420
        case yuv440
        case yuv411
        case grey
    }

    /// What libjpeg-turbo's TurboJPEG layer takes from the environment only.
    package enum Variation: Sendable, Hashable {
        /// A restart marker after so many rows of minimum coded units.
        case restartRows(Int)
        /// A restart marker after so many minimum coded units, whatever the rows.
        case restartUnits(Int)
        /// Huffman tables made for this picture.
        case optimizedTables
        case arithmetic

        fileprivate var environment: (name: String, value: String) {
            switch self {
            case .restartRows(let rows): ("TJ_RESTART", String(rows))
            case .restartUnits(let units): ("TJ_RESTART", "\(units)B")
            case .optimizedTables: ("TJ_OPTIMIZE", "1")
            case .arithmetic: ("TJ_ARITHMETIC", "1")
            }
        }
    }

    /// 1...100.
    package var quality: Int
    package var subsampling: Subsampling
    package var isProgressive: Bool
    package var variation: Variation?

    package init(
        quality: Int, subsampling: Subsampling = .yuv420, isProgressive: Bool = false, variation: Variation? = nil
    ) {
        self.quality = quality
        self.subsampling = subsampling
        self.isProgressive = isProgressive
        self.variation = variation
    }

    /// The picture as a JFIF file, or an Adobe one when it has four channels.
    ///
    /// A variation changes the environment while it encodes, so encoders work one at a time.
    package func encode(_ raster: Raster) throws(FixtureError) -> [UInt8] {
        try Self.environment.withLock { _ throws(FixtureError) in try encodeAlone(raster) }
    }

    private static let environment = Mutex(())

    private func encodeAlone(_ raster: Raster) throws(FixtureError) -> [UInt8] {
        if let (name, value) = variation?.environment { setenv(name, value, 1) }
        defer { if let (name, _) = variation?.environment { unsetenv(name) } }
        guard let encoder = tjInitCompress() else { throw .encoder("turbojpeg", "no compressor") }
        defer { tjDestroy(encoder) }

        var buffer: UnsafeMutablePointer<UInt8>?
        var byteCount: UInt = 0
        defer { tjFree(buffer) }
        let format = [1: TJPF_GRAY, 3: TJPF_RGB, 4: TJPF_CMYK][raster.channels] ?? TJPF_RGB
        let flags = TJFLAG_ACCURATEDCT | (isProgressive ? TJFLAG_PROGRESSIVE : 0)
        let status = tjCompress2(
            encoder, raster.bytes, Int32(raster.width), 0, Int32(raster.height), format.rawValue, &buffer, &byteCount,
            subsampling.constant, Int32(quality), flags)
        guard status == 0, let buffer else {
            throw .encoder("turbojpeg", String(cString: tjGetErrorStr2(encoder)))
        }
        return Array(UnsafeBufferPointer(start: buffer, count: Int(byteCount)))
    }
}

extension JPEGEncoder.Subsampling {
    fileprivate var constant: Int32 {
        switch self {
        case .yuv444: Int32(TJSAMP_444.rawValue)
        case .yuv422: Int32(TJSAMP_422.rawValue)
        case .yuv420: Int32(TJSAMP_420.rawValue)
        case .yuv440: Int32(TJSAMP_440.rawValue)
        case .yuv411: Int32(TJSAMP_411.rawValue)
        case .grey: Int32(TJSAMP_GRAY.rawValue)
        }
    }
}
