/// Positions of the rows or the columns of a grid: slots of equal length at equal distances along a line.
struct EvenSlots {
    /// The start of the first slot.
    var start: Double
    var length: Double
    /// The empty space between two neighbouring slots.
    var gap: Double
    var count: Int

    /// The distance from the start of one slot to the start of the next.
    var pitch: Double { length + gap }

    /// The distance from the start of the first slot to the end of the last.
    var totalLength: Double { count > 0 ? Double(count) * pitch - gap : 0 }

    func start(of slot: Int) -> Double { start + Double(slot) * pitch }
    func end(of slot: Int) -> Double { start(of: slot) + length }

    /// Returns the slots that lie at least partly between two positions.
    func slots(from low: Double, to high: Double) -> Range<Int> {
        guard high > low, count > 0 else { return 0..<0 }
        // The indices are clamped before they are converted to integers, so that an infinite range of positions
        // contains all slots.
        let most = Double(count)
        var first = Int(min(max(((low - start + gap) / pitch).rounded(.down), 0), most))
        // Rounding may put a quotient on the wrong side of a slot's edge, so the result may be off by one slot.
        if first < count, end(of: first) <= low {
            first += 1
        } else if first > 0, end(of: first - 1) > low {
            first -= 1
        }
        var end = Int(min(max(((high - start) / pitch).rounded(.up), 0), most))
        if end > 0, start(of: end - 1) >= high { end -= 1 } else if end < count, start(of: end) < high { end += 1 }
        return first..<max(first, end)
    }
}
