import Thumbwheel
import ThumbwheelRedis

/// A service that sends thumbnails: README and the articles on deployment and errors.
enum ServiceSamples {
    struct Answer {
        var status: Int
        var tag: EntityTag?
        var body: [UInt8] = []
    }

    static func thumbnail(
        of asset: Asset, from manager: ImageManager, size: PixelSize, known: String?
    ) async throws -> Answer {
        // begin thumbnail
        let tag = manager.entityTag(for: asset, targetSize: size)
        if known == tag.description { return Answer(status: 304, tag: tag) }  // nothing is rendered
        let data = try await manager.imageData(
            for: asset, targetSize: size, encoding: .jpeg(quality: 85),
            options: ImageRequestOptions { $0.deadline = .milliseconds(300) })  // then .deadlineExceeded
        return Answer(status: 200, tag: data.entityTag, body: data.bytes)
        // end
    }

    static func manager() throws -> ImageManager {
        // begin service manager
        let manager = try ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = 4
                $0.memoryBudget = 512 << 20
                $0.limits = RenderLimits(pixelCount: 100_000_000)
                $0.queueLimits = QueueLimits(userInitiated: 500, overflow: .rejectsNewest)
                $0.servesNewestFirst = false
            })
        // end
        return manager
    }

    static func isolated() throws -> ImageManager {
        // begin isolation
        let manager = try ImageManager(
            configuration: ImageManager.Configuration {
                $0.isolation = .untrusted
                $0.decoderPath = "/usr/libexec/thumbwheel-decoder"  // by default beside the host's executable
            })
        if let decoders = manager.decoderStatistics { print(decoders.crashed, decoders.missingProtections.names) }
        // end
        return manager
    }

    static func status(of error: ImageRequestError) -> Int {
        // begin statuses
        switch error {
        case .invalidRequest: 400
        case .unsupportedMedia, .rendering(.unsupportedFormat): 415
        case .rendering(.truncated), .rendering(.malformed), .rendering(.limitExceeded): 422
        case .overloaded: 503
        case .deadlineExceeded, .network: 504
        case .cancelled: 499
        default: 500
        }
        // end
    }

    static func partial(_ asset: Asset, from manager: ImageManager, size: PixelSize) -> ImageRequestID {
        // begin partial
        manager.requestImage(for: asset, targetSize: size) { result in
            if case .final(_, let info) = result, info.isPartial { print("\(info.asset) is damaged") }
        }
        // end
    }

    static func library(_ manager: ImageManager, _ library: PhotoLibrary) -> ChangeObservation {
        // begin forget
        let observation = manager.forgetImages(asAssetsChangeIn: library)  // keep it as long as it is to last
        // end
        return observation
    }

    static func operate(_ manager: ImageManager) async {
        // begin operate
        print(manager.statistics.prometheusText)  // the answer to `/metrics`
        manager.setMemoryPressure(.moderate)  // the host's own signal, beside what the system says
        await manager.shutdown()  // live requests end, then nothing runs any more
        // end
    }

    static func events() throws -> PipelineEvents {
        // begin events
        let manager = try ImageManager(configuration: ImageManager.Configuration { $0.eventCapacity = 100_000 })
        let events = manager.takeEvents()  // the newest since the last call
        // end
        return events
    }

    static func store() async throws {
        // begin store
        let manager = try ImageManager(
            configuration: ImageManager.Configuration {
                $0.store = ImageManager.Configuration.Store(folder: "/var/cache/gallery", byteLimit: 20 << 30)
            })
        if let failure = manager.storeStatistics?.failure { print(failure) }  // the manager goes on without the store
        await manager.shutdown()  // writes what is still to be written
        // end
    }

    static func redis() async throws {
        // begin redis
        guard let url = RedisURL("redis://cache.internal:6379") else { return }
        let shared = RedisStore(RedisStore.Configuration(url: url))
        let manager = try ImageManager(
            configuration: ImageManager.Configuration {
                $0.store = ImageManager.Configuration.Store(folder: "/var/cache/gallery", byteLimit: 20 << 30)
                $0.sharedStore = shared
            })
        if let failure = manager.sharedStoreStatistics?.failure { print(failure) }  // the manager goes on without it
        await manager.shutdown()
        shared.close()
        // end
    }

    static func servers(_ asset: Asset) -> RendezvousHash.Server? {
        // begin servers
        let servers = RendezvousHash(names: ["10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.3:8080"])
        let owner = servers.owner(of: asset.localIdentifier)  // the same on every server
        // end
        return owner
    }

    static func vips() {
        // begin vips
        VipsRuntime.configure(VipsRuntime.Configuration { $0.blocksUntrustedLoaders = false })
        // end
    }
}
