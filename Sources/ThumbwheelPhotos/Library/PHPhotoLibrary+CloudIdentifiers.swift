// The names are those of PhotoKit.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Thumbwheel

/// The key of the local identifiers of all assets that have the same bytes, in the user info of `multipleIdentifiersFound`.
public let PHLocalIdentifiersErrorKey = "PHLocalIdentifiersErrorKey"

extension PHPhotoLibrary {
    /// The cloud identifiers of assets, each with a result; the calling thread waits while originals are read.
    ///
    /// Errors have PhotoKit's domain and number.
    public func cloudIdentifierMappings(
        forLocalIdentifiers localIdentifiers: [String]
    ) -> [String: Result<PHCloudIdentifier, any Error>] {
        library.cloudIdentifierMappings(forLocalIdentifiers: localIdentifiers).mapValues { result in
            result.mapError { NSError(photos: $0) }
        }
    }

    /// The local identifiers of the assets with some cloud identifiers, each with a result; the calling thread waits while
    /// originals are read.
    ///
    /// Errors have PhotoKit's domain and number.
    public func localIdentifierMappings(
        for cloudIdentifiers: [PHCloudIdentifier]
    ) -> [PHCloudIdentifier: Result<String, any Error>] {
        library.localIdentifierMappings(for: cloudIdentifiers).mapValues { result in
            result.mapError { NSError(photos: $0) }
        }
    }
}

extension NSError {
    /// The error of a mapping, with PhotoKit's domain, number and key.
    convenience init(photos error: CloudIdentifierError) {
        var info: [String: Any] = [:]
        if case .multipleIdentifiersFound(let identifiers) = error { info[PHLocalIdentifiersErrorKey] = identifiers }
        self.init(domain: PHPhotosErrorDomain, code: error.code, userInfo: info)
    }
}
