/// Allows a window to move only after the view has moved by more than a third of a screen.
struct MovementGate {
    private var lastOffset: Double?

    mutating func opens(at offset: Double, screen: Double) -> Bool {
        if let lastOffset, abs(offset - lastOffset) <= screen / 3 { return false }
        lastOffset = offset
        return true
    }
}
