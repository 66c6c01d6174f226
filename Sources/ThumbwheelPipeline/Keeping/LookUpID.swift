import ThumbwheelScheduling

/// The identifier of one look-up in one storage tier. No other look-up ever gets the same identifier.
package struct LookUpID: Hashable, Sendable {
    package let tier: StorageTier
    let job: JobID
}
