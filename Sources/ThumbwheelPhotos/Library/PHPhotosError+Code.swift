extension PHPhotosError {
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
        /// The library is being given up to another process that writes to it. This library never says so.
        case relinquishingLibraryBundleToWriter = 3142
        /// Another library is becoming the system's. This library never says so.
        case switchingSystemPhotoLibrary = 3143
        /// The bytes are elsewhere, and the options do not allow the network.
        case networkAccessRequired = 3164
        /// The network failed.
        case networkError = 3169
        /// No object has the identifier.
        case identifierNotFound = 3201
        /// Several objects have the cloud identifier.
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
        /// The request exceeds a limit.
        case limitExceeded = 3307
        /// Nobody can grant the access.
        case accessRestricted = 3310
        /// The access was refused.
        case accessUserDenied = 3311
        /// The library lies in a folder that is synchronised with other machines. This library never says so.
        case libraryInFileProviderSyncRoot = 5423

        /// Whether an error that was thrown has this number, so that `catch PHPhotosError.userCancelled` catches it.
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? PHPhotosError)?.code == code }
    }
}
