import Foundation
import Thumbwheel

/// Requests for playing and exporting videos. This version of the library cannot play them: each request ends with an error
/// of the number `PHPhotosError.Code.requestNotSupportedForAsset`, so that a view shows what it shows for any video that
/// cannot be had. The type `Never?` of what handlers receive says that nothing else is possible.
extension PHImageManager {
    /// Ends with an error.
    @discardableResult
    public func requestPlayerItem(
        forVideo asset: PHAsset, options: PHVideoRequestOptions?,
        resultHandler: @escaping @Sendable (Never?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        refuse { resultHandler(nil, $0) }
    }

    /// Ends with an error.
    @discardableResult
    public func requestAVAsset(
        forVideo asset: PHAsset, options: PHVideoRequestOptions?,
        resultHandler: @escaping @Sendable (Never?, Never?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        refuse { resultHandler(nil, nil, $0) }
    }

    /// Ends with an error.
    @discardableResult
    public func requestExportSession(
        forVideo asset: PHAsset, options: PHVideoRequestOptions?, exportPreset: String,
        resultHandler: @escaping @Sendable (Never?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        refuse { resultHandler(nil, $0) }
    }

    private func refuse(_ tell: @escaping @Sendable ([AnyHashable: Any]) -> Void) -> PHImageRequestID {
        let id = nextRequestID()
        manager.configuration.executor.run {
            tell(PHImageResultInfo(requestID: id, error: .unsupportedMedia).dictionary)
        }
        return id
    }
}
