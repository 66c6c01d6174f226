// The names are those of PhotoKit.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Thumbwheel

/// The domain of the errors that results and blocks of changes have.
public let PHPhotosErrorDomain = "PHPhotosErrorDomain"

/// An error with PhotoKit's number.
public struct PHPhotosError: Error, Hashable, Sendable {
    /// PhotoKit's numbers.
    public enum Code: Int, Sendable, CaseIterable {
        /// Something unexpected failed.
        case internalError = -1
        /// The request was cancelled.
        case userCancelled = 3072
        /// The library keeps no changes as old as the token.
        case persistentChangeTokenExpired = 3105
        /// The volume of the library is not there.
        case libraryVolumeOffline = 3114
        /// The bytes are elsewhere, and the options do not allow the network.
        case networkAccessRequired = 3164
        /// The network failed.
        case networkError = 3169
        /// No object has the identifier.
        case identifierNotFound = 3201
        /// More objects than one have the cloud identifier.
        case multipleIdentifiersFound = 3202
        /// The details of a kept change cannot be had any more.
        case persistentChangeDetailsUnavailable = 3210
        /// The library does not make such a change.
        case changeNotSupported = 3300
        /// The operation was ended before its time.
        case operationInterrupted = 3301
        /// The resource's bytes are no picture, or not of its type.
        case invalidResource = 3302
        /// An asset lacks a resource that it needs.
        case missingResource = 3303
        /// The disk is full.
        case notEnoughSpace = 3305
        /// The asset has nothing to answer the request with.
        case requestNotSupportedForAsset = 3306
        /// More was asked for than is allowed.
        case limitExceeded = 3307
        /// Nobody can grant the access.
        case accessRestricted = 3310
        /// The access was refused.
        case accessUserDenied = 3311
    }

    /// The number.
    public let code: Code

    /// Makes an error with a number.
    public init(_ code: Code) {
        self.code = code
    }
}

extension NSError {
    /// The error of a request, with PhotoKit's domain and number, and its words.
    convenience init(photos error: ImageRequestError) { self.init(photos: error.code, error) }

    /// An error of a library or of a resource, with PhotoKit's domain and number, and its words; any other error as it is.
    static func photos(_ error: any Error) -> any Error {
        switch error {
        case let error as ChangeError: NSError(photos: error.code, error)
        case let error as PersistentChangeError: NSError(photos: error.code, error)
        case let error as AssetResourceError: NSError(photos: error.code, error)
        default: error
        }
    }

    private convenience init(photos code: Int, _ error: any Error) {
        self.init(domain: PHPhotosErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: "\(error)"])
    }
}
