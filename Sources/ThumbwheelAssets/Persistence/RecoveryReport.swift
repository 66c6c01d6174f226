/// The parts of a damaged library that could not be recovered, and those that could not be checked.
public struct RecoveryReport: Sendable, Equatable {
    /// A lost part of the file.
    public struct Loss: Sendable, Equatable {
        /// The contents of a lost part.
        public enum Content: Sendable, Equatable {
            /// At most `count` assets that were stored side by side, `Int.max` where their number is unknown; the others
            /// keep their places.
            case assets(count: Int)
            /// An album, a folder, or the order of the top level; all of them where these have no checksums of their own,
            /// as in files of earlier versions.
            case collections
            /// The history of changes: earlier change tokens count as expired.
            case history
            /// A list of other parts, which were found without it.
            case contents
        }

        /// The contents that were lost.
        public var content: Content
        /// The place of the part in the file, or where it was looked for.
        public var byteRange: Range<Int>
        /// The reason for the loss.
        public var error: LibraryFileError
    }

    /// The losses in the order of the file.
    public internal(set) var losses: [Loss] = []
    /// Albums that named missing assets, and collections that were in no folder, in several, or inside themselves. The
    /// albums keep their other members; such collections are at the top level.
    public internal(set) var repairedCollections: [CollectionIdentifier] = []
    /// Whether the checksum of every recovered part is right. A file that was cut short has lost its checksums: its
    /// contents are taken unchecked and may be damaged.
    public internal(set) var isVerified = true

    /// Whether the library is exactly the one that was saved.
    public var isComplete: Bool { losses.isEmpty && repairedCollections.isEmpty && isVerified }
}
