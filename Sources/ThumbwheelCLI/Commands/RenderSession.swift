import Dispatch
import Foundation
import Thumbwheel
import ThumbwheelRedis
import ThumbwheelReplay

/// Renders a set of photographs through an image manager, round by round, and times each from submission to final image.
struct RenderSession {
    struct Result {
        var images: [RenderDocument.Image]
        var cost = TimedCost()
        /// Images rendered, over all rounds, and the megapixels of their files.
        var renderCount = 0
        var megapixels = 0.0
        /// Why the store on disk could not be read or written at the end; nil if it works, or there is none.
        var storeFailure: StoreError?
    }

    /// Files are held in memory before their clock starts, so many bytes at a time.
    private static let batchByteCount = 256 << 20

    let options: RenderCommand.Options
    let sharedStore: RedisStore?
    let assets: [Asset]
    let names: GivenPaths
    let progress: ProgressLine

    func run() async -> Result {
        // What was made for one file or round serves no other: nothing is kept.
        let manager = makeManager(workerCount: options.workers)
        let recorder = RenderRecorder(count: assets.count)
        var result = Result(images: [])
        for round in 1...options.rounds {
            for batch in batches {
                progress.show("rendering: round \(round) of \(options.rounds), \(batch.lowerBound) of \(assets.count)")
                let resources = batch.map { resource(of: assets[$0]) }
                result.cost.measure { render(batch, from: resources, by: manager, into: recorder) }
            }
        }
        // What is still to be written to a store is written before the process ends.
        await manager.shutdown()
        result.storeFailure = manager.storeStatistics?.failure
        for (asset, records) in zip(assets, recorder.records) {
            let image = RenderDocument.Image(file: names.text(of: asset), records: records)
            if image.error == nil {
                result.renderCount += records.count
                result.megapixels += Double(records.count * asset.pixelSize.pixelCount) / 1e6
            }
            result.images.append(image)
        }
        return result
    }

    /// The rendition alone, untimed; nil where there is none.
    ///
    /// - Parameter size: instead of the one that was asked for.
    func bitmap(of asset: Asset, by manager: ImageManager, size: PixelSize? = nil) async -> Bitmap? {
        var last: Bitmap?
        let images = manager.images(
            for: asset, targetSize: size ?? options.size, contentMode: options.content, options: requestOptions)
        do {
            for try await image in images { last = image.bitmap }
            return last
        } catch {
            return nil
        }
    }

    /// The renditions as JPEG files no larger than a contact sheet shows them, untimed, by the assets' indexes.
    func smallFiles(limit: Int) async -> [Int: Data] {
        let manager = makeManager(workerCount: options.workers)
        let shrink = min(1, 256 / Double(max(options.size.width, options.size.height)))
        let size = PixelSize(
            width: max(1, Int((Double(options.size.width) * shrink).rounded())),
            height: max(1, Int((Double(options.size.height) * shrink).rounded())))
        var files: [Int: Data] = [:]
        for (index, asset) in assets.enumerated().prefix(limit) {
            progress.show("contact sheet: \(index) of \(assets.count)")
            let bitmap = await bitmap(of: asset, by: manager, size: size)
            files[index] = (try? bitmap?.encoded(as: .jpeg(quality: 80))).map { Data($0) }
        }
        return files
    }

    func makeManager(workerCount: Int) -> ImageManager {
        ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = workerCount
                $0.usesEmbeddedPreviews = options.usesPreviews
                $0.makesThumbHashes = options.makesHashes
                $0.keepsRenditions = false
                $0.isolate(options.isolation)
                $0.store = options.store.map {
                    ImageManager.Configuration.Store(folder: $0, byteLimit: options.storeBytes)
                }
                $0.sharedStore = sharedStore
                // An image that is there is taken from there, however busy the machine is.
                $0.asksSlowStores = sharedStore != nil || options.store != nil
                $0.executor = .inline
            }, recordsRenders: false)
    }

    private var requestOptions: ImageRequestOptions {
        ImageRequestOptions {
            $0.deliveryMode = options.delivery
            $0.resizeMode = options.resize
            $0.normalizedCropRect = options.crop
            $0.sampling = options.sampling
            $0.isLinear = options.isLinear
        }
    }

    private var batches: [Range<Int>] {
        var batches: [Range<Int>] = []
        var start = 0
        var byteCount = 0
        for (index, asset) in assets.enumerated() {
            if index > start, byteCount + asset.fileSize > Self.batchByteCount {
                batches.append(start..<index)
                start = index
                byteCount = 0
            }
            byteCount += asset.fileSize
        }
        return start < assets.count ? batches + [start..<assets.count] : batches
    }

    /// The file's bytes in memory; the file itself where reading it is to be timed, or fails, and of a video, of which
    /// only a part is read.
    private func resource(of asset: Asset) -> AssetResource {
        guard !options.isCold, !options.keepsImages, !asset.isVideo, let bytes = try? asset.resource.open().bytes()
        else {
            return asset.resource
        }
        return .bytes(bytes)
    }

    /// Has at most as many requests in flight as there are workers.
    private func render(
        _ batch: Range<Int>, from resources: [AssetResource], by manager: ImageManager, into recorder: RenderRecorder
    ) {
        let places = DispatchSemaphore(value: 0)
        var free = options.workers
        for (index, resource) in zip(batch, resources) {
            if free > 0 { free -= 1 } else { places.wait() }
            let start = MonotonicTime.now
            recorder.begin(index)
            let asset: Asset
            do throws(HeadError) {
                // The head is read anew: parsing is a part of the time.
                asset =
                    options.keepsImages
                    ? assets[index]
                    : try Asset(
                        reading: resource, identifier: assets[index].identifier,
                        originalFilename: assets[index].originalFilename)
            } catch {
                recorder.fail(index, with: .rendering(RenderError(error)))
                places.signal()
                continue
            }
            manager.requestImage(
                for: asset, targetSize: options.size, contentMode: options.content, options: requestOptions
            ) { result in
                recorder.record(result, of: index, milliseconds: MonotonicTime.now.milliseconds(since: start))
                if result.isTerminal { places.signal() }
            }
        }
        for _ in free..<options.workers { places.wait() }
    }
}
