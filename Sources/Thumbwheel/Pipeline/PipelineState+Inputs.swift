import ThumbwheelCore
import ThumbwheelRendering

// MARK: Renditions made of cached ones

extension PipelineState {
    /// What a rendition would be made of now, in place of the photograph; nil where that has to be decoded.
    func input(for key: RenditionKey, _ work: RenderWork) -> RenderInput? {
        guard key.encoding == nil else { return pixelsToEncode(for: key) }
        return packedRendition(key) ?? betterRendition(than: key, work)
    }

    /// The cached pixels that a file only has to be encoded from; nil also for pixels of another's larger decode, which
    /// are not equal to the last bit to what the file's entity tag promises.
    private func pixelsToEncode(for key: RenditionKey) -> RenderInput? {
        guard let shared = cache.peek(key.unencoded), !shared.image.isOfLargerDecode else { return nil }
        return RenderInput(key.unencoded, shared)
    }

    /// The smallest cached rendition that another can be resampled from, where that is sooner than a decode.
    private func betterRendition(than key: RenditionKey, _ work: RenderWork) -> RenderInput? {
        guard let geometry = work.geometry, let renditions = cachedRenditions[key.subject.asset] else { return nil }
        var best: RenderInput?
        _ = renditions.smallest(of: geometry.leastPixelCount(headroom: key.resamplingHeadroom)) { candidate in
            // Of pixels that were resampled once before, something is lost each time.
            let image = candidate.shared.image
            guard candidate.key.isGoodEnough(for: key), let given = image.geometry, !image.isPartial, !image.isPacked,
                image.source != .cache, let box = geometry.box(in: given, headroom: key.resamplingHeadroom)
            else { return false }
            let input = RenderInput(candidate.key, candidate.shared, box: box)
            guard work.remoteByteCount != nil || input.predictedMilliseconds <= work.predictedMilliseconds else {
                return false
            }
            best = input
            return true
        }
        return best
    }

    /// A cached rendition that shows the same at the same size, though it was asked for in other words.
    mutating func samePicture(as key: RenditionKey, _ work: RenderWork) -> SharedImage? {
        guard key.encoding == nil, let geometry = work.geometry,
            let same = cachedRenditions[key.subject.asset]?.first(
                of: geometry.outputSize.pixelCount,
                where: { candidate in
                    let image = candidate.shared.image
                    return candidate.key.isGoodEnough(for: key) && !image.isPartial && !image.isPacked
                        && image.geometry?.isSamePicture(as: geometry) ?? false
                })
        else { return nil }
        return cache.value(forKey: same.key)
    }

    /// To be read soon counts as used.
    mutating func touch(_ input: RenderInput) {
        if input.isPacked { _ = packed.value(forKey: input.key) } else { _ = cache.value(forKey: input.key) }
    }

    /// From now on it stays where it is: its memory would not come back before the render is over.
    mutating func beginReading(_ input: RenderInput) {
        imagesBeingRead.append(input.shared)
    }

    mutating func endReading(_ input: RenderInput) {
        imagesBeingRead.remove(at: imagesBeingRead.firstIndex { $0 === input.shared }!)
    }

    func isAtHand(_ input: RenderInput) -> Bool {
        input.isPacked ? packed.contains(input.key) : cache.contains(input.key)
    }
}

extension RenditionKey {
    /// Whether this rendition is of the same pixels as `other`, has its quality, and is made the same way but for what it
    /// shows and how large.
    fileprivate func isGoodEnough(for other: RenditionKey) -> Bool {
        let hasQuality = kind == .high || kind == .fast
        return subject == other.subject && encoding == nil && hasQuality
            && (other.kind == kind || other.kind == .fast) && options.sampling == other.options.sampling
            && options.isLinear == other.options.isLinear
            && options.usesEmbeddedPreviews == other.options.usesEmbeddedPreviews
    }

    /// How many times the resolution of this rendition another must have for it to be resampled from that.
    fileprivate var resamplingHeadroom: Double {
        kind == .fast ? 1.5 : options.sampling == .best ? 3.5 : 2
    }
}

extension RenderInput {
    /// What resampling the box, or unpacking, is predicted to take.
    var predictedMilliseconds: Double {
        0.05 + (box.map { $0.width * $0.height } ?? Double(shared.image.pixelSize.pixelCount)) / 300_000
    }
}
