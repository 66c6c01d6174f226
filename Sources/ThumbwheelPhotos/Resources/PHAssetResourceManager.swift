import Foundation
import Thumbwheel

/// The name of a request for a resource's bytes.
public typealias PHAssetResourceDataRequestID = AssetResourceDataRequestID

/// Reads the bytes of resources in chunks, to handlers or to files.
public final class PHAssetResourceManager: NSObject, Sendable {
    private static let shared = PHAssetResourceManager()

    private let manager = AssetResourceManager.default

    private override init() {}

    /// The manager that the whole process shares.
    public static func `default`() -> PHAssetResourceManager { shared }

    /// Requests the bytes of a resource. Errors are `PHPhotosError`s. The next chunk is read when the handler has returned.
    ///
    /// - Returns: the name of the request, by which it can be cancelled.
    @discardableResult
    public func requestData(
        for resource: PHAssetResource, options: PHAssetResourceRequestOptions?,
        dataReceivedHandler: @escaping @Sendable (Data) -> Void,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> PHAssetResourceDataRequestID {
        manager.requestData(
            for: resource.resource, options: (options ?? PHAssetResourceRequestOptions()).options,
            dataReceivedHandler: { dataReceivedHandler(Data($0)) },
            completionHandler: { completionHandler($0.map { PHPhotosError.of($0) }) })
    }

    /// Writes the bytes of a resource to a file, which exists only once it is whole.
    public func writeData(
        for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        manager.writeData(
            for: resource.resource, toFile: fileURL.path,
            options: (options ?? PHAssetResourceRequestOptions()).options,
            completionHandler: { completionHandler($0.map { PHPhotosError.of($0) }) })
    }

    /// Writes the bytes of a resource to a file, which exists only once it is whole.
    public func writeData(
        for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?
    ) async throws {
        do {
            try await manager.writeData(
                for: resource.resource, toFile: fileURL.path,
                options: (options ?? PHAssetResourceRequestOptions()).options)
        } catch {
            throw PHPhotosError.of(error)
        }
    }

    /// Cancels a request, whose completion handler is then told so; does nothing if the request has ended.
    public func cancelDataRequest(_ id: PHAssetResourceDataRequestID) { manager.cancelDataRequest(id) }
}
