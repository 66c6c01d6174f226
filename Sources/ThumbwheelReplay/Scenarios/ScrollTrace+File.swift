import Foundation
import ThumbwheelCore
import ThumbwheelGrid

/// Why a trace file cannot be used; `line` counts from 1.
public struct ScrollTraceError: Error, Equatable, CustomStringConvertible {
    public let line: Int
    public let reason: String

    public var description: String { "line \(line): \(reason)" }
}

extension ScrollTrace {
    /// Lines that a trace may have: more than an hour at 1 000 samples a second.
    static let maximumLineCount = 4_000_000

    private struct Header: Codable {
        var thumbwheelTrace: Int
        var columns: Int
        var cell: Double
        var viewport: [Int]
    }

    private struct Line: Codable {
        var t: Double
        var y: Double
    }

    /// Reads JSON Lines: a header `{"thumbwheelTrace":1,"columns":4,"cell":180,"viewport":[720,1440]}`, then
    /// `{"t":milliseconds,"y":pixels}` in order of time.
    public init(jsonLines data: Data) throws(ScrollTraceError) {
        let decoder = JSONDecoder()
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let first = lines.first, let header = try? decoder.decode(Header.self, from: first) else {
            throw ScrollTraceError(line: 1, reason: "no header such as {\"thumbwheelTrace\":1,\"columns\":4,…}")
        }
        guard header.thumbwheelTrace == 1 else {
            throw ScrollTraceError(line: 1, reason: "a trace of version \(header.thumbwheelTrace), not 1")
        }
        guard (1...10_000).contains(header.columns), header.cell.isFinite, (1...100_000).contains(header.cell),
            header.viewport.count == 2, header.viewport.allSatisfy({ (1...1_000_000).contains($0) })
        else {
            throw ScrollTraceError(line: 1, reason: "columns, cell or viewport out of range")
        }
        guard lines.count <= Self.maximumLineCount else {
            throw ScrollTraceError(line: Self.maximumLineCount + 1, reason: "more lines than a trace may have")
        }
        var samples: [Sample] = []
        samples.reserveCapacity(lines.count)
        for (index, text) in lines.enumerated().dropFirst() where !text.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) {
            guard let line = try? decoder.decode(Line.self, from: text) else {
                throw ScrollTraceError(line: index + 1, reason: "not of the form {\"t\":milliseconds,\"y\":pixels}")
            }
            guard line.t.isFinite, line.y.isFinite, line.t.magnitude < 1e12, line.y.magnitude < 1e12 else {
                throw ScrollTraceError(line: index + 1, reason: "a number out of range")
            }
            if let last = samples.last, line.t < last.time {
                throw ScrollTraceError(line: index + 1, reason: "time runs backwards")
            }
            samples.append(Sample(time: line.t, offset: max(0, line.y)))
        }
        guard !samples.isEmpty else { throw ScrollTraceError(line: 2, reason: "no sample") }
        let layout = GridLayout(
            columnCount: header.columns, cellSide: header.cell,
            viewport: PixelSize(width: header.viewport[0], height: header.viewport[1]))
        self.init(layout: layout, samples: samples)
    }

    /// The trace in the form that `init(jsonLines:)` reads.
    public var jsonLines: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let header = Header(
            thumbwheelTrace: 1, columns: layout.columnCount, cell: layout.cellSide,
            viewport: [layout.viewport.width, layout.viewport.height])
        var data = Data()
        // Encoding numbers that are finite cannot fail.
        data += (try? encoder.encode(header)) ?? Data()
        for sample in samples {
            data.append(UInt8(ascii: "\n"))
            data += (try? encoder.encode(Line(t: sample.time, y: sample.offset))) ?? Data()
        }
        data.append(UInt8(ascii: "\n"))
        return data
    }
}
