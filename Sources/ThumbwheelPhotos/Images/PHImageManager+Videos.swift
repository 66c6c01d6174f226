import Foundation
import Thumbwheel

extension PHImageManager {
    /// Requests a video that is ready to be played.
    ///
    /// - Parameters:
    ///   - asset: the video.
    ///   - options: how the video is delivered; nil stands for the defaults.
    ///   - resultHandler: receives the item, or nil with the reason, with facts under the keys `PHImageResult…`.
    /// - Returns: the name of the request, by which it can be cancelled.
    @discardableResult
    public func requestPlayerItem(
        forVideo asset: PHAsset, options: PHVideoRequestOptions?,
        resultHandler: @escaping @Sendable (PHPlayerItem?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let options = options ?? PHVideoRequestOptions()
        return perform { id, token, end in
            manager.requestPlayerItem(for: asset.asset, options: options.options(of: id, token)) { result in
                end()
                resultHandler(result.value.map { PHPlayerItem($0) }, PHImageResultInfo(result, of: id).dictionary)
            }
        }
    }

    /// Requests the tracks, the duration and the bytes of a video. There is no audio mix: the type `Never?` says that
    /// the handler always receives nil in its place.
    ///
    /// - Parameters:
    ///   - asset: the video.
    ///   - options: how the video is delivered; nil stands for the defaults.
    ///   - resultHandler: receives the video, or nil with the reason, with facts under the keys `PHImageResult…`.
    /// - Returns: the name of the request, by which it can be cancelled.
    @discardableResult
    public func requestAVAsset(
        forVideo asset: PHAsset, options: PHVideoRequestOptions?,
        resultHandler: @escaping @Sendable (PHAVAsset?, Never?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let options = options ?? PHVideoRequestOptions()
        return perform { id, token, end in
            manager.requestAVAsset(for: asset.asset, options: options.options(of: id, token)) { result in
                end()
                resultHandler(result.value.map { PHAVAsset($0) }, nil, PHImageResultInfo(result, of: id).dictionary)
            }
        }
    }

    /// Requests a session that exports a video. The host must have called `VideoExporting.install()` of
    /// `ThumbwheelMedia`; otherwise the request ends with an error, as it does for a preset of another name.
    ///
    /// - Parameters:
    ///   - asset: the video.
    ///   - options: how the video is delivered; nil stands for the defaults.
    ///   - exportPreset: one of the names that begin with `PHExportPreset`.
    ///   - resultHandler: receives the session, or nil with the reason, with facts under the keys `PHImageResult…`.
    /// - Returns: the name of the request, by which it can be cancelled.
    @discardableResult
    public func requestExportSession(
        forVideo asset: PHAsset, options: PHVideoRequestOptions?, exportPreset: String,
        resultHandler: @escaping @Sendable (PHExportSession?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        guard let preset = ExportPreset(named: exportPreset) else { return refuse { resultHandler(nil, $0) } }
        let options = options ?? PHVideoRequestOptions()
        return perform { id, token, end in
            manager.requestExportSession(
                for: asset.asset, preset: preset, options: options.options(of: id, token)
            ) { result in
                end()
                resultHandler(result.value.map { PHExportSession($0) }, PHImageResultInfo(result, of: id).dictionary)
            }
        }
    }

    private func refuse(_ tell: @escaping @Sendable ([AnyHashable: Any]) -> Void) -> PHImageRequestID {
        let id = nextRequestID()
        manager.configuration.executor.run {
            tell(PHImageResultInfo(requestID: id, error: .unsupportedMedia).dictionary)
        }
        return id
    }
}

extension PHImageResultInfo {
    /// The facts about the one result of a request for a video.
    fileprivate init<Value>(_ result: MediaResult<Value>, of id: PHImageRequestID) {
        self.init(requestID: id, isInCloud: result.info.isInCloud)
        switch result {
        case .final: break
        case .failed(let error, _): self.error = error
        case .cancelled: isCancelled = true
        }
    }
}
