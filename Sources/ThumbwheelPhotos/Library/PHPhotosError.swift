// The names are those of PhotoKit.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Thumbwheel

/// The domain of the errors that results and blocks of changes have.
public let PHPhotosErrorDomain = "PHPhotosErrorDomain"

/// The key of the local identifiers of all assets that have the same bytes, in the user info of `multipleIdentifiersFound`.
public let PHLocalIdentifiersErrorKey = "PHLocalIdentifiersErrorKey"

/// An error with PhotoKit's number, which blocks of changes, the history and resources throw.
///
/// Catch it as `PHPhotosError`, or one number as `PHPhotosError.userCancelled`; `error as NSError` has PhotoKit's domain, number and
/// user info. The dictionaries of results have an `NSError` under `PHImageErrorKey`, because Linux casts values of a dictionary
/// to no other class than their own; `init(_:)` makes a `PHPhotosError` of it.
public struct PHPhotosError: Error, Hashable, Sendable {
    /// The number.
    public let code: Code
    /// The library's own words for what happened; nil for an error that somebody else has made.
    private let words: String?
    /// The local identifiers of all assets that have the same bytes; empty for all numbers but `multipleIdentifiersFound`.
    private let localIdentifiers: [String]

    /// Makes an error with a number.
    public init(_ code: Code) {
        self.init(code, words: nil)
    }

    /// Makes an error of an error in PhotoKit's domain; nil for an error of another domain and for a number without a name.
    public init?(_ error: NSError) {
        guard error.domain == PHPhotosErrorDomain, let code = Code(rawValue: error.code) else { return nil }
        self.init(
            code, words: error.userInfo[NSLocalizedDescriptionKey] as? String,
            localIdentifiers: error.userInfo[PHLocalIdentifiersErrorKey] as? [String] ?? [])
    }

    private init(_ code: Code, words: String?, localIdentifiers: [String] = []) {
        self.code = code
        self.words = words
        self.localIdentifiers = localIdentifiers
    }

    /// The words, and for `multipleIdentifiersFound` the identifiers.
    public var userInfo: [String: Any] {
        var info: [String: Any] = [:]
        if let words { info[NSLocalizedDescriptionKey] = words }
        if !localIdentifiers.isEmpty { info[PHLocalIdentifiersErrorKey] = localIdentifiers }
        return info
    }
}

extension PHPhotosError: CustomNSError, LocalizedError {
    public static var errorDomain: String { PHPhotosErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { userInfo }
    public var errorDescription: String? { words }
}

extension PHPhotosError {
    /// The error of a request.
    init(_ error: ImageRequestError) { self.init(number: error.code, error) }

    /// The error of a mapping of cloud identifiers.
    init(_ error: CloudIdentifierError) {
        var identifiers: [String] = []
        if case .multipleIdentifiersFound(let found) = error { identifiers = found }
        self.init(Code(rawValue: error.code) ?? .internalError, words: "\(error)", localIdentifiers: identifiers)
    }

    /// An error of a library, of a resource or of an export with PhotoKit's number; any other error as it is.
    static func of(_ error: any Error) -> any Error {
        switch error {
        case let error as ChangeError: PHPhotosError(number: error.code, error)
        case let error as PersistentChangeError: PHPhotosError(number: error.code, error)
        case let error as AssetResourceError: PHPhotosError(number: error.code, error)
        case let error as ExportError: PHPhotosError(number: error.code, error)
        default: error
        }
    }

    private init(number: Int, _ error: any Error) {
        self.init(Code(rawValue: number) ?? .internalError, words: "\(error)")
    }

    /// The error as a value of a dictionary.
    var object: NSError { NSError(domain: PHPhotosErrorDomain, code: code.rawValue, userInfo: userInfo) }
}
