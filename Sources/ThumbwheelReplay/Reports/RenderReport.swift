import Foundation

/// The outcome of `render` as one HTML file for people: a contact sheet of the thumbnails with the time that each
/// took.
public struct RenderReport: Sendable {
    /// The greatest number of pictures on a page.
    public static let pictureLimit = 500

    private let document: RenderDocument
    private let command: String
    private let thumbnails: [Int: Data]

    /// Makes the contact sheet of a document.
    ///
    /// - Parameters:
    ///   - document: The results.
    ///   - command: The command line that makes the same thumbnails again.
    ///   - thumbnails: JPEG files by the index of the document's image; missing ones are left blank.
    public init(document: RenderDocument, command: String, thumbnails: [Int: Data]) {
        self.document = document
        self.command = command
        self.thumbnails = thumbnails
    }

    /// The whole HTML file.
    public var html: String {
        let slowest = document.images.compactMap(\.milliseconds).max() ?? 0
        let tiles = document.images.enumerated().prefix(Self.pictureLimit).map { tile($1, index: $0, slowest: slowest) }
        let rest = document.images.count - tiles.count
        let body: Markup = """
            <header>
            <h1>Thumbnails</h1>
            <p class="lead">\(sentence)</p>
            </header>
            <section>
            <h2>Contact sheet</h2>
            <ul class="sheet wide">
            \(Markup(tiles))
            </ul>
            <p class="note">Under each thumbnail its file, the milliseconds from submission to the final image (beside the \
            slowest), and what it was made from.\(rest > 0 ? " \(FigureFormat.count(rest)) more are not shown." : "")</p>
            </section>
            \(Markup.provenance(command: command, entries: document.host.entries))
            """
        return ReportPage(title: "Thumbnails: \(FigureFormat.count(document.images.count)) photographs", body: body)
            .html
    }

    private var sentence: Markup {
        let (workload, summary) = (document.settings.workload, document.summary)
        return """
            \(FigureFormat.count(summary.images, "photograph")) to <b>\(workload.size)</b>, \(workload.content), \
            \(workload.delivery) delivery, by \(FigureFormat.count(document.settings.engine.workers, "worker")): \
            mean \(FigureFormat.latency(milliseconds: summary.milliseconds.mean)), \
            p95 \(FigureFormat.latency(milliseconds: summary.milliseconds.p95)), \
            \(FigureFormat.count(summary.failed)) failed. \(document.host.processor).
            """
    }

    private func tile(_ image: RenderDocument.Image, index: Int, slowest: Double) -> Markup {
        let name = String(image.file.split(separator: "/").last ?? "")
        let picture = thumbnails[index].map { ContactSheet.picture($0, named: name) } ?? "<b></b>"
        guard let milliseconds = image.milliseconds else {
            return """
                <li>\(picture)<small>\(name)<br><span class="alarm">\(image.error?.code ?? FigureFormat.none)</span></small></li>
                """
        }
        let share = slowest > 0 ? milliseconds / slowest : 0
        let scale = image.scale.map { ", \($0)/8" } ?? ""
        return """
            <li>\(picture)<i class="bar" style="width:\(Plot.percent(share))"></i>\
            <small>\(name)<br>\(FigureFormat.latency(milliseconds: milliseconds)), \(image.source ?? "")\(scale)</small></li>
            """
    }
}
