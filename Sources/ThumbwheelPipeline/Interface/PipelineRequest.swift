import ThumbwheelScheduling

/// One request for an image, as submitted to the pipeline.
package struct PipelineRequest: Sendable {
    /// The final rendition.
    package var key: RenditionKey
    package var deliveryMode: DeliveryMode
    package var priority: RequestPriority
    package var urgency: Double
    /// Whether an embedded preview is worth making first: it is local and predicted to cost at most a quarter of the final.
    package var wantsPreview: Bool
    /// Whether the preview may follow a cached image that is less than it.
    package var allowsSecondDegraded: Bool
    /// Whether bytes that are elsewhere may be fetched.
    package var isNetworkAccessAllowed: Bool
    /// Whether the receiver wants to know how much of the bytes is here.
    package var reportsProgress: Bool
    package var work: RenderWork
    /// From submission on.
    package var deadline: Duration?
    /// Whom the results are for; the pipeline only hands it back.
    package var receiver: ResultReceiver

    package init(
        key: RenditionKey, deliveryMode: DeliveryMode, priority: RequestPriority, urgency: Double,
        wantsPreview: Bool, allowsSecondDegraded: Bool = false, isNetworkAccessAllowed: Bool = false,
        reportsProgress: Bool = false, work: RenderWork,
        deadline: Duration? = nil, receiver: ResultReceiver
    ) {
        self.key = key
        self.deliveryMode = deliveryMode
        self.priority = priority
        self.urgency = urgency
        self.wantsPreview = wantsPreview
        self.allowsSecondDegraded = allowsSecondDegraded
        self.isNetworkAccessAllowed = isNetworkAccessAllowed
        self.reportsProgress = reportsProgress
        self.work = work
        self.deadline = deadline
        self.receiver = receiver
    }
}
