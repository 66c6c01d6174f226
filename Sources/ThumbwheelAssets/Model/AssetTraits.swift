/// How an asset is to be played, whatever its media are (row 7).
public enum PlaybackStyle: Int, Sendable, CaseIterable {
    case unsupported = 0
    case image = 1
    case imageAnimated = 2
    case livePhoto = 3
    case video = 4
    case videoLooping = 5
}

/// Why a member of a burst is shown beside its representative (row 14).
public struct BurstSelectionTypes: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let autoPick = BurstSelectionTypes(rawValue: 1 << 0)
    public static let userPick = BurstSelectionTypes(rawValue: 1 << 1)
}

/// Where assets come from (row 15).
public struct AssetSourceTypes: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let userLibrary = AssetSourceTypes(rawValue: 1)
    public static let cloudShared = AssetSourceTypes(rawValue: 2)
    public static let iTunesSynced = AssetSourceTypes(rawValue: 4)
}

/// What may be done to an asset (row 18).
public enum AssetEditOperation: Int, Sendable, CaseIterable {
    case delete = 1
    case content = 2
    case properties = 3
}

/// What may be done to a collection (row 19).
public enum CollectionEditOperation: Int, Sendable, CaseIterable {
    case deleteContent = 1
    case removeContent = 2
    case addContent = 3
    case createContent = 4
    case rearrangeContent = 5
    case delete = 6
    case rename = 7
}

/// A recipe for an edit, opaque to the library (row 170).
public struct AdjustmentData: Sendable, Hashable {
    /// A reverse-DNS name.
    public var formatIdentifier: String
    public var formatVersion: String
    public var data: [UInt8]

    public init(formatIdentifier: String, formatVersion: String, data: [UInt8]) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }
}
