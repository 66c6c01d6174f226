/// A report of the parts of a damaged library that could not be recovered or checked.
public struct RecoveryReport: Sendable, Equatable {
    /// A lost part of the file.
    public struct Loss: Sendable, Equatable {
        /// The contents of a lost part.
        public enum Content: Sendable, Equatable {
            /// At most `count` assets that were stored next to each other; `Int.max` if their number is unknown. All
            /// other assets keep their places.
            case assets(count: Int)
            /// An album, a folder, or the order of the top level. In files of earlier versions, which lack separate
            /// checksums for these, all of them are lost together.
            case collections
            /// The history of changes, so that earlier change tokens count as expired.
            case history
            /// The file's header, or a list of the places of other parts. Parts that were found without it are not
            /// lost.
            case contents
        }

        /// The contents that were lost.
        public var content: Content
        /// The place of the part in the file, or the place where it was expected.
        public var byteRange: Range<Int>
        /// The reason for the loss.
        public var error: LibraryFileError
    }

    /// The losses in the order of the file.
    public internal(set) var losses: [Loss] = []
    /// The albums that named missing assets, and the collections that were in no folder, in several folders, or inside
    /// themselves. The albums keep their other members; the misplaced collections stay in one folder that lists them, or
    /// are at the top level.
    public internal(set) var repairedCollections: [CollectionIdentifier] = []
    /// Whether the checksum of every recovered part was correct. It is false if the checksums were lost, for instance
    /// because the file was cut short. The contents were then recovered unchecked and may be damaged.
    public internal(set) var isVerified = true

    /// Whether the recovered library equals the saved library.
    public var isComplete: Bool { losses.isEmpty && repairedCollections.isEmpty && isVerified }
}
