/// The images that will be delivered once the pipeline has handled the current event, for example a submission or the
/// end of a render. Until then no receiver holds them, but they count as in use.
struct ImagesOnTheWay: Sendable {
    private var identifiers: [ObjectIdentifier] = []
    private var isOver = false

    mutating func add(_ image: SharedImage) {
        forgetLastEvent()
        let identifier = ObjectIdentifier(image)
        // If the same image was added last, does not add it again. An image is often passed to this method many times,
        // once for each receiver.
        if identifiers.last != identifier { identifiers.append(identifier) }
    }

    func contains(_ image: SharedImage) -> Bool { identifiers.contains(ObjectIdentifier(image)) }

    /// Records that the pipeline has handled the current event. Images that are added from now on belong to the next
    /// event.
    mutating func endEvent() {
        isOver = true
    }

    mutating func forgetLastEvent() {
        guard isOver else { return }
        identifiers.removeAll(keepingCapacity: true)
        isOver = false
    }
}
