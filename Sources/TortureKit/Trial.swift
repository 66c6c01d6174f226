import Thumbwheel

/// One damaged file through every entry point. Whatever it ends as, an image or a typed error, is well; that it ends, and
/// soon, is what is tried.
package struct Trial: Sendable {
    /// What the trials came to.
    package struct Outcome: Sendable {
        package var heads = 0
        /// The most memory that one call took, beside the file and its result.
        package var workingByteCount = 0
        /// How much more that was than predicted, at worst.
        package var unpredictedByteCount = Int.min
        package var images = 0
        package var errors: [String: Int] = [:]
        /// Broken promises, in words.
        package var faults: [String] = []

        package mutating func add(_ other: Outcome) {
            heads += other.heads
            workingByteCount = max(workingByteCount, other.workingByteCount)
            unpredictedByteCount = max(unpredictedByteCount, other.unpredictedByteCount)
            images += other.images
            errors.merge(other.errors, uniquingKeysWith: +)
            faults += other.faults
        }
    }

    /// No file needs more; those that declare more are refused by their heads.
    package static let limits = RenderLimits(pixelCount: 40_000_000, byteCount: 64 << 20, duration: .seconds(5))

    /// Bytes that a call may hold at once, beside the file and its result.
    package static let memoryLimit = 256 << 20

    /// Every delivery mode's options, each resize mode, a crop, linear light, pixels in linear light, no limit to the
    /// size.
    private static let options: [RenderOptions] = {
        let side = PixelSize(width: 96, height: 96)
        let crop = NormalizedRect(x: 0.3, y: 0.1, width: 0.5, height: 0.7)
        return [
            RenderOptions(targetSize: side, quality: .high),
            RenderOptions(targetSize: side, quality: .fast) { $0.usesEmbeddedPreviews = false },
            RenderOptions(targetSize: side, contentMode: .aspectFit, resizeMode: .fast, quality: .fast),
            RenderOptions(targetSize: PixelSize(width: 640, height: 480), resizeMode: .none, quality: .fast),
            RenderOptions(targetSize: side, contentMode: .aspectFit, quality: .high, normalizedCropRect: crop) {
                $0.sampling = .best
                $0.isLinear = true
            },
            RenderOptions(targetSize: PixelSize(width: 20, height: 700), quality: .fast, normalizedCropRect: crop) {
                $0.allowsUpscaling = true
            },
            RenderOptions(targetSize: side, contentMode: .aspectFit, quality: .fast) { $0.pixelRange = .extended },
        ]
    }()

    private let bytes: [UInt8]
    /// Whether the largest rendering is asked for as well, which costs the most.
    private let rendersWhole: Bool
    /// What the process holds without this trial; nil where memory is not watched.
    private let idleByteCount: Int?
    private let isolation: RenderIsolation?

    package init(
        _ bytes: [UInt8], rendersWhole: Bool = false, idleByteCount: Int? = nil, isolation: RenderIsolation? = nil
    ) {
        self.isolation = isolation
        self.bytes = bytes
        self.rendersWhole = rendersWhole
        self.idleByteCount = idleByteCount
    }

    package func run() -> Outcome {
        var outcome = Outcome()
        let asset: Asset
        do throws(HeadError) {
            asset = try Asset(
                reading: .bytes(bytes), identifier: AssetIdentifier(high: 0, low: 1), originalFilename: "trial")
        } catch {
            outcome.errors[RenderError(error).code, default: 0] += 1
            return outcome
        }
        outcome.heads += 1
        let renderer = Renderer(assistants: nil, isolation: isolation)
        var requests = Self.options
        if rendersWhole { requests.append(RenderOptions(targetSize: .maximum, quality: .fast)) }
        for request in requests {
            let cost = try? RenderCost(head: asset.head, options: request, byteCount: bytes.count)
            _ = try? RenderPlan(head: asset.head, options: request)
            attempt(request, predicting: cost, into: &outcome) { source, options throws(RenderError) in
                try renderer.render(source, head: asset.head, options: options, limits: Self.limits)
            }
        }
        attempt(requests[0], predicting: nil, into: &outcome) { source, options throws(RenderError) in
            try renderer.renderPreview(source, head: asset.head, options: options, limits: Self.limits)
        }
        return outcome
    }

    private func attempt(
        _ options: RenderOptions, predicting cost: RenderCost?, into outcome: inout Outcome,
        _ render: (MemoryByteSource, RenderOptions) throws(RenderError) -> RenderedImage
    ) {
        if idleByteCount != nil { PeakMemory.reset() }
        var resultByteCount = 0
        defer { noteMemory(beside: resultByteCount, predicting: cost, into: &outcome) }
        do throws(RenderError) {
            let image = try render(MemoryByteSource(bytes), options)
            resultByteCount = image.bitmap.byteCount
            outcome.images += 1
            if options.quality == .high, image.isPartial { outcome.faults.append("a partial image at high quality") }
            if image.bitmap.size.pixelCount > Self.limits.pixelCount {
                outcome.faults.append("an image beyond the limit")
            }
        } catch {
            outcome.errors[error.code, default: 0] += 1
        }
    }

    private func noteMemory(beside resultByteCount: Int, predicting cost: RenderCost?, into outcome: inout Outcome) {
        guard let idleByteCount, let peak = PeakMemory.byteCount else { return }
        let working = max(0, peak - idleByteCount - bytes.count - resultByteCount)
        outcome.workingByteCount = max(outcome.workingByteCount, working)
        if let cost {
            outcome.unpredictedByteCount = max(outcome.unpredictedByteCount, working - cost.workingByteCount)
        }
        if working > Self.memoryLimit { outcome.faults.append("held \(working >> 20) MiB") }
    }
}
