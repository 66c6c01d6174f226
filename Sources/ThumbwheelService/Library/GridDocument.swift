import Foundation
import Thumbwheel

/// All that a grid must know before it has any picture, in columns of bytes. About 25 bytes an asset and the ThumbHash cannot be
/// compressed; the rest shrinks to almost nothing.
///
/// All numbers are little-endian:
///
/// 1. `TWG1`, the number of assets and that of sections, 4 bytes each.
/// 2. For each section its day, counted from 1 January 1970 (the smallest number for assets without a date), and its number of
///    assets, 4 bytes each.
/// 3. The names of the assets, 16 bytes each; in addresses they stand in Base64 for addresses.
/// 4. Their versions, 6 bytes each, which stand there likewise.
/// 5. Width over height in thousandths, 2 bytes each.
/// 6. Flags, 1 byte each: 1 for a video, 2 for a favourite, 4 for an asset without a picture.
/// 7. The lengths of the ThumbHashes, 1 byte each, and 8. the hashes themselves.
enum GridDocument {
    /// The orders that a grid may have.
    enum Order: String {
        /// By date of capture, the newest first, in a section for each day.
        case newest
        /// In the album's own order, in one section.
        case album
    }

    static func bytes(_ assets: FetchResult<Asset>, _ order: Order, _ resident: Resident) -> [UInt8] {
        let assets = resident.roots == nil ? Array(assets) : assets.filter(resident.isListed)
        var sections: [(day: Int32, count: UInt32)] = []
        for asset in assets {
            let day = order == .newest ? Self.day(of: asset) : Int32.min
            if sections.last?.day == day {
                sections[sections.count - 1].count += 1
            } else {
                sections.append((day, 1))
            }
        }
        var bytes = Array("TWG1".utf8)
        bytes.reserveCapacity(16 + sections.count * 8 + assets.count * 56)
        func add(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
        add(UInt32(assets.count))
        add(UInt32(sections.count))
        for section in sections {
            add(section.day)
            add(section.count)
        }
        bytes += resident.names.bytes(of: assets.map(\.identifier))
        for asset in assets { bytes += resident.names.versionBytes(of: asset) }
        for asset in assets { add(Self.aspect(of: asset.pixelSize)) }
        for asset in assets { bytes.append(Self.flags(of: asset)) }
        let shown = resident.shownHashes()
        let hashes = assets.map { shown($0)?.bytes ?? [] }
        for hash in hashes { bytes.append(UInt8(truncatingIfNeeded: hash.count)) }
        for hash in hashes { bytes += hash }
        return bytes
    }

    private static func day(of asset: Asset) -> Int32 {
        guard let date = asset.creationDate else { return .min }
        return Int32(clamping: Int((date.timeIntervalSince1970 / 86_400).rounded(.down)))
    }

    private static func aspect(of size: PixelSize) -> UInt16 {
        guard !size.isEmpty else { return 1000 }
        return UInt16(min(65_535, max(1, (Double(size.width) / Double(size.height) * 1000).rounded())))
    }

    private static func flags(of asset: Asset) -> UInt8 {
        var flags: UInt8 = 0
        if asset.mediaType == .video { flags |= 1 }
        if asset.isFavorite { flags |= 2 }
        if asset.pixelSize.isEmpty { flags |= 4 }
        return flags
    }
}
