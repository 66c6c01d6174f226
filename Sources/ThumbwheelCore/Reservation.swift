/// A part of a `MemoryBudget` that is in use. It must be released exactly once.
package struct Reservation: Sendable, Equatable {
    /// The number of bytes that are reserved.
    package let byteCount: Int
    /// The purpose for which the bytes are reserved.
    package let purpose: MemoryBudget.Purpose

    /// Makes a reservation from its parts, for owners that store the parts in another form, such as a cache's own byte
    /// counts.
    package init(byteCount: Int, purpose: MemoryBudget.Purpose) {
        self.byteCount = byteCount
        self.purpose = purpose
    }
}
