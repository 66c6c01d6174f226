/// A row of a table that is stored in pages (`SlotPages`).
protocol SlotRow: Sendable {
    /// The placeholder that fills a slot without a row.
    static var vacant: Self { get }
    var isVacant: Bool { get }
}
