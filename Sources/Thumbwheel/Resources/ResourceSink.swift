/// The place that a request passes the bytes of its resource to.
protocol ResourceSink: Sendable {
    /// Takes the next chunk.
    func receive(_ chunk: [UInt8]) throws(AssetResourceError)
    /// Called once after the last chunk, unless the request has failed.
    func finish() throws(AssetResourceError)
    /// Gives up all that was received, because the request has failed. It may be called while `receive` runs on another thread.
    func abandon()
}
