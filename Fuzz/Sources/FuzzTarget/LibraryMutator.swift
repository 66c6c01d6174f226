@_silgen_name("LLVMFuzzerMutate")
func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int) -> Int

/// libFuzzer asks here for another input, of whatever target. Those of libraries are changed block by block, with the
/// checksums mended: otherwise nearly all would be refused for these.
@_cdecl("LLVMFuzzerCustomMutator")
public func customMutator(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: UInt32) -> Int {
    guard FuzzedReader.shared == .library else { return mutate(bytes, count, limit) }
    let input = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    guard let changed = mutated(input, limit, seed), changed.count <= limit else { return mutate(bytes, count, limit) }
    _ = UnsafeMutableBufferPointer(start: bytes, count: limit).update(fromContentsOf: changed)
    return changed.count
}

private func mutated(_ input: [UInt8], _ limit: Int, _ seed: UInt32) -> [UInt8]? {
    guard var file = LibraryFile(input) else { return nil }
    var choice = Int(seed)
    func next(below bound: Int) -> Int {
        defer { choice /= max(1, bound) }
        return choice % max(1, bound)
    }
    switch next(below: 16) {
    case 0:
        // What the header and the table say.
        var bytes = resized(input, to: limit)
        bytes = Array(bytes.prefix(limit))
        LibraryFile.sealHeader(&bytes)
        return bytes
    case 1:
        // A block more, or one less.
        let index = next(below: file.blocks.count)
        if next(below: 2) == 0 { file.blocks.insert(file.blocks[index], at: index) } else { file.blocks.remove(at: index) }
        return file.blocks.count < 2 ? nil : file.bytes
    default:
        let index = next(below: file.blocks.count)
        let room = limit - input.count
        file.blocks[index] = resized(file.blocks[index], to: file.blocks[index].count + max(0, min(room, 4096)))
        return file.bytes
    }
}

private func resized(_ bytes: [UInt8], to limit: Int) -> [UInt8] {
    let room = max(1, limit)
    return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        _ = buffer.update(fromContentsOf: bytes.prefix(room))
        count = buffer.baseAddress.map { mutate($0, min(bytes.count, room), room) } ?? 0
    }
}
