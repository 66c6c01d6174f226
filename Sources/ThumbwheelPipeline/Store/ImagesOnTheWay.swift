/// The images that an event delivers: as it ends they are not in their receivers' hands yet.
struct ImagesOnTheWay: Sendable {
    private var identifiers: [ObjectIdentifier] = []
    private var isOver = false

    mutating func add(_ image: SharedImage) {
        forgetLastEvent()
        let identifier = ObjectIdentifier(image)
        // One image often has many receivers.
        if identifiers.last != identifier { identifiers.append(identifier) }
    }

    func contains(_ image: SharedImage) -> Bool { identifiers.contains(ObjectIdentifier(image)) }

    /// What comes now belongs to another event.
    mutating func endEvent() {
        isOver = true
    }

    mutating func forgetLastEvent() {
        guard isOver else { return }
        identifiers.removeAll(keepingCapacity: true)
        isOver = false
    }
}
