/// A report of the parts of a damaged library file that could not be recovered or checked.
public struct RecoveryReport: Sendable, Equatable {
    /// A part of the file that is lost.
    public struct Loss: Sendable, Equatable {
        /// The kind of contents that a lost part had.
        public enum Content: Sendable, Equatable {
            /// Assets that were stored next to each other. At most `count` of them are lost; `count` is `Int.max` if
            /// the number is unknown. The assets that are not lost keep their order.
            case assets(count: Int)
            /// An album, a folder, or the order of the top level. A file of an earlier version has only one checksum
            /// for all of them, so they are lost together.
            case collections
            /// The history of changes. If it is lost, all change tokens from before the recovery count as expired.
            case history
            /// A table of contents, which only locates other parts: the header of the file, or a list of positions or
            /// lengths. Assets, albums and folders that were found without it are not lost.
            case contents
        }

        /// The kind of data that the lost part of the file contained.
        public var content: Content
        /// The position of the part in the file, or the position at which it was expected.
        public var byteRange: Range<Int>
        /// The reason why the part is lost.
        public var error: LibraryFileError
    }

    /// The lost parts, in the order of the file.
    public internal(set) var losses: [Loss] = []
    /// The collections that had to be changed:
    ///
    /// - Albums that contained an asset twice, or an entry that cannot stand for any asset. They keep their other
    ///   assets.
    /// - Folders that listed a missing collection.
    /// - Collections that were in no folder, in several folders, or inside themselves. Each is now in one folder that
    ///   lists it, or at the top level.
    public internal(set) var repairedCollections: [CollectionIdentifier] = []
    /// Whether the checksums of all recovered parts were correct. It is false if checksums were lost, for example
    /// because the file was cut short. The contents were then recovered without a check and may be damaged.
    public internal(set) var isVerified = true

    /// Whether the recovered library is equal to the saved library.
    public var isComplete: Bool { losses.isEmpty && repairedCollections.isEmpty && isVerified }
}
