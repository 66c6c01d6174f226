/// Passes each chunk to a handler of the program that uses this library.
struct HandlerSink: ResourceSink {
    let handler: @Sendable ([UInt8]) -> Void

    func receive(_ chunk: [UInt8]) { handler(chunk) }
    func finish() {}
    func abandon() {}
}
