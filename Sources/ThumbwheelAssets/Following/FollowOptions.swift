import ThumbwheelCore

/// The options of a watched folder.
public struct FollowOptions: Sendable {
    /// The options of the imports.
    public var importing: ImportOptions
    /// How long files wait before they are imported.
    public var pace: Pace

    /// The times and the size of a watched folder's batches.
    public struct Pace: Sendable, Equatable {
        /// How long after a change others are waited for, so that one transaction takes them together.
        public var gatheringTime: Duration = .milliseconds(250)
        /// How long the first change waits at most while others keep coming.
        public var longestGatheringTime: Duration = .seconds(2)
        /// How long a file must be unchanged to count as complete if its writer does not close it.
        public var quietTime: Duration = .seconds(5)
        /// How long the library waits between two scans of a folder that it cannot watch, and after a failed import.
        public var scanInterval: Duration = .seconds(60)
        /// The largest number of changed paths that one transaction takes.
        public var batchSize = 10_000

        /// Makes the default pace: changes show within two seconds.
        public init() {}
    }

    /// Makes options.
    public init(importing: ImportOptions = ImportOptions(), pace: Pace = Pace()) {
        self.importing = importing
        self.pace = pace
    }
}
