/// A whole HTML file around the body of a report.
struct ReportPage {
    let title: Markup
    let body: Markup

    var html: String {
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <style>
            \(ReportStyle.sheet)
            </style>
            </head>
            <body>
            <main>
            \(body)
            </main>
            </body>
            </html>

            """
        return page.html
    }
}

extension HostDescription {
    /// The names and values that describe the machine and the libraries of a result.
    var entries: [(String, String)] {
        let names = libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return [
            ("Processor", "\(processor), \(FigureFormat.count(cores)) cores"), ("System", system),
            ("Allocator", allocator),
            ("Libraries", names.isEmpty ? FigureFormat.none : names.joined(separator: ", ")),
        ]
    }
}

extension Markup {
    /// Returns the section with the facts that somebody needs to get the same figures again: the command line, and names with
    /// values.
    static func provenance(command: String, entries: [(String, String)]) -> Markup {
        """
        <section>
        <h2>To get it again</h2>
        <pre class="scroller" tabindex="0"><code>\(command)</code></pre>
        <dl class="provenance">
        \(Markup(entries.map { "<dt>\($0)</dt><dd>\($1)</dd>" }))
        </dl>
        </section>
        """
    }
}
