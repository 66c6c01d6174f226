// The numbers under the names that a `catch` is written with.

extension PHPhotosError {
    /// Something unexpected failed.
    public static var internalError: Code { .internalError }
    /// The request was cancelled.
    public static var userCancelled: Code { .userCancelled }
    /// The library keeps no changes as old as the token.
    public static var persistentChangeTokenExpired: Code { .persistentChangeTokenExpired }
    /// The volume of the library is not there.
    public static var libraryVolumeOffline: Code { .libraryVolumeOffline }
    /// The library is being given up to another process that writes to it. This library never says so.
    public static var relinquishingLibraryBundleToWriter: Code { .relinquishingLibraryBundleToWriter }
    /// Another library is becoming the system's. This library never says so.
    public static var switchingSystemPhotoLibrary: Code { .switchingSystemPhotoLibrary }
    /// The bytes are elsewhere, and the options do not allow the network.
    public static var networkAccessRequired: Code { .networkAccessRequired }
    /// The network failed.
    public static var networkError: Code { .networkError }
    /// No object has the identifier.
    public static var identifierNotFound: Code { .identifierNotFound }
    /// Several objects have the cloud identifier.
    public static var multipleIdentifiersFound: Code { .multipleIdentifiersFound }
    /// The details of a kept change cannot be had any more.
    public static var persistentChangeDetailsUnavailable: Code { .persistentChangeDetailsUnavailable }
    /// The library does not make such a change.
    public static var changeNotSupported: Code { .changeNotSupported }
    /// The operation was ended before its time.
    public static var operationInterrupted: Code { .operationInterrupted }
    /// The resource's bytes are no picture, or not of its type.
    public static var invalidResource: Code { .invalidResource }
    /// An asset lacks a resource that it needs.
    public static var missingResource: Code { .missingResource }
    /// The disk is full.
    public static var notEnoughSpace: Code { .notEnoughSpace }
    /// The asset has nothing to answer the request with.
    public static var requestNotSupportedForAsset: Code { .requestNotSupportedForAsset }
    /// The request exceeds a limit.
    public static var limitExceeded: Code { .limitExceeded }
    /// Nobody can grant the access.
    public static var accessRestricted: Code { .accessRestricted }
    /// The access was refused.
    public static var accessUserDenied: Code { .accessUserDenied }
    /// The library lies in a folder that is synchronised with other machines. This library never says so.
    public static var libraryInFileProviderSyncRoot: Code { .libraryInFileProviderSyncRoot }
}
