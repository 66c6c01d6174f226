/// A terminal result that is delivered directly. Earlier results of the request have all been delivered, so this one
/// need not wait behind them in the request's outbox.
package struct PipelineDelivery: Sendable {
    package let result: PipelineResult
    package let id: ImageRequestID
    package let receiver: ResultReceiver

    init(_ result: PipelineResult, to id: ImageRequestID, receiver: ResultReceiver) {
        self.result = result
        self.id = id
        self.receiver = receiver
    }
}
