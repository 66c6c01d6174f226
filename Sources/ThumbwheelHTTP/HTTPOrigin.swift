import Foundation

/// The scheme, host and port of an address: the server that may see what is for it alone.
struct HTTPOrigin: Hashable {
    private let scheme: String
    private let host: String
    private let port: Int

    /// - Returns: nil if the address is none of HTTP or HTTPS.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host()?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "http" ? 80 : 443)
    }
}
