/// The images that are delivered by the current event. Receivers get them only after the event. Until then they count
/// as in use, although no receiver holds them.
struct ImagesOnTheWay: Sendable {
    private var identifiers: [ObjectIdentifier] = []
    private var isOver = false

    mutating func add(_ image: SharedImage) {
        forgetLastEvent()
        let identifier = ObjectIdentifier(image)
        // An image is often added many times in a row, once for each of its receivers.
        if identifiers.last != identifier { identifiers.append(identifier) }
    }

    func contains(_ image: SharedImage) -> Bool { identifiers.contains(ObjectIdentifier(image)) }

    /// Ends the event: images that are added from now on belong to the next one.
    mutating func endEvent() {
        isOver = true
    }

    mutating func forgetLastEvent() {
        guard isOver else { return }
        identifiers.removeAll(keepingCapacity: true)
        isOver = false
    }
}
