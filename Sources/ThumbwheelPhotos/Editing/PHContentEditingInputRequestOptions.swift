import Foundation
import Thumbwheel

/// The name of a request for the input of an edit.
public typealias PHContentEditingInputRequestID = ContentEditingInputRequestID

/// How the input of an edit is requested.
public final class PHContentEditingInputRequestOptions: NSObject {
    /// Whether the editor can read a recipe and go on with it.
    public var canHandleAdjustmentData: @Sendable (PHAdjustmentData) -> Bool = { _ in false }
    /// Whether bytes may come over a network.
    public var isNetworkAccessAllowed = false
    /// Receives how much of the file has arrived.
    public var progressHandler: (@Sendable (Double, UnsafeMutablePointer<ObjCBool>) -> Void)?

    /// Makes options for an editor that reads no recipes.
    public override init() {}

    /// The options in this library's own spelling.
    var options: ContentEditingInputRequestOptions {
        ContentEditingInputRequestOptions { options in
            let canHandle = canHandleAdjustmentData
            options.canHandleAdjustmentData = { canHandle(PHAdjustmentData($0)) }
            options.isNetworkAccessAllowed = isNetworkAccessAllowed
            if let progressHandler {
                options.progressHandler = { progress, stop in
                    var ends = ObjCBool(false)
                    progressHandler(progress.fraction, &ends)
                    if ends.boolValue { stop = true }
                }
            }
        }
    }
}
