extension ImageManager {
    /// The reason why a configuration was refused.
    public enum ConfigurationError: Error, Equatable, Sendable {
        /// There would be this number of render threads, which is less than 1.
        case noWorkers(Int)
        /// There would be this number of fetches at once, which is less than 1.
        case noFetches(Int)
        /// The memory budget would be this number of bytes, which is less than 0.
        case negativeMemoryBudget(Int)
    }

    /// Makes a manager if its configuration can be followed to the letter. Any other initialiser brings numbers out of bounds
    /// into bounds, as the properties of `Configuration` say.
    ///
    /// - Throws: `ConfigurationError`; no thread has been started then.
    public convenience init(validating configuration: Configuration) throws(ConfigurationError) {
        try configuration.validate()
        self.init(configuration: configuration)
    }
}

extension ImageManager.Configuration {
    /// Checks the numbers of workers, fetches and bytes.
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
