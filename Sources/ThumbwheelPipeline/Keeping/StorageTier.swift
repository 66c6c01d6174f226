/// The stores below memory that keep finished renditions, in the order in which they are asked.
///
/// A store is asked before a rendition is made, and told after it has been made. Everything that is particular to a tier is
/// defined here.
package enum StorageTier: Int, CaseIterable, Hashable, Sendable {
    /// A store on this machine's disk.
    case disk

    /// The look-ups that may run at once.
    var lookUpLimit: Int {
        switch self {
        case .disk: 2
        }
    }

    /// The milliseconds after which a look-up counts as hanging. Its job is then made without the tier.
    var patienceMilliseconds: Double {
        switch self {
        case .disk: 250
        }
    }

    /// Whether the tier is asked for a rendition.
    ///
    /// - Parameters:
    ///   - meanMilliseconds: the mean time of the tier's latest answers.
    ///   - predictedMilliseconds: the predicted time of making the rendition.
    func isWorthAsking(meanMilliseconds: Double, predictedMilliseconds: Double) -> Bool {
        switch self {
        // A busy machine delays look-ups and renders alike. Only a disk that is slow by itself is passed over.
        case .disk: meanMilliseconds <= max(25, predictedMilliseconds)
        }
    }
}
