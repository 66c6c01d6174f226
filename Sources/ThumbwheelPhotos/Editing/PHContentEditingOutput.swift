import Foundation
import Thumbwheel
import ThumbwheelLocks

/// What an editor has made: a recipe, and the picture that the recipe gives, as a JPEG at `renderedContentURL`.
public final class PHContentEditingOutput: NSObject, Sendable {
    private let output: Mutex<ContentEditingOutput>
    /// Where the editor writes the picture, in the folder for temporary files. The library takes the bytes when the edit is
    /// committed, and the file goes with this object.
    public let renderedContentURL = FileManager.default.temporaryDirectory
        .appendingPathComponent("thumbwheel-\(UUID().uuidString).jpg")

    /// The recipe.
    public var adjustmentData: PHAdjustmentData? {
        get { output.withLock { $0.adjustmentData }.map { PHAdjustmentData($0) } }
        set { output.withLock { $0.adjustmentData = newValue?.adjustmentData } }
    }

    /// Makes the output of an edit that began with an input.
    public init(contentEditingInput: PHContentEditingInput) {
        output = Mutex(ContentEditingOutput(contentEditingInput: contentEditingInput.input))
    }

    deinit { try? FileManager.default.removeItem(at: renderedContentURL) }

    /// The output with the picture that the editor has written; without one if it has written none.
    var finished: ContentEditingOutput {
        var finished = output.withLock { $0 }
        if let data = try? Data(contentsOf: renderedContentURL) { finished.renderedContent = .bytes([UInt8](data)) }
        return finished
    }
}
