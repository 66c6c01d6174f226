/// An event, and the virtual milliseconds since the one before.
package struct SimulatedStep: Codable, Sendable {
    var delay: Double
    var event: SimulatedEvent
}
