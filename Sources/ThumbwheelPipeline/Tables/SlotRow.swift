/// A row of a table in pages.
protocol SlotRow: Sendable {
    /// What lies in a slot without a row.
    static var vacant: Self { get }
    var isVacant: Bool { get }
}
