/// Several lanes that decode parts of a deflate block at the same time, on one thread.
///
/// The begin of a symbol is only known once the symbol before it has been decoded, so a lone decoder mostly waits for its
/// tables. The waits of several decoders overlap. All but the first begin at any bit, some symbols before their part:
/// whatever bit a decoder of a prefix code begins at, it soon falls in step with the true symbols. The lane before shows
/// whether it has: if that lane does not stop exactly where the next one's part begins, the next lanes' work is dropped.
final class InflateLanes {
    private static let most = 4
    /// The largest part of a lane in bits.
    private static let partBitCount = 8 * 6144
    /// The smallest part for which several lanes are worthwhile.
    private static let leastPartBitCount = 8 * 512
    /// The number of bits that a lane decodes before its part. With half of it, one lane of twenty has not fallen in step
    /// in photographs with noise, with this number one of a hundred.
    private static let leadBitCount = 1024
    /// The number of bits at the end of the data that are decoded one symbol at a time, because a lane reads beyond its end.
    private static let marginBitCount = 512
    /// The number of bits that are tried at once where the size of a block cannot be guessed.
    private static let unknownBitCount = most * partBitCount / 2
    private static let literalCapacity = partBitCount + InflateLane.margin
    private static let matchCapacity = 4096

    private let lanes = UnsafeMutablePointer<InflateLane>.allocate(capacity: most)
    private let literals = UnsafeMutablePointer<UInt8>.allocate(capacity: most * literalCapacity)
    private let matches = UnsafeMutablePointer<InflateMatch>.allocate(capacity: most * matchCapacity)
    /// The number of lanes, from the first on, whose symbols are valid.
    private(set) var count = 0

    deinit {
        lanes.deallocate()
        literals.deallocate()
        matches.deallocate()
    }

    /// The literals of a lane.
    func literals(ofLane lane: Int) -> UnsafePointer<UInt8> {
        precondition(lane >= 0 && lane < Self.most)
        return UnsafePointer(literals + lane * Self.literalCapacity)
    }

    func literalCount(ofLane lane: Int) -> Int {
        precondition(lane >= 0 && lane < count)
        return lanes[lane].literalsEnd - literals(ofLane: lane)
    }

    /// The matches of a lane, up to the literals behind the last one.
    func matches(ofLane lane: Int) -> UnsafeBufferPointer<InflateMatch> {
        precondition(lane >= 0 && lane < count)
        let start = UnsafePointer(matches + lane * Self.matchCapacity)
        return UnsafeBufferPointer(start: start, count: lanes[lane].matchesEnd - start)
    }

    /// Decodes the next symbols of a block.
    ///
    /// - Parameters:
    ///   - bits: the data, from the first symbol on. Symbols of which only some bits are there are left.
    ///   - expected: the number of bits that the block will probably have from there on; 0 if nothing is known.
    /// - Returns: the index of the first bit that was not decoded, and how the last lane ended.
    func decode(
        _ bits: InflateBits, expected: Int, _ codes: InflateCodes
    ) -> (position: Int, state: InflateLane.State) {
        let (start, left) = (bits.position, bits.left - Self.marginBitCount)
        guard left > 0 else { return decodeCarefully(bits, codes) }
        // A block of the usual size is decoded in one turn, and a larger one in turns of equal sizes.
        let wanted =
            expected > Self.most * Self.leastPartBitCount ? expected + expected / 64 + 128 : Self.unknownBitCount
        let turnCount = (wanted + Self.most * Self.partBitCount - 1) / (Self.most * Self.partBitCount)
        let part = min(left, wanted / turnCount) / Self.most
        guard part >= Self.leastPartBitCount else {
            open(0, from: start, to: start + min(left, Self.partBitCount))
            Self.run(lanes, bits.bytes, codes)
            return join([start], bits.bytes, codes)
        }
        let starts = [start] + Self.starts(of: part, from: start, lead: Self.leadBitCount, bits.bytes, codes)
        for lane in 0..<Self.most {
            open(lane, from: starts[lane], to: lane + 1 < Self.most ? starts[lane + 1] : start + Self.most * part)
        }
        run(bits.bytes, codes)
        return join(starts, bits.bytes, codes)
    }

    private func open(_ lane: Int, from position: Int, to end: Int) {
        (lanes + lane).initialize(
            to: InflateLane(
                from: position, to: end, literals: literals + lane * Self.literalCapacity,
                matches: UnsafeMutableBufferPointer(
                    start: matches + lane * Self.matchCapacity, count: Self.matchCapacity)))
    }

    /// Lets all lanes take steps, as many lanes at a time as have not arrived.
    private func run(_ bytes: UnsafeRawPointer, _ codes: InflateCodes) {
        var running = (0..<Self.most).map { lanes + $0 }
        while !running.isEmpty {
            switch running.count {
            case 4: Self.run(running[0], running[1], running[2], running[3], bytes, codes)
            case 3: Self.run(running[0], running[1], running[2], bytes, codes)
            case 2: Self.run(running[0], running[1], bytes, codes)
            default: Self.run(running[0], bytes, codes)
            }
            // Lanes behind the block's end have nothing to decode.
            if let last = running.firstIndex(where: { $0.pointee.state != .running }) {
                running.removeSubrange((last + 1)...)
            }
            running.removeAll { !$0.pointee.canStep }
        }
    }

    /// Lets the lanes take the last symbols before their ends, and counts the lanes that continue one another.
    private func join(
        _ starts: [Int], _ bytes: UnsafeRawPointer, _ codes: InflateCodes
    ) -> (position: Int, state: InflateLane.State) {
        count = 0
        while true {
            let lane = lanes + count
            while lane.pointee.canTake { lane.pointee.take(bytes, codes.symbols, codes.distances) }
            lane.pointee.finish()
            count += 1
            let (position, state) = (lane.pointee.position, lane.pointee.state)
            guard state == .running, count < starts.count, position == starts[count] else { return (position, state) }
        }
    }

    /// Decodes up to the end of the data with one lane, symbol by symbol.
    private func decodeCarefully(
        _ bits: InflateBits, _ codes: InflateCodes
    ) -> (position: Int, state: InflateLane.State) {
        let end = bits.position + bits.left
        open(0, from: bits.position, to: end)
        while lanes.pointee.canTake {
            let before = lanes.pointee
            lanes.pointee.take(bits.bytes, codes.symbols, codes.distances)
            // The bytes behind the end may have looked like any symbols.
            let isKnown = lanes.pointee.state != .damaged || end - before.position >= 48
            guard lanes.pointee.position <= end, isKnown else {
                lanes.pointee = before
                break
            }
        }
        lanes.pointee.finish()
        count = 1
        return (lanes.pointee.position, lanes.pointee.state)
    }
}
