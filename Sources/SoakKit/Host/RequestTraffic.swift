import Dispatch
import Foundation
import Thumbwheel

/// Makes requests and says of each what may come of it.
struct RequestTraffic {
    let ledger: ResultLedger
    let gate: SoakGate
    private let queue = DispatchQueue(label: "soak.handlers")

    init(_ ledger: ResultLedger, _ gate: SoakGate) {
        self.ledger = ledger
        self.gate = gate
    }

    /// - Parameter kept: the asset as the user has it, and what it was then.
    func submit(_ shape: RequestShape, _ kept: SoakUser.KeptAsset, by user: SoakUser, on place: SoakManager) {
        let item = kept.item
        let source = shape.version == .current ? item.current : item.original
        var ends: ResultLedger.Ends = []
        if source.isRemote, !shape.isNetworkAllowed { ends.insert(.networkRequired) }
        if shape.milliseconds != nil { ends.insert(.deadline) }
        if place.isNarrow { ends.insert(.overloaded) }
        if source.mayFail { ends.insert(.badBytes) }
        let ticket = ledger.begin(
            ResultLedger.Entry(
                "asset \(item.number) by user \(user.number) of manager \(place.number), \(source.behavior), \(shape)",
                pictures: source.possiblePictures, part: shape.part,
                mayBePartial: source.behavior == .truncated || source.behavior == .garbled, manager: place.number,
                ends: ends))
        let options = options(shape, user, ticket)
        let side = PixelSize(width: shape.side, height: shape.side)
        let (manager, asset) = (place.manager, kept.asset)
        let mode: ContentMode = shape.isFilled ? .aspectFill : .aspectFit
        switch shape.form {
        case .image:
            let handler = handler(shape, ticket, manager, asset, ends)
            let id = user.caching.requestImage(
                for: asset, targetSize: side, contentMode: mode, options: options, resultHandler: handler)
            user.keep(id, ticket)
        case .data:
            let id = manager.requestImageData(
                for: asset, targetSize: side, contentMode: mode, encoding: .jpeg(quality: 90), options: options
            ) { [ledger] in ledger.note(ticket, $0, Self.isDecoded) }
            user.keep(id, ticket)
        case .original:
            let id = manager.requestImageDataAndOrientation(for: asset, options: options) { [ledger] in
                ledger.note(ticket, $0, Self.isOriginal)
            }
            user.keep(id, ticket)
        case .synchronous:
            // The request has no token then, and waits for its bytes.
            Thread.detachNewThread { [ledger] in
                ledger.note(
                    ticket,
                    manager.requestImageSynchronously(
                        for: asset, targetSize: side, contentMode: mode, options: options))
            }
        case .awaited:
            user.keep(
                Task { [ledger] in await Self.await(manager, asset, side, mode, options, ledger, ticket) }, ticket)
        case .stream:
            let leavesEarly = shape.isNested
            user.keep(
                Task { [ledger] in
                    await Self.stream(manager, asset, side, mode, options, ledger, ticket, leavesEarly)
                }, ticket)
        }
    }

    private func options(_ shape: RequestShape, _ user: SoakUser, _ ticket: Int) -> ImageRequestOptions {
        var options = ImageRequestOptions {
            $0.deliveryMode = shape.mode
            $0.resizeMode = shape.part == .upperHalf ? .exact : .fast
            $0.normalizedCropRect = shape.part == .upperHalf ? NormalizedRect(x: 0, y: 0, width: 1, height: 0.5) : nil
            $0.priority = shape.priority
            $0.urgency = Double(ticket % 7)
            $0.deadline = shape.milliseconds.map { .milliseconds($0) }
            $0.allowsImmediateDelivery = shape.isImmediate
            $0.version = shape.version
            $0.isNetworkAccessAllowed = shape.isNetworkAllowed
        }
        options.cancellationToken = shape.hasToken ? user.pageToken : user.connectionToken
        if shape.blocks {
            options.executor = .concurrent
            options.allowsImmediateDelivery = false
        } else {
            let executors: [DeliveryExecutor?] = [nil, .inline, .concurrent, .queue(queue)]
            options.executor = executors[ticket % executors.count]
        }
        return options
    }

