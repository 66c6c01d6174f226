import Thumbwheel
import ThumbwheelLocks
import ThumbwheelReplay

/// What came of each photograph's requests, written down from several threads.
final class RenderRecorder: Sendable {
    /// One request for one photograph.
    struct Record: Sendable {
        var size: PixelSize?
        var info: ImageInfo?
        var milliseconds: Double?
        /// To the degraded image, where one came.
        var firstMilliseconds: Double?
        var error: ImageRequestError?
    }

    private let state: Mutex<[[Record]]>

    init(count: Int) {
        state = Mutex(Array(repeating: [], count: count))
    }

    var records: [[Record]] { state.withLock { $0 } }

    func begin(_ index: Int) {
        state.withLock { $0[index].append(Record()) }
    }

    func fail(_ index: Int, with error: ImageRequestError) {
        change(index) { $0.error = error }
    }

    func record(_ result: ImageResult, of index: Int, milliseconds: Double) {
        change(index) { record in
            switch result {
            case .degraded:
                if record.firstMilliseconds == nil { record.firstMilliseconds = milliseconds }
            case .final(let bitmap, let info):
                record.size = bitmap.size
                record.info = info
                record.milliseconds = milliseconds
            case .failed(let error, _): record.error = error
            case .cancelled: record.error = .cancelled
            }
        }
    }

    private func change(_ index: Int, _ body: (inout Record) -> Void) {
        state.withLock { records in body(&records[index][records[index].count - 1]) }
    }
}

extension RenderDocument.Image {
    /// - Parameter records: of all rounds; the times are their medians.
    init(file: String, records: [RenderRecorder.Record]) {
        self.init(file: file)
        guard let last = records.last else { return }
        if let error = records.lazy.compactMap(\.error).first {
            self.error = RenderDocument.Failure(code: error.name, message: error.description)
            return
        }
        width = last.size?.width
        height = last.size?.height
        source = last.info?.source?.rawValue
        from = last.info.map { $0.storageTier.map { $0 == .shared ? "shared" : "store" } ?? "render" }
        scale = last.info?.eighths
        decoder = last.info?.decoder?.rawValue
        partial = last.info?.isPartial ?? false
        milliseconds = Self.median(records.compactMap(\.milliseconds))
        firstMilliseconds = Self.median(records.compactMap(\.firstMilliseconds))
    }

    private static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        return middle.rounded(toPlaces: 4)
    }
}
