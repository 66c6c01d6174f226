import ThumbwheelCore
import ThumbwheelFormats

/// Finds where the strips or tiles of a picture lie in the file. Their offsets and lengths are read a few thousand at a
/// time.
struct TIFFBlockPlaces {
    private static let windowLength = 4096

    private let source: any ByteSource
    private let order: ByteOrder
    private var offsets: Window
    private var byteCounts: Window

    /// The part of a list of offsets or lengths that is in memory.
    private struct Window {
        let list: TIFFPicture.List
        var first = 0
        var bytes: [UInt8] = []

        func holds(_ index: Int) -> Bool { index >= first && (index - first + 1) * list.width <= bytes.count }
    }

    init(_ picture: TIFFPicture, in source: any ByteSource, order: ByteOrder) {
        self.source = source
        self.order = order
        offsets = Window(list: picture.offsets)
        byteCounts = Window(list: picture.byteCounts)
    }

    /// Returns the range of a strip or tile in the file; it may lie beyond the file's end.
    mutating func range(of index: Int) throws(RenderError) -> Range<Int> {
        let start = try value(index, in: &offsets)
        let (end, overflows) = start.addingReportingOverflow(try value(index, in: &byteCounts))
        // An offset close to the largest integer would overflow when a computed length is added to it.
        guard !overflows, start > 0, start <= ImageHead.byteCountLimit else {
            throw .malformed(reason: "a strip or tile without a place")
        }
        return start..<end
    }

    private func value(_ index: Int, in window: inout Window) throws(RenderError) -> Int {
        let width = window.list.width
        if !window.holds(index) {
            let start = window.list.extent.lowerBound + index * width
            let end = min(window.list.extent.upperBound, start + Self.windowLength * width)
            do throws(ByteSourceError) {
                window.bytes = try source.bytes(in: start..<end)
            } catch {
                throw .source(error)
            }
            window.first = index
            guard window.holds(index) else { throw .truncated(decodedFraction: 0) }
        }
        let place = (index - window.first) * width
        let value = (0..<width).reduce(UInt64(0)) { value, step in
            value << 8 | UInt64(window.bytes[place + (order == .big ? step : width - 1 - step)])
        }
        return Int(clamping: value)
    }
}
