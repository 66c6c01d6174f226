// The names are those of PhotoKit.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Whether the bytes lie elsewhere and the request was not allowed to fetch them: an `NSNumber`.
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"
/// Whether a better image follows: an `NSNumber`.
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"
/// The identifier of the request: an `NSNumber`.
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"
/// Whether the request was cancelled: an `NSNumber`.
public let PHImageCancelledKey = "PHImageCancelledKey"
/// Why there is no image: an `NSError`.
public let PHImageErrorKey = "PHImageErrorKey"
