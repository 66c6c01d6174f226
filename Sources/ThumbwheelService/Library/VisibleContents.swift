import Foundation
import Thumbwheel
import ThumbwheelCore

/// All that a tenant's grids and albums show, in one number, which changes with them and with nothing else.
struct VisibleContents: Equatable {
    private let digest: UInt64

    init(_ resident: Resident) {
        let library = resident.library
        let assets = library.fetchAssets().filter(resident.isListed)
        var bytes = resident.names.bytes(of: assets.map(\.identifier))
        for asset in assets {
            bytes += resident.names.versionBytes(of: asset)
            bytes.append(asset.isFavorite ? 1 : 0)
            let seconds = asset.creationDate?.timeIntervalSince1970 ?? .infinity
            withUnsafeBytes(of: seconds.bitPattern.littleEndian) { bytes += $0 }
        }
        for album in library.fetchAssetCollections(with: .album) {
            let members = library.fetchAssets(in: album).filter(resident.isListed)
            guard !members.isEmpty else { continue }
            bytes += "\(album.identifier.localIdentifier)|\(album.localizedTitle ?? "")|\(members.count)|".utf8
            bytes += resident.names.bytes(of: members.map(\.identifier))
        }
        digest = XXHash64.digest(bytes)
    }
}
