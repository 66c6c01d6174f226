/// A row of a table that is stored in pages.
protocol SlotRow: Sendable {
    /// The placeholder that lies in a slot without a row.
    static var vacant: Self { get }
    var isVacant: Bool { get }
}
