import Thumbwheel

/// The names that collections have in addresses.
enum AlbumAddress {
    /// The albums that the service shows to nobody. Everybody can compute the identifiers of smart albums, so it is not
    /// enough to leave these out of lists.
    static let withheld: Set<AssetCollection.Subtype> = [.smartAlbumAllHidden, .smartAlbumRecentlyDeleted]

    static func name(of album: AssetCollection) -> String { Base64URL.text(album.identifier.localIdentifier.utf8) }

    /// Returns the collection that a name stands for; nil if there is none, or if it is withheld. The days of moments are
    /// found by a walk over the library.
    static func album(_ name: String, in library: PhotoLibrary) -> AssetCollection? {
        guard let bytes = Base64URL.bytes(name), bytes.count < 128,
            let identifier = String(validating: bytes, as: UTF8.self)
        else { return nil }
        if let album = library.fetchAssetCollections(withLocalIdentifiers: [identifier]).first {
            return withheld.contains(album.assetCollectionSubtype) ? nil : album
        }
        return library.fetchAssetCollections(with: .moment).first { $0.identifier.localIdentifier == identifier }
    }
}
