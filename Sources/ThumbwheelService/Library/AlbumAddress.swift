import Thumbwheel

/// The names that collections have in addresses.
enum AlbumAddress {
    static func name(of album: AssetCollection) -> String { Base64URL.text(album.identifier.localIdentifier.utf8) }

    /// Returns the collection that a name stands for; nil if there is none.
    static func album(_ name: String, in library: PhotoLibrary) -> AssetCollection? {
        guard let bytes = Base64URL.bytes(name), bytes.count < 128,
            let identifier = String(validating: bytes, as: UTF8.self)
        else { return nil }
        return library.fetchAssetCollections(withLocalIdentifiers: [identifier]).first
    }
}
