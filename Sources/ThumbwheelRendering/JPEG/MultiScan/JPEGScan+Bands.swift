extension JPEGScan {
    /// The scan's band of coefficients as a set, with a bit for each coefficient in zigzag order.
    var band: UInt64 { (UInt64.max >> UInt64(63 - spectralEnd)) & (UInt64.max << UInt64(spectralStart)) }

    /// Whether the scan is a refinement: it contains one more bit of coefficients whose higher bits are in earlier
    /// scans.
    var isRefinement: Bool { highBit > 0 }

    /// Whether the standard allows a scan with this band and these bits in a progressive file (T.81, G.1.1.1.1). The
    /// order of scans is not checked, because libjpeg accepts a wrong order with a warning.
    var isLegal: Bool {
        let isBand = spectralStart == 0 ? spectralEnd == 0 : components.count == 1
        return isBand && spectralStart <= spectralEnd && spectralEnd < 64 && lowBit <= 13
            && (highBit == 0 || lowBit == highBit - 1)
    }
}

extension JPEGInput {
    /// Skips entropy-coded data up to the marker that ends them.
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

    /// Whether a marker that ends a scan is at the current position. If not, the position moves past a stuffed byte, a
    /// fill byte or a restart marker that is there.
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
    /// The offset of the first 0xFF that may begin the marker at the end of entropy-coded data; the number of bytes in
    /// the buffer if there is none. An 0xFF does not count if a zero (byte stuffing) or the code of a restart marker
    /// follows. An 0xFF at the end of the buffer counts, because the byte after it is not known.
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
