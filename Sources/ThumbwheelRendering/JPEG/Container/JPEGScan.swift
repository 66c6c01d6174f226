/// The contents of a scan header (ITU-T T.81, B.2.3).
struct JPEGScan {
    struct Component {
        let index: Int
        let dcSlot: Int
        let acSlot: Int
    }

    let components: [Component]
    let spectralStart: Int
    let spectralEnd: Int
    let highBit: Int
    let lowBit: Int

    init(contents: [UInt8], frame: JPEGFrame) throws(RenderError) {
        let count = Int(contents.first ?? 0)
        guard (1...4).contains(count), contents.count == 4 + 2 * count else {
            throw .malformed(reason: "a scan header of \(contents.count) bytes")
        }
        var components: [Component] = []
        for place in 0..<count {
            guard let index = frame.components.firstIndex(where: { $0.identifier == contents[1 + 2 * place] }),
                !components.contains(where: { $0.index == index })
            else { throw .malformed(reason: "a scan of a component that the frame does not have") }
            let slots = contents[2 + 2 * place]
            guard slots >> 4 < 4, slots & 15 < 4 else { throw .malformed(reason: "a Huffman table beyond the fourth") }
            components.append(Component(index: index, dcSlot: Int(slots >> 4), acSlot: Int(slots & 15)))
        }
        let blocks = components.reduce(0) {
            $0 + frame.components[$1.index].horizontal * frame.components[$1.index].vertical
        }
        guard count == 1 || blocks <= 10 else { throw .malformed(reason: "a unit of \(blocks) blocks") }
        self.components = components
        spectralStart = frame.isProgressive ? Int(contents[count * 2 + 1]) : 0
        spectralEnd = frame.isProgressive ? Int(contents[count * 2 + 2]) : 63
        highBit = frame.isProgressive ? Int(contents[count * 2 + 3] >> 4) : 0
        lowBit = frame.isProgressive ? Int(contents[count * 2 + 3] & 15) : 0
    }
}
