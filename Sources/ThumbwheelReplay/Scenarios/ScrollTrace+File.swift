import Foundation
import ThumbwheelCore
import ThumbwheelGrid

extension ScrollTrace {
    /// The greatest number of lines that a trace may have: more than an hour at 1 000 samples a second.
    static let maximumLineCount = 4_000_000
    /// The greatest number of edits among the lines: each edit makes the next one a little more expensive.
    static let maximumEditCount = 50_000

    private struct Header: Codable {
        var thumbwheelTrace: Int
        var columns: Int
        var cell: Double
        var viewport: [Int]
        /// The number of assets shown at the beginning, and the number of all assets; stated if the contents change.
        var items: Int?
        var assets: Int?
        /// The kind of layout, the axis, and the space between cells and around them in pixels; stated if they are not those
        /// of a plain grid.
        var layout: LayoutKind?
        var axis: String?
        var cellHeight: Double?
        var spacing: [Double]?
        var insets: [Double]?
    }

    private struct Line: Codable {
        var t: Double
        /// The offset in pixels; nil for an edit.
        var y: Double?
    }

    /// The greatest number of bytes that a trace may have.
    static let maximumByteCount = 1 << 30

    /// Reads a file of the form that `init(jsonLines:)` takes. A file that is too long is read only until that is clear.
    public init(contentsOfFile path: String) throws(ScrollTraceError) {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw ScrollTraceError(line: 0, reason: "cannot be read")
        }
        var data = Data()
        var lineCount = 1
        while let chunk = try? file.read(upToCount: 1 << 20), !chunk.isEmpty {
            lineCount += chunk.count { $0 == UInt8(ascii: "\n") }
            guard lineCount <= Self.maximumLineCount + 1, data.count <= Self.maximumByteCount else {
                throw Self.tooLong(atLine: min(lineCount, Self.maximumLineCount + 1))
            }
            data += chunk
        }
        try self.init(jsonLines: data)
    }

    private static func tooLong(atLine line: Int) -> ScrollTraceError {
        ScrollTraceError(line: line, reason: "more than a trace may have, \(maximumLineCount) lines")
    }

    /// Reads a trace in JSON Lines: a header `{"thumbwheelTrace":1,"columns":4,"cell":180,"viewport":[720,1440]}`, followed by
    /// samples `{"t":milliseconds,"y":pixels}` in order of time.
    ///
    /// If the layout is no plain grid, the header also has `"layout"` (`justified` or `sections`), `"axis"` (`horizontal`),
    /// `"cellHeight"`, `"spacing":[width,height]` and `"insets":[top,left,bottom,right]`, as far as they differ from one.
    ///
    /// If the contents change, the header also has `"items"` and `"assets"`, and edits stand between the samples, such as
    /// `{"t":milliseconds,"insert":[asset,item]}`; the others are `"remove":item`, `"change":item`, `"move":[from,to]`,
    /// `"enter":[first,end]` for an album of these assets, and `"leave":true`.
    public init(jsonLines data: Data) throws(ScrollTraceError) {
        let decoder = JSONDecoder()
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let first = lines.first, let header = try? decoder.decode(Header.self, from: first) else {
            throw ScrollTraceError(line: 1, reason: "no header such as {\"thumbwheelTrace\":1,\"columns\":4,…}")
        }
        let layout = try Self.layout(of: header)
        // The last line ends with a line feed, so the split gives one more piece than there are lines.
        guard lines.count <= Self.maximumLineCount + 1 else { throw Self.tooLong(atLine: Self.maximumLineCount + 1) }
        var reading = Reading(header.items.map { GridContents(count: $0) }, assetCount: header.assets ?? 0)
        reading.samples.reserveCapacity(lines.count)
        for (index, text) in lines.enumerated().dropFirst() where !text.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) {
            guard let line = try? decoder.decode(Line.self, from: text) else {
                throw ScrollTraceError(line: index + 1, reason: "not of the form {\"t\":milliseconds,\"y\":pixels}")
            }
            let edit = line.y == nil ? try? decoder.decode(ListEdit.self, from: text) : nil
            if let reason = reading.add(time: line.t, offset: line.y, edit: edit) {
                throw ScrollTraceError(line: index + 1, reason: reason)
            }
        }
        guard !reading.samples.isEmpty else { throw ScrollTraceError(line: 2, reason: "no sample") }
        self.init(
            layout: layout, kind: header.layout ?? .grid, samples: reading.samples, events: reading.events,
            itemCount: header.items, assetCount: header.assets)
    }

    private static func layout(of header: Header) throws(ScrollTraceError) -> GridLayout {
        guard header.thumbwheelTrace == 1 else {
            throw ScrollTraceError(line: 1, reason: "a trace of version \(header.thumbwheelTrace), not 1")
        }
        guard (1...10_000).contains(header.columns), header.cell.isFinite, (1...100_000).contains(header.cell),
            header.viewport.count == 2, header.viewport.allSatisfy({ (1...1_000_000).contains($0) })
        else {
            throw ScrollTraceError(line: 1, reason: "columns, cell or viewport out of range")
        }
        let (items, assets) = (header.items ?? 0, header.assets ?? 0)
        guard (header.items == nil) == (header.assets == nil), (0...10_000_000).contains(assets),
            (0...assets).contains(items)
        else {
            throw ScrollTraceError(line: 1, reason: "items or assets out of range, or one without the other")
        }
        let (spacing, insets) = (header.spacing ?? [0, 0], header.insets ?? [0, 0, 0, 0])
        let height = header.cellHeight ?? header.cell
        guard let axis = ScrollAxis(rawValue: header.axis ?? ScrollAxis.vertical.rawValue),
            spacing.count == 2, insets.count == 4, (spacing + insets).allSatisfy({ (0...100_000).contains($0) }),
            (1...100_000).contains(height)
        else {
            throw ScrollTraceError(line: 1, reason: "axis, cellHeight, spacing or insets out of range")
        }
        let layout = GridLayout(
            columnCount: header.columns, cell: LayoutSize(width: header.cell, height: height),
            spacing: LayoutSize(width: spacing[0], height: spacing[1]),
            insets: LayoutInsets(top: insets[0], left: insets[1], bottom: insets[2], right: insets[3]), axis: axis,
            viewport: PixelSize(width: header.viewport[0], height: header.viewport[1]))
        let room =
            axis == .vertical
            ? Double(layout.viewport.width) - insets[1] - insets[3]
            : Double(layout.viewport.height) - insets[0] - insets[2]
        guard room >= 1 else { throw ScrollTraceError(line: 1, reason: "insets that leave no room for items") }
        return layout
    }

    private var header: Header {
        let (cell, spacing, insets) = (layout.cell, layout.spacing, layout.insets)
        return Header(
            thumbwheelTrace: 1, columns: layout.columnCount, cell: cell.width,
            viewport: [layout.viewport.width, layout.viewport.height], items: itemCount, assets: assetCount,
            layout: kind == .grid ? nil : kind, axis: layout.axis == .vertical ? nil : layout.axis.rawValue,
            cellHeight: cell.height == cell.width ? nil : cell.height,
            spacing: spacing == .zero ? nil : [spacing.width, spacing.height],
            insets: insets == .zero ? nil : [insets.top, insets.left, insets.bottom, insets.right])
    }

    /// The trace in the form that `init(jsonLines:)` reads.
    public var jsonLines: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var data = Data()
        // The encoding of finite numbers cannot fail, so errors are ignored.
        func append(_ line: some Encodable) {
            data += (try? encoder.encode(line)) ?? Data()
            data.append(UInt8(ascii: "\n"))
        }
        append(header)
        var rest = events[...]
        for sample in samples {
            while let event = rest.first, event.time <= sample.time { append(rest.removeFirst()) }
            append(Line(t: sample.time, y: sample.offset))
        }
        for event in rest { append(event) }
        return data
    }
}

