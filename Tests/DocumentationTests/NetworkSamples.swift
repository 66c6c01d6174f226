import Foundation
import Thumbwheel
import ThumbwheelHTTP

/// Photographs that are elsewhere.
enum NetworkSamples {
    static func add(_ url: URL, to library: PhotoLibrary) async throws {
        // begin http
        let client = HTTPClient(
            configuration: HTTPClient.Configuration {
                $0.timeout = .seconds(10)
                $0.retryLimit = 2
            })
        let photograph = try await AssetResource.provider(client.resource(at: url)).readingHead()
        try await library.performChanges { changes in
            try changes.createAsset(from: [photograph])
        }
        // end
    }

    static func options(isGone: @escaping @Sendable () -> Bool) -> ImageRequestOptions {
        // begin progress
        var options = ImageRequestOptions()
        options.isNetworkAccessAllowed = true
        options.progressHandler = { progress, stop in
            print(Int(progress.fraction * 100), "%")
            stop = isGone()
        }
        // end
        return options
    }
}
