/// The frame that all reports have: one file that needs nothing beside itself.
struct ReportPage {
    var title: String
    var body: Markup

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
