import Testing
import Thumbwheel
import ThumbwheelPhotos

extension PhotoKitTests {
    @Suite("PhotoKit: access and availability") struct PHAccessTests {
        @Test("the shared library is the host's own, in all forms of asking")
        func authorization() async {
            let statuses = [
                await PHPhotoLibrary.requestAuthorization(for: .readWrite),
                await withCheckedContinuation { continuation in
                    PHPhotoLibrary.requestAuthorization(for: .addOnly) { continuation.resume(returning: $0) }
                },
                await withCheckedContinuation { continuation in
                    PHPhotoLibrary.requestAuthorization { continuation.resume(returning: $0) }
                },
                PHPhotoLibrary.authorizationStatus(), PHPhotoLibrary.authorizationStatus(for: .addOnly),
            ]
            #expect(statuses.allSatisfy { $0 == .authorized })
            #expect(PHPhotoLibrary.shared() === PHPhotoLibrary.shared())
            #expect(PHPhotoLibrary.shared().library === PhotoLibrary.shared)
        }

        @Test("levels and states of access have PhotoKit's numbers")
        func numbers() {
            #expect([PHAccessLevel.addOnly, .readWrite].map(\.rawValue) == [1, 2])
            let states: [PHAuthorizationStatus] = [.notDetermined, .restricted, .denied, .authorized, .limited]
            #expect(states.map(\.rawValue) == [0, 1, 2, 3, 4])
        }

        /// Notes why the library was unavailable, at each call.
        private final class Observer: PHPhotoLibraryAvailabilityObserver {
            let reasons = AsyncStream.makeStream(of: PHPhotosError.Code?.self)

            func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary) {
                reasons.continuation.yield((photoLibrary.unavailabilityReason as? PHPhotosError)?.code)
            }
        }

        @Test(
            "an observer is told that the library is unavailable, not that it is back, and nothing after it is taken off"
        )
        func availability() async throws {
            let library = PHPhotoLibrary(PhotoLibrary())
            let (observer, other) = (Observer(), Observer())
            library.register(observer)
            library.register(other)
            var reasons = observer.reasons.stream.makeAsyncIterator()
            #expect(library.unavailabilityReason == nil)
            library.library.setUnavailable(because: PHPhotosError(.libraryVolumeOffline))
            #expect(await reasons.next() == .libraryVolumeOffline)
            let returns = AsyncStream.makeStream(of: Void.self)
            let watching = library.library.observeAvailability { if $0 == nil { returns.continuation.yield() } }
            library.library.setUnavailable(because: nil)
            var iterator = returns.stream.makeAsyncIterator()
            await iterator.next()
            watching.cancel()
            #expect(library.unavailabilityReason == nil)
            library.library.setUnavailable(because: PHPhotosError(.switchingSystemPhotoLibrary))
            #expect(await reasons.next() == .switchingSystemPhotoLibrary)
            library.unregisterAvailabilityObserver(observer)
            library.library.setUnavailable(because: PHPhotosError(.internalError))
            var others = other.reasons.stream.makeAsyncIterator()
            while await others.next() != .internalError {}
            observer.reasons.continuation.finish()
            #expect(await reasons.next() == nil)
        }

        @Test("an observer that goes away is forgotten, and takes itself off as it goes")
        func released() async throws {
            final class Leaving: PHPhotoLibraryChangeObserver, PHPhotoLibraryAvailabilityObserver {
                let library: PHPhotoLibrary
                init(_ library: PHPhotoLibrary) { self.library = library }
                deinit {
                    library.unregisterChangeObserver(self)
                    library.unregisterAvailabilityObserver(self)
                }
                func photoLibraryDidChange(_ changeInstance: PHChange) { Issue.record("a call of a released observer") }
                func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary) {}
            }
            let library = PHPhotoLibrary(PhotoLibrary())
            weak var observer: Leaving?
            do {
                let leaving = Leaving(library)
                library.register(leaving as any PHPhotoLibraryChangeObserver)
                library.register(leaving as any PHPhotoLibraryAvailabilityObserver)
                observer = leaving
            }
            #expect(observer == nil)
            var changes = library.library.changes.makeAsyncIterator()
            try await library.performChanges {
                _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "album")
            }
            #expect(await changes.next() != nil)
        }
    }
}
