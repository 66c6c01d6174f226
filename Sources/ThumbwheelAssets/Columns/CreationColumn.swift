/// The creation dates of a chunk's rows, in an object of its own.
///
/// Two versions of a chunk share the dates until one of them sets a date. Making a version then increments the reference
/// count of this small object. The objects of many chunks lie side by side, and so are mostly in the processor's cache.
/// The counts of the arrays are kilobytes apart, and in a large library each would be a cache miss.
///
/// The class is unchecked `Sendable` for the same reason as `ChunkColumns`: only the transaction or the load that made an
/// object writes to it.
final class CreationColumn: @unchecked Sendable {
    @exclusivity(unchecked) var dates: [Double]

    init(_ dates: [Double]) {
        self.dates = dates
    }
}
