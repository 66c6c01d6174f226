/// The way an asset is played, whatever its media are; PhotoKit's numbers.
public enum PlaybackStyle: Int, Sendable, CaseIterable {
    /// It cannot be played.
    case unsupported = 0
    /// A still picture.
    case image = 1
    /// A picture that moves by itself.
    case imageAnimated = 2
    /// A photograph with a short video beside it.
    case livePhoto = 3
    /// A video.
    case video = 4
    /// A video that repeats.
    case videoLooping = 5
}

/// The reasons why a member of a burst is shown beside its representative.
public struct BurstSelectionTypes: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The camera chose it.
    public static let autoPick = BurstSelectionTypes(rawValue: 1 << 0)
    /// The user chose it.
    public static let userPick = BurstSelectionTypes(rawValue: 1 << 1)
}

/// The libraries that assets come from.
public struct AssetSourceTypes: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The user's own library.
    public static let userLibrary = AssetSourceTypes(rawValue: 1)
    /// A shared album of a cloud service.
    public static let cloudShared = AssetSourceTypes(rawValue: 2)
    /// A library on another machine, by synchronisation.
    public static let iTunesSynced = AssetSourceTypes(rawValue: 4)
}

/// The operations that an asset may allow.
public enum AssetEditOperation: Int, Sendable, CaseIterable {
    /// Deleting it.
    case delete = 1
    /// Changing its pixels.
    case content = 2
    /// Changing its properties.
    case properties = 3
}

/// The operations that a collection may allow.
public enum CollectionEditOperation: Int, Sendable, CaseIterable {
    /// Deleting its members from the library.
    case deleteContent = 1
    /// Taking members out.
    case removeContent = 2
    /// Putting members in.
    case addContent = 3
    /// Making new members.
    case createContent = 4
    /// Changing the order of its members.
    case rearrangeContent = 5
    /// Deleting it.
    case delete = 6
    /// Giving it another title.
    case rename = 7
}

/// The recipe of an edit, opaque to the library; see <doc:Semantics#Adjustments>.
public struct AdjustmentData: Sendable, Hashable {
    /// A reverse-DNS name.
    public var formatIdentifier: String
    /// The version of the format.
    public var formatVersion: String
    /// The recipe.
    public var data: [UInt8]

    /// Makes a recipe of its parts.
    public init(formatIdentifier: String, formatVersion: String, data: [UInt8]) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }
}
