extension JPEGScan {
    /// The band as a set: a bit for each coefficient of the zigzag order.
    var band: UInt64 { (UInt64.max >> UInt64(63 - spectralEnd)) & (UInt64.max << UInt64(spectralStart)) }

    /// Whether it brings the next bit of coefficients whose higher ones are known.
    var isRefinement: Bool { highBit > 0 }

    /// Whether its bands and bits are such as a progression may have (T.81, G.1.1.1.1); what order they come in is another
    /// matter, of which libjpeg only warns.
    var isLegal: Bool {
        let isBand = spectralStart == 0 ? spectralEnd == 0 : components.count == 1
        return isBand && spectralStart <= spectralEnd && spectralEnd < 64 && lowBit <= 13
            && (highBit == 0 || lowBit == highBit - 1)
    }
}

extension JPEGInput {
    /// Passes over entropy-coded data, to the marker that ends them.
    func skipEntropyCodedData(checking guardian: DecodeGuard) throws(RenderError) {
        while true {
            try guardian.check()
            let bytes = try available()
            if bytes.isEmpty { return }
            let offset = bytes.offsetOfMarker()
            position += offset
            if offset < bytes.count, try isMarker() { return }
        }
    }

    /// Whether a marker that ends a scan stands here; if not, passes over what does.
    private func isMarker() throws(RenderError) -> Bool {
        let place = position
        guard try next() == 0xFF else { return false }
        guard let code = try next(), code == 0 || code == 0xFF || code >> 3 == 0xD0 >> 3 else {
            position = place
            return true
        }
        if code == 0xFF { position = place + 1 }
        return false
    }
}

extension UnsafeRawBufferPointer {
    /// The first 0xFF with a byte behind it that is neither stuffed nor a restart, or with none; the count where there is
    /// no such.
    fileprivate func offsetOfMarker() -> Int {
        var offset = 0
        while let distance = UnsafeRawBufferPointer(rebasing: self[offset...]).offsetOfFF() {
            offset += distance
            guard offset + 1 < count else { return offset }
            let code = self[offset + 1]
            if code != 0, code >> 3 != 0xD0 >> 3 { return offset }
            offset += 2
        }
        return count
    }
}