extension ScrollTrace.Event: Encodable {
    private enum Key: CodingKey {
        case t
    }

    public func encode(to encoder: any Encoder) throws {
        var line = encoder.container(keyedBy: Key.self)
        try line.encode(time, forKey: .t)
        try edit.encode(to: encoder)
    }
}

/// The samples and the edits of the lines read so far.
private struct Reading {
    private(set) var events: [ScrollTrace.Event] = []
    var samples: [ScrollTrace.Sample] = []
    /// The contents after the edits so far; nil if the header does not state the numbers of items and assets.
    private var contents: GridContents?
    private let assetCount: Int
    private var lastTime = -Double.infinity

    init(_ contents: GridContents?, assetCount: Int) {
        self.contents = contents
        self.assetCount = assetCount
    }

    /// - Returns: the reason why the line is invalid; nil if it is valid.
    mutating func add(time: Double, offset: Double?, edit: ListEdit?) -> String? {
        guard time.isFinite, time.magnitude < 1e12, (offset ?? 0).isFinite, (offset ?? 0).magnitude < 1e12 else {
            return "a number out of range"
        }
        guard time >= lastTime else { return "time runs backwards" }
        lastTime = time
        if let offset {
            samples.append(ScrollTrace.Sample(time: time, offset: max(0, offset)))
            return nil
        }
        guard let edit else { return "neither {\"t\":milliseconds,\"y\":pixels} nor an edit" }
        guard contents != nil else { return "an edit, and no \"items\" and \"assets\" in the header" }
        guard events.count < ScrollTrace.maximumEditCount else { return "more edits than a trace may have" }
        if let objection = contents!.objection(to: edit, assetCount: assetCount) { return objection }
        contents!.apply(edit)
        events.append(ScrollTrace.Event(time: time, edit: edit))
        return nil
    }
}
