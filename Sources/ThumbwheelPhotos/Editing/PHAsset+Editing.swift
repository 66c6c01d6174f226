// The names are those of PhotoKit.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Thumbwheel

extension PHAsset {
    /// Requests all that an editor needs to edit the photograph.
    ///
    /// - Parameters:
    ///   - options: which recipes the editor can read, and whether bytes may come over a network; nil stands for the defaults.
    ///   - completionHandler: receives the input, or nil with facts under the keys `PHContentEditingInput…`.
    /// - Returns: the name of the request, by which it can be cancelled.
    @discardableResult
    public func requestContentEditingInput(
        with options: PHContentEditingInputRequestOptions?,
        completionHandler: @escaping @Sendable (PHContentEditingInput?, [AnyHashable: Any]) -> Void
    ) -> PHContentEditingInputRequestID {
        ImageManager.default.requestContentEditingInput(
            for: asset, options: (options ?? PHContentEditingInputRequestOptions()).options
        ) { result in
            switch result {
            case .success(let input): completionHandler(PHContentEditingInput(input), [:])
            case .failure(.cancelled):
                completionHandler(nil, [PHContentEditingInputCancelledKey: NSNumber(value: true)])
            case .failure(let error):
                completionHandler(
                    nil,
                    [
                        PHContentEditingInputErrorKey: PHPhotosError(error).object,
                        PHContentEditingInputResultIsInCloudKey: NSNumber(value: error == .networkAccessRequired),
                    ])
            }
        }
    }

    /// Cancels a request for the input of an edit; does nothing if the request has ended.
    public func cancelContentEditingInputRequest(_ id: PHContentEditingInputRequestID) {
        ImageManager.default.cancelContentEditingInputRequest(id)
    }
}

/// Whether the bytes lie elsewhere and the request was not allowed to fetch them: an `NSNumber`.
public let PHContentEditingInputResultIsInCloudKey = "PHContentEditingInputResultIsInCloudKey"
/// Whether a request for the input of an edit was cancelled: an `NSNumber`.
public let PHContentEditingInputCancelledKey = "PHContentEditingInputCancelledKey"
/// Why there is no input of an edit: an `NSError`.
public let PHContentEditingInputErrorKey = "PHContentEditingInputErrorKey"
