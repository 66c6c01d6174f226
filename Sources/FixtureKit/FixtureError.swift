/// Why fixtures could not be written.
package enum FixtureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// An encoder failed: its name and its own words.
    case encoder(String, String)
    /// The encoder is not installed here.
    case missingEncoder(String)
    /// A file could not be read or written: its path and the system's words.
    case file(String, String)
    /// A line of a sums file is not one.
    case malformedSums(String)

    package var description: String {
        switch self {
        case .encoder(let name, let reason): "\(name): \(reason)"
        case .missingEncoder(let name): "no encoder for \(name) is installed"
        case .file(let path, let reason): "\(path): \(reason)"
        case .malformedSums(let line): "not a line of sums: \(line)"
        }
    }
}
