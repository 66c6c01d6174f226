import Foundation
import Thumbwheel

/// A line of the list of albums.
struct AlbumDocument: Encodable {
    /// The picture that stands for an album.
    struct Cover: Encodable {
        var asset: String
        var version: String
        /// Width over height.
        var aspect: Double
        /// The ThumbHash in Base64.
        var hash: String?
    }

    /// `smart`, `album` or `moment`.
    var kind: String
    var album: String
    var title: String
    var count: Int
    var cover: Cover?
    /// The day of a moment, counted from 1 January 1970.
    var day: Int?

    /// - Parameter outsiders: The assets that neither count nor are a cover.
    /// - Returns: nil for an album that is not listed: one without an asset that the tenant sees, unless the tenant sees the whole
    ///   library and the album was made by somebody.
    init?(_ album: AssetCollection, kind: String, _ resident: Resident, without outsiders: Set<AssetIdentifier>) {
        let library = resident.library
        let isShown = { (asset: Asset) in !outsiders.contains(asset.identifier) }
        let seen = outsiders.isEmpty ? nil : library.fetchAssets(in: album).filter(isShown)
        count = seen?.count ?? library.countOfAssets(in: album)
        guard count > 0 || kind == "album" && resident.seesAll else { return nil }
        self.kind = kind
        self.album = AlbumAddress.name(of: album)
        title = album.localizedTitle ?? ""
        cover = (library.fetchKeyAssets(in: album).first(where: isShown) ?? seen?.first).map {
            Cover($0, resident.names, resident.shownHashes()($0))
        }
        day = kind == "moment" ? album.startDate.map { Int(($0.timeIntervalSince1970 / 86_400).rounded(.down)) } : nil
    }
}

extension AlbumDocument.Cover {
    init(_ asset: Asset, _ names: AssetNames, _ hash: ThumbHash?) {
        self.asset = names.name(of: asset.identifier)
        version = names.version(of: asset)
        let size = asset.pixelSize
        aspect = size.isEmpty ? 1 : (Double(size.width) / Double(size.height)).rounded(toThousandths: ())
        self.hash = hash?.base64EncodedString()
    }
}

extension Double {
    fileprivate func rounded(toThousandths: Void) -> Double { (self * 1000).rounded() / 1000 }
}
