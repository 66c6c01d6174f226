/// A terminal result that is delivered directly and not through the outbox of its request, because nobody is draining the
/// outbox.
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
