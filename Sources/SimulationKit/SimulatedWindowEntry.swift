package struct SimulatedWindowEntry: Codable, Sendable {
    var picture: SimulatedPicture
    var urgency: Double
}
