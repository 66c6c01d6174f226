import ThumbwheelReplay

extension MicroBenchmark {
    /// Nanoseconds of one operation: the least of the rounds, which others on the machine disturbed least.
    func time(rounds: Int) throws -> CountsDocument.Figure {
        let call = try warm()
        let times = try (0..<rounds).map { _ in
            try Stopwatch.milliseconds { Stopwatch.consume(try countedRegion(call)) }.time
        }
        return CountsDocument.Figure(
            name: name + ".time", unit: .nanoseconds, value: ((times.min() ?? 0) * 1e6 / Double(operations)).rounded())
    }

    /// Allocations, and bytes where they are a figure.
    func memoryFigures() throws -> [CountsDocument.Figure] {
        let call = try warm()
        guard let meter = try AllocationMeter(call) else {
            throw BenchError("allocations are counted by jemalloc 5.3, which this executable does not run on")
        }
        func figure(_ key: String, _ unit: FigureUnit, _ value: UInt64) -> CountsDocument.Figure {
            let each = Double(value) / Double(operations)
            return CountsDocument.Figure(name: "\(name).\(key)", unit: unit, value: each.rounded(toPlaces: 3))
        }
        let allocations = figure("allocations", .allocations, meter.allocations)
        switch memory {
        case .allocations: return [allocations]
        case .peak: return [allocations, figure("peakBytes", .bytes, meter.peakByteCount)]
        case .held: return [allocations, figure("heldBytes", .bytes, meter.heldByteCount)]
        }
    }
}
