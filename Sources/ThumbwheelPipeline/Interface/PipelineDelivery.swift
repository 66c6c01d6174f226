/// A terminal result that goes past the outbox of its request: nobody is draining that.
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
