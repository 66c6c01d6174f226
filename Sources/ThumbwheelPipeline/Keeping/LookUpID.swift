import ThumbwheelScheduling

/// The name of one look-up in one tier. It is never used again.
package struct LookUpID: Hashable, Sendable {
    package let tier: StorageTier
    let job: JobID
}
