/// The identifier of one claim on a rendition. No other claim of the same pipeline ever gets the same identifier.
package struct ClaimID: Hashable, Sendable {
    let number: UInt64
}
