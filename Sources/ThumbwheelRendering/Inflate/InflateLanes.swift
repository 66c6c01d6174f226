/// Several decoders, called lanes, that decode parts of a deflate block at the same time, on one thread.
///
/// The first bit of a symbol is known only after the symbol before it has been decoded. So a single decoder spends most
/// of its time waiting for look-ups in its tables. While one lane waits for a look-up, the other lanes make progress.
///
/// A part begins at an arbitrary bit, which need not be the first bit of a symbol. But a decoder of a prefix code may
/// start at any bit, and after some wrong symbols it finds the true ones. So the first symbol of a part is searched for
/// by decoding from a bit somewhat before the part. A lane begins with the symbol that was found. This symbol is right
/// if the lane before ends exactly where it begins. If it is wrong, the symbols of its lane and of all later lanes are
/// dropped.
final class InflateLanes {
    private static let laneCount = 4
    /// The most bits in a lane's part. A part is the section of the compressed data that one lane decodes in one call
    /// of `decode`.
    private static let partBitCount = 8 * 6144
    /// With parts of fewer bits than this, a single lane is faster than several.
    private static let minimumPartBitCount = 8 * 512
    /// The search for a part's first symbol begins this many bits before the part. In noisy photographs, the search
    /// still misses the first symbol of one part in a hundred. With half as many bits, it would miss that of one part
    /// in twenty.
    private static let leadBitCount = 1024
    /// The number of bits at the end of the data that are decoded one symbol at a time, each with a check that it is
    /// complete. A symbol that begins before these bits needs no check, because it ends within the data.
    private static let marginBitCount = 512
    /// The number of bits that one call of `decode` divides among the lanes if there is no estimate of the bits that
    /// are left in the block. A very small estimate, for which one lane would be faster than several, is ignored. It
    /// comes from the size of the block before, and this block may be much larger.
    private static let unknownBitCount = laneCount * partBitCount / 2
    private static let literalCapacity = partBitCount + InflateLane.margin
    private static let matchCapacity = 4096

    private let lanes = UnsafeMutablePointer<InflateLane>.allocate(capacity: laneCount)
    private let literals = UnsafeMutablePointer<UInt8>.allocate(capacity: laneCount * literalCapacity)
    private let matches = UnsafeMutablePointer<InflateMatch>.allocate(capacity: laneCount * matchCapacity)
    /// The number of lanes, from the first one on, whose symbols are valid after a call of `decode`.
    private(set) var count = 0

    deinit {
        lanes.deallocate()
        literals.deallocate()
        matches.deallocate()
    }

    /// The literal bytes that a lane has decoded.
    func literals(ofLane lane: Int) -> UnsafePointer<UInt8> {
        precondition(lane >= 0 && lane < Self.laneCount)
        return UnsafePointer(literals + lane * Self.literalCapacity)
    }

    func literalCount(ofLane lane: Int) -> Int {
        precondition(lane >= 0 && lane < count)
        return lanes[lane].literalsEnd - literals(ofLane: lane)
    }

    /// The matches that a lane has decoded, each with the number of literals before it. The last entry is not a match
    /// and has the length 0. It holds the number of literals after the last match.
    func matches(ofLane lane: Int) -> UnsafeBufferPointer<InflateMatch> {
        precondition(lane >= 0 && lane < count)
        let start = UnsafePointer(matches + lane * Self.matchCapacity)
        return UnsafeBufferPointer(start: start, count: lanes[lane].matchesEnd - start)
    }

    /// Decodes the next symbols of a block.
    ///
    /// - Parameters:
    ///   - bits: the data, from the first bit of a symbol on. A symbol whose last bits are missing is not decoded.
    ///   - expected: an estimate of the number of bits that are left in the block; 0 if there is no estimate.
    /// - Returns: the index of the first bit that was not decoded, and the state of the last lane that counts. A lane
    ///   counts if it and all lanes before it began at the first bit of a symbol. The symbols of all other lanes are
    ///   dropped.
    func decode(
        _ bits: InflateBits, expected: Int, _ codes: InflateCodes
    ) -> (position: Int, state: InflateLane.State) {
        let (start, left) = (bits.position, bits.left - Self.marginBitCount)
        guard left > 0 else { return decodeCarefully(bits, codes) }
        // Divides a large block into equal shares, one for each call of this function. In one call, each lane decodes
        // at most `partBitCount` bits. A smaller block takes one call.
        let wanted =
            expected > Self.laneCount * Self.minimumPartBitCount ? expected + expected / 64 + 128 : Self.unknownBitCount
        let callCount = (wanted + Self.laneCount * Self.partBitCount - 1) / (Self.laneCount * Self.partBitCount)
        let part = min(left, wanted / callCount) / Self.laneCount
        guard part >= Self.minimumPartBitCount else {
            open(0, from: start, to: start + min(left, Self.partBitCount))
            Self.run(lanes, bits.bytes, codes)
            return join([start], bits.bytes, codes)
        }
        let starts = [start] + Self.starts(of: part, from: start, lead: Self.leadBitCount, bits.bytes, codes)
        for lane in 0..<Self.laneCount {
            open(
                lane, from: starts[lane],
                to: lane + 1 < Self.laneCount ? starts[lane + 1] : start + Self.laneCount * part)
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

    /// Decodes with all lanes, which make their steps one after the other. A lane that comes close to its end drops
    /// out, and the other lanes continue.
    private func run(_ bytes: UnsafeRawPointer, _ codes: InflateCodes) {
        var running = (0..<Self.laneCount).map { lanes + $0 }
        while !running.isEmpty {
            switch running.count {
            case 4: Self.run(running[0], running[1], running[2], running[3], bytes, codes)
            case 3: Self.run(running[0], running[1], running[2], bytes, codes)
            case 2: Self.run(running[0], running[1], bytes, codes)
            default: Self.run(running[0], bytes, codes)
            }
            // If a lane has found the end of the block, or damage, the lanes after it are not needed.
            if let last = running.firstIndex(where: { $0.pointee.state != .running }) {
                running.removeSubrange((last + 1)...)
            }
            running.removeAll { !$0.pointee.canStep }
        }
    }

    /// Lets each lane decode the last symbols of its part, and counts the lanes whose symbols are used. Each lane
    /// except the first began at a guessed bit. The guess was right if the lane before ends exactly at this bit. The
    /// count ends before the first lane whose guess was wrong.
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

    /// Decodes the last symbols of the data with one lane, one symbol at a time. A symbol whose last bits are missing
    /// is not decoded.
    private func decodeCarefully(
        _ bits: InflateBits, _ codes: InflateCodes
    ) -> (position: Int, state: InflateLane.State) {
        let end = bits.position + bits.left
        open(0, from: bits.position, to: end)
        while lanes.pointee.canTake {
            let before = lanes.pointee
            lanes.pointee.take(bits.bytes, codes.symbols, codes.distances)
            // Undoes the symbol in two cases. A symbol that reaches beyond the end of the data is decoded again when
            // more data have come. An invalid code in the last 48 bits is decoded again too, because the missing bits
            // may make it valid.
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
