/// One row of 12-bit values (0...4095 once clamped) in memory that is not counted or checked per access.
final class SampleRow {
    let values: UnsafeMutablePointer<Int32>
    let count: Int

    init(count: Int) {
        self.count = count
        values = .allocate(capacity: count)
        values.initialize(repeating: 0, count: count)
    }

    deinit { values.deallocate() }

    func clear() { values.update(repeating: 0, count: count) }
}
