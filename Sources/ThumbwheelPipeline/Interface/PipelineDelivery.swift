/// A terminal result that is delivered directly. It does not go through its request's outbox (the results that wait for
/// delivery), because no thread is emptying that outbox at the moment.
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
