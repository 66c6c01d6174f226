extension ImageManager {
    /// The reason why a manager's configuration was refused: a number in it is out of bounds.
    public enum ConfigurationError: Error, Equatable, Sendable {
        /// The configuration asks for this number of render threads, which is less than 1.
        case noWorkers(Int)
        /// The configuration allows this number of fetches at once, which is less than 1.
        case noFetches(Int)
        /// The configuration has a memory budget of this number of bytes, which is less than 0.
        case negativeMemoryBudget(Int)
    }
}

extension ImageManager.Configuration {
    /// Checks the numbers of workers, fetches and bytes. `ImageManager.init(configuration:)` does so too; a host that
    /// reads the numbers from a file can check them earlier.
    ///
    /// - Throws: `ImageManager.ConfigurationError` for the first number that is out of bounds.
    public func validate() throws(ImageManager.ConfigurationError) {
        if workerCount < 1 { throw .noWorkers(workerCount) }
        if fetchLimit < 1 { throw .noFetches(fetchLimit) }
        if memoryBudget < 0 { throw .negativeMemoryBudget(memoryBudget) }
    }
}

extension ImageManager.ConfigurationError: CustomStringConvertible {
    /// The error in words, for people.
    public var description: String {
        switch self {
        case .noWorkers(let count): "an image manager needs at least one worker, and \(count) are configured"
        case .noFetches(let count): "an image manager needs at least one fetch at a time, and \(count) are configured"
        case .negativeMemoryBudget(let byteCount): "a memory budget of \(byteCount) bytes is less than nothing"
        }
    }
}
