/// How a fetch ends.
package enum SimulatedFetchEnding: String, Codable, Sendable {
    case bytes, failure, stop
}
