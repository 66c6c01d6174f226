/// A part of a `MemoryBudget` that is in use. It must be released exactly once.
package struct Reservation: Sendable, Equatable {
    /// The size of the part in bytes.
    package let byteCount: Int
    /// The use of the part.
    package let purpose: MemoryBudget.Purpose

    /// Makes a reservation from its parts, for owners that store the parts in another form, such as a cache's own byte
    /// counts.
    package init(byteCount: Int, purpose: MemoryBudget.Purpose) {
        self.byteCount = byteCount
        self.purpose = purpose
    }
}