    private func handler(
        _ shape: RequestShape, _ ticket: Int, _ manager: ImageManager, _ asset: Asset, _ ends: ResultLedger.Ends
    ) -> @Sendable (ImageResult) -> Void {
        { [ledger, gate, weak manager] result in
            if shape.blocks { gate.block() }
            if shape.isNested, result.isTerminal, let manager, let nested = ledger.begin(like: ticket) {
                manager.requestImage(
                    for: asset, targetSize: PixelSize(width: 40, height: 40),
                    options: Self.nestedOptions(like: shape)
                ) { ledger.note(nested, $0) }
            }
            ledger.note(ticket, result)
        }
    }

    private static func nestedOptions(like shape: RequestShape) -> ImageRequestOptions {
        ImageRequestOptions {
            $0.resizeMode = shape.part == .upperHalf ? .exact : .fast
            $0.normalizedCropRect = shape.part == .upperHalf ? NormalizedRect(x: 0, y: 0, width: 1, height: 0.5) : nil
            $0.version = shape.version
            $0.isNetworkAccessAllowed = shape.isNetworkAllowed
        }
    }
}

extension RequestTraffic {
    private static func await(
        _ manager: ImageManager, _ asset: Asset, _ side: PixelSize, _ mode: ContentMode,
        _ options: ImageRequestOptions, _ ledger: ResultLedger, _ ticket: Int
    ) async {
        do throws(ImageRequestError) {
            let image = try await manager.image(for: asset, targetSize: side, contentMode: mode, options: options)
            ledger.note(ticket, image: image, isPartial: false, isLast: true)
        } catch {
            ledger.note(ticket, failedWith: error)
        }
    }

    private static func stream(
        _ manager: ImageManager, _ asset: Asset, _ side: PixelSize, _ mode: ContentMode,
        _ options: ImageRequestOptions, _ ledger: ResultLedger, _ ticket: Int, _ leavesEarly: Bool
    ) async {
        do {
            var last: DeliveredImage?
            for try await image in manager.images(for: asset, targetSize: side, contentMode: mode, options: options) {
                if let last { ledger.note(ticket, image: last.bitmap, isPartial: last.info.isPartial, isLast: false) }
                last = image
                if leavesEarly { break }
            }
            if let last {
                ledger.note(ticket, image: last.bitmap, isPartial: last.info.isPartial, isLast: true)
            } else {
                // A stream of a task that was cancelled ends without an error.
                ledger.note(ticket, failedWith: .cancelled)
            }
        } catch {
            ledger.note(ticket, failedWith: error as? ImageRequestError ?? .invalidRequest(reason: "\(error)"))
        }
    }

    /// Whether bytes are those of a file with the right picture.
    private static func isDecoded(_ entry: ResultLedger.Entry, _ bytes: [UInt8]) -> Bool {
        let options = RenderOptions(targetSize: .maximum)
        guard let image = try? Renderer().render(MemoryByteSource(bytes), options: options) else { return false }
        return entry.pictures.contains { $0.isShown(by: image.bitmap, entry.part) }
    }

    /// Whether bytes are a picture's own.
    private static func isOriginal(_ entry: ResultLedger.Entry, _ bytes: [UInt8]) -> Bool {
        entry.pictures.contains { (try? $0.encoded()) == bytes }
    }
}

extension ResultLedger {
    fileprivate func note(
        _ ticket: Int, _ result: ImageDataResult, _ isRight: (Entry, [UInt8]) -> Bool
    ) {
        switch result {
        case .final(let data, _): note(ticket, data: data.bytes, isRight: isRight)
        case .failed(let error, _): note(ticket, failedWith: error)
        case .cancelled: note(ticket, failedWith: .cancelled)
        }
    }
}
