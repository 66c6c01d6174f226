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
        try await library.performChanges { changes in
            try changes.createAsset(from: [.provider(client.resource(at: url))])
        }
        // end
    }

    static func options(isGone: @escaping @Sendable () -> Bool) -> ImageRequestOptions {
        // begin progress
        var options = ImageRequestOptions()
        options.isNetworkAccessAllowed = true
        options.progressHandler = { fraction, stop in
            print(Int(fraction * 100), "%")
            stop = isGone()
        }
        // end
        return options
    }
}
