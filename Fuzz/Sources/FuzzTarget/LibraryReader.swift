import Dispatch
import Foundation
import Thumbwheel

/// Loads what may be a library's file, and uses what has been loaded as a gallery would.
enum LibraryReader {
    private static let path = NSTemporaryDirectory() + "thumbwheel-fuzz-\(ProcessInfo.processInfo.processIdentifier)"

    /// libFuzzer calls on one thread, which waits here for what is asynchronous.
    private static func wait(_ body: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await body()
            done.signal()
        }
        done.wait()
    }

    static func read(_ bytes: [UInt8]) {
        let path = path
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return }
        wait {
            if let library = try? await PhotoLibrary(loading: path) {
                use(library)
                // What was loaded can be saved and loaded again.
                do {
                    try await library.save(to: path)
                    _ = try await PhotoLibrary(loading: path)
                } catch {
                    preconditionFailure("a library that was loaded cannot be saved and loaded again: \(error)")
                }
            }
            if let (library, _) = try? await PhotoLibrary.recover(from: path) { use(library) }
            for name in [path, path + ".previous"] { try? FileManager.default.removeItem(atPath: name) }
        }
    }

    private static func use(_ library: PhotoLibrary) {
        let everything = FetchOptions(includeHiddenAssets: true, includeAllBurstAssets: true)
        for asset in library.fetchAssets(with: everything).prefix(20) {
            for target in [PixelSize(width: 64, height: 64), .maximum] {
                let options = RenderOptions(targetSize: target)
                guard let plan = try? RenderPlan(head: asset.head, options: options) else { continue }
                _ = plan.decoder
            }
            _ = (asset.playbackStyle, asset.isRAW, asset.adjustmentData, asset.head.previews.map(\.byteCount))
        }
        for type in [AssetCollection.CollectionType.album, .smartAlbum] {
            for album in library.fetchAssetCollections(with: type) {
                _ = library.fetchAssets(in: album).count
                _ = library.fetchCollectionListsContaining(album).count
            }
        }
        for folder in library.fetchCollectionLists() { _ = library.fetchCollections(in: folder).count }
        _ = library.fetchMoments(in: .gmt).count
        _ = try? library.fetchPersistentChanges(since: library.currentChangeToken)
    }

    /// Libraries to begin with: one of nothing, and one with something of all that is saved.
    static func writeSeeds(to folder: String) {
        wait {
            do {
                try await PhotoLibrary().save(to: folder + "/empty.library")
                try await sample().save(to: folder + "/sample.library")
            } catch {
                print("there are no libraries to begin with: \(error)")
            }
        }
    }

    private static func sample() async throws -> PhotoLibrary {
        let library = PhotoLibrary()
        let assets = (0..<8).map { number in
            var head = ImageHead(
                contentType: .jpeg, storedSize: PixelSize(width: 96, height: 64),
                captureDate: CaptureDate(year: 2020, month: 5, day: 1 + number, hour: 3, minute: 4, second: 5))
            head.previews = (0..<number % 4).map {
                EmbeddedPreview(byteRange: 100 * $0..<100 * $0 + 90, contentType: .jpeg)
            }
            return Asset(
                identifier: AssetIdentifier(high: 1, low: UInt64(number)), head: head,
                resource: number == 0 ? .bytes([1, 2, 3]) : .file(path: "/photos/\(number).jpg"), fileSize: 1000,
                originalFilename: "\(number).jpg", creationDate: Date(timeIntervalSinceReferenceDate: Double(number)),
                location: Location(latitude: 1, longitude: Double(number)))
        }
        await library.add(assets)
        try await library.performChanges { changes in
            let folder = try changes.createFolder(title: "folder")
            let album = try changes.createAlbum(title: "album", in: folder)
            try changes.addAssets(assets, to: album)
            try changes.deleteAssets([assets[2]])
        }
        return library
    }
}
