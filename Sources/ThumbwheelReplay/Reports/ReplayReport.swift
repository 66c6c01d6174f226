public struct ReplayReport { public init(document: ReplayDocument, runs: [ReplayRun], command: String) {}; public var html: String { "" } }
