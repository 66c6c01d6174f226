/// How a render ends.
package enum SimulatedEnding: String, Codable, Sendable {
    case image, failure
    /// The file is cut short: good for a partial image only.
    case truncation
    case stop
}
