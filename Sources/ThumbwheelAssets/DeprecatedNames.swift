import ThumbwheelCore

// The former names of types and methods. They are kept for one version: the compiler warns about each use, and offers
// the new name as a correction.

/// The former name of `AssetMediaType`.
@available(*, deprecated, renamed: "AssetMediaType")
public typealias MediaType = AssetMediaType

/// The former name of `AssetMediaSubtype`.
@available(*, deprecated, renamed: "AssetMediaSubtype")
public typealias MediaSubtypes = AssetMediaSubtype

/// The former name of `AssetPlaybackStyle`.
@available(*, deprecated, renamed: "AssetPlaybackStyle")
public typealias PlaybackStyle = AssetPlaybackStyle

/// The former name of `AssetBurstSelectionType`.
@available(*, deprecated, renamed: "AssetBurstSelectionType")
public typealias BurstSelectionTypes = AssetBurstSelectionType

/// The former name of `AssetSourceType`.
@available(*, deprecated, renamed: "AssetSourceType")
public typealias AssetSourceTypes = AssetSourceType

extension AssetResource {
    /// The former name of `AssetResourceType`.
    @available(*, deprecated, renamed: "AssetResourceType")
    public typealias Kind = AssetResourceType

    /// The former name of `type`.
    @available(*, deprecated, renamed: "type")
    public var kind: AssetResourceType {
        get { type }
        set { type = newValue }
    }

    /// The former name of `init(type:source:originalFilename:contentType:)`.
    @available(*, deprecated, renamed: "init(type:source:originalFilename:contentType:)")
    public init(
        kind: AssetResourceType, source: Source, originalFilename: String? = nil, contentType: ContentType? = nil
    ) {
        self.init(type: kind, source: source, originalFilename: originalFilename, contentType: contentType)
    }
}

extension LibraryTransaction {
    /// The former name of `supportsAssetResourceTypes`.
    @available(*, deprecated, renamed: "supportsAssetResourceTypes")
    public static func supportsResourceKinds(_ kinds: [AssetResourceType]) -> Bool { supportsAssetResourceTypes(kinds) }
}

extension PhotoLibrary {
    /// The former name of `fetchPersistentChanges(since:)`.
    @available(*, deprecated, renamed: "fetchPersistentChanges(since:)")
    public func persistentChanges(since token: ChangeToken) throws(PersistentChangeError) -> [PersistentChange] {
        try fetchPersistentChanges(since: token)
    }
}
