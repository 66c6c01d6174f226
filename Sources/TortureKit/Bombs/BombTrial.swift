import Thumbwheel

/// One bomb through every entry point, and what each cost.
package struct BombTrial: Sendable {
    package enum Entry: String, Sendable, CaseIterable {
        case inspect, highQuality, fast, preview
    }

    package struct Cost: Sendable {
        package var entry: Entry
        /// The error's code; nil for an image.
        package var code: String?
        package var readByteCount: Int
        package var seconds: Double
        /// Memory above what was held before; nil where the system does not tell.
        package var memoryByteCount: Int?
    }

    private let bomb: Bomb

    package init(_ bomb: Bomb) {
        self.bomb = bomb
    }

    /// - Returns: what each call cost. Where no head can be read, nothing can be rendered.
    package func run() -> [Cost] {
        let source = BombSource(bomb)
        var read: ImageHead?
        var costs = [cost(.inspect, source) { () throws(RenderError) in read = try Self.head(of: source) }]
        guard let head = read else { return costs }
        let side = PixelSize(width: 64, height: 64)
        costs.append(
            cost(.highQuality, source) { () throws(RenderError) in
                _ = try Renderer().render(source, head: head, options: RenderOptions(targetSize: side))
            })
        costs.append(
            cost(.fast, source) { () throws(RenderError) in
                _ = try Renderer().render(source, head: head, options: RenderOptions(targetSize: side, quality: .fast))
            })
        costs.append(
            cost(.preview, source) { () throws(RenderError) in
                _ = try Renderer().renderPreview(
                    source, head: head, options: RenderOptions(targetSize: side, quality: .fast))
            })
        return costs
    }

    private static func head(of source: BombSource) throws(RenderError) -> ImageHead {
        do throws(HeadError) {
            let head = try ImageHead(reading: source)
            _ = try? RenderPlan(head: head, options: RenderOptions(targetSize: PixelSize(width: 64, height: 64)))
            return head
        } catch {
            throw RenderError(error)
        }
    }

    private func cost(
        _ entry: Entry, _ source: BombSource, of work: () throws(RenderError) -> Void
    ) -> Cost {
        _ = source.takeReadByteCount()
        PeakMemory.reset()
        let before = PeakMemory.currentByteCount
        let start = ContinuousClock.now
        var code: String?
        do throws(RenderError) { try work() } catch { code = error.code }
        let time = (ContinuousClock.now - start).components
        let peak = PeakMemory.byteCount
        return Cost(
            entry: entry, code: code, readByteCount: source.takeReadByteCount(),
            seconds: Double(time.seconds) + Double(time.attoseconds) / 1e18,
            memoryByteCount: before.flatMap { before in peak.map { max(0, $0 - before) } })
    }
}
