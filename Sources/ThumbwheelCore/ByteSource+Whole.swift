extension ByteSource {
    /// The source that this one is a part of, and the place in it of this one's first byte. A source that is no part of
    /// another is its own base.
    package var whole: (base: any ByteSource, start: Int) {
        var (base, start): (any ByteSource, Int) = (self, 0)
        while let part = base as? SubrangeByteSource {
            start += part.range.lowerBound
            base = part.base
        }
        return (base, start)
    }

    /// The open file that the bytes come from, and the place in it of the first byte; nil if they come from elsewhere.
    package var openFile: (file: FileByteSource, start: Int)? {
        let (base, start) = whole
        return (base as? FileByteSource).map { ($0, start) }
    }
}
