/// What could not be brought back of a library whose file is damaged, and what could not be checked.
public struct RecoveryReport: Sendable, Equatable {
    /// A part of the file that is lost.
    public struct Loss: Sendable, Equatable {
        public enum Content: Sendable, Equatable {
            /// Up to so many assets that lay side by side; the others keep their places.
            case assets(count: Int)
            /// All albums and folders.
            case collections
            /// Change tokens from before are expired.
            case history
            /// The list of the other parts, which were found without it.
            case contents
        }

        public var content: Content
        /// Where it was, or was looked for, in the file.
        public var byteRange: Range<Int>
        /// Why it is lost.
        public var error: LibraryFileError
    }

    /// In the order of the file.
    public internal(set) var losses: [Loss] = []
    /// Albums that named assets which are not there, and collections that were in no folder, in several, or in themselves:
    /// they have the rest of their members now, and the latter are at the top level.
    public internal(set) var repairedCollections: [CollectionIdentifier] = []
    /// Whether the checksum of every part that was taken is right. Those of a file that was cut short are lost: what it
    /// holds is taken as it is, and may be damaged.
    public internal(set) var isVerified = true

    /// Whether the library is what was saved.
    public var isComplete: Bool { losses.isEmpty && repairedCollections.isEmpty && isVerified }
}
