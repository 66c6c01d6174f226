/// The address and the port that `--listen` names: `127.0.0.1:8080`, `[::]:8080`.
struct ListenAddress {
    var host: String
    var port: Int

    init(_ text: String) throws(CommandError) {
        let error = CommandError(
            "--listen \(text): give an address and a port, for instance 127.0.0.1:8080 or [::]:8080")
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { throw error }
        var host = text[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            throw error
        }
        guard !host.isEmpty else { throw error }
        (self.host, self.port) = (String(host), port)
    }

    /// The address of the service for a browser.
    static func url(_ host: String, _ port: Int) -> String {
        "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
    }
}
