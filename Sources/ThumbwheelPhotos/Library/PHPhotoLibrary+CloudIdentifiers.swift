import Thumbwheel

extension PHPhotoLibrary {
    /// The cloud identifiers of assets, each with a result; the calling thread waits while originals are read.
    ///
    /// Errors are `PHPhotosError`s.
    public func cloudIdentifierMappings(
        forLocalIdentifiers localIdentifiers: [String]
    ) -> [String: Result<PHCloudIdentifier, any Error>] {
        library.cloudIdentifierMappings(forLocalIdentifiers: localIdentifiers).mapValues { result in
            result.mapError { PHPhotosError($0) }
        }
    }

    /// The local identifiers of the assets with some cloud identifiers, each with a result; the calling thread waits while
    /// originals are read.
    ///
    /// Errors are `PHPhotosError`s.
    public func localIdentifierMappings(
        for cloudIdentifiers: [PHCloudIdentifier]
    ) -> [PHCloudIdentifier: Result<String, any Error>] {
        library.localIdentifierMappings(for: cloudIdentifiers).mapValues { result in
            result.mapError { PHPhotosError($0) }
        }
    }
}
