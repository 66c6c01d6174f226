import ThumbwheelCore

/// The options for following a folder.
public struct FollowOptions: Sendable {
    /// The options of the imports.
    public var importing: ImportOptions
    /// The times for which changed files wait before they are imported.
    public var pace: Pace

    /// How long changes in a followed folder are collected before they are imported, and how many are imported at once.
    public struct Pace: Sendable, Equatable {
        /// The time after a change during which further changes are awaited, so that one transaction imports them
        /// together.
        public var gatheringTime: Duration = .milliseconds(250)
        /// The longest time for which a change waits to be imported while further changes keep arriving.
        public var longestGatheringTime: Duration = .seconds(2)
        /// The time for which a file must stay unchanged to count as complete, if the program that writes it does not
        /// close it.
        public var quietTime: Duration = .seconds(5)
        /// The time between scans of the whole folder while changes in it may go unnoticed. Such scans take place in
        /// these cases:
        ///
        /// - A folder inside the followed folder cannot be watched.
        /// - An import has failed.
        /// - The followed folder does not exist at present.
        ///
        /// As often as this, the follower also looks whether another folder is at the followed path, and whether volumes
        /// inside the folder have been mounted or unmounted.
        public var scanInterval: Duration = .seconds(60)
        /// The largest number of changed paths in one transaction.
        public var batchSize = 10_000

        /// Makes the default values. A change is then imported at most about two seconds after a program has closed the
        /// file.
        public init() {}
    }

    /// Makes options.
    public init(importing: ImportOptions = ImportOptions(), pace: Pace = Pace()) {
        self.importing = importing
        self.pace = pace
    }
}
