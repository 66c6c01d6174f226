import Foundation
import Thumbwheel

/// The recipe of an edit, opaque to the library.
public final class PHAdjustmentData: NSObject, Sendable {
    /// The recipe in this library's own spelling.
    public let adjustmentData: AdjustmentData

    /// Makes a recipe from an editor's format, its version and the editor's own bytes.
    public init(formatIdentifier: String, formatVersion: String, data: Data) {
        adjustmentData = AdjustmentData(
            formatIdentifier: formatIdentifier, formatVersion: formatVersion, data: [UInt8](data))
    }

    init(_ adjustmentData: AdjustmentData) {
        self.adjustmentData = adjustmentData
    }

    /// The format, by which an editor knows its own recipes.
    public var formatIdentifier: String { adjustmentData.formatIdentifier }
    /// The version of the format.
    public var formatVersion: String { adjustmentData.formatVersion }
    /// The editor's own bytes.
    public var data: Data { Data(adjustmentData.data) }
}
