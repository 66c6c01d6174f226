/// The place to which a request passes the bytes of its resource, for example a file.
protocol ResourceSink: Sendable {
    /// Takes the next chunk.
    func receive(_ chunk: [UInt8]) throws(AssetResourceError)
    /// Called once after the last chunk, unless the request has failed.
    func finish() throws(AssetResourceError)
    /// Discards everything that was received, because the request has failed. It may be called while `receive` runs on
    /// another thread.
    func abandon()
}
