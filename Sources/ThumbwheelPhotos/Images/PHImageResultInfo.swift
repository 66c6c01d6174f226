import Foundation
import Thumbwheel

/// The facts about a result as a dictionary with PhotoKit's keys.
struct PHImageResultInfo {
    let requestID: PHImageRequestID
    var isDegraded = false
    var isCancelled = false
    var isInCloud = false
    var error: ImageRequestError?

    var dictionary: [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [
            PHImageResultRequestIDKey: NSNumber(value: requestID),
            PHImageResultIsDegradedKey: NSNumber(value: isDegraded),
            PHImageResultIsInCloudKey: NSNumber(value: isInCloud),
        ]
        if isCancelled { info[PHImageCancelledKey] = NSNumber(value: true) }
        if let error { info[PHImageErrorKey] = PHPhotosError(error).object }
        return info
    }
}
