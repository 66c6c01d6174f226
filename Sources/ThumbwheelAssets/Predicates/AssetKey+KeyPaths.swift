extension AssetKey {
    static func key(for keyPath: AnyKeyPath) -> AssetKey? { KeyPathNames.assets.keys[keyPath] }

    static func unsupportedKeyName(for keyPath: AnyKeyPath) -> String? { KeyPathNames.assets.unsupported[keyPath] }
}
