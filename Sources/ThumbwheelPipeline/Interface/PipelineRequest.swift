import ThumbwheelScheduling

/// One request for an image, as submitted to the pipeline.
package struct PipelineRequest: Sendable {
    /// The key of the final rendition.
    package var key: RenditionKey
    package var deliveryMode: DeliveryMode
    package var priority: RequestPriority
    package var urgency: Double
    /// Whether a preview should be made first, as a degraded image. An embedded preview of a local file is worth making
    /// if it is predicted to take at most a quarter of the final image's time. For a photograph that is not stored
    /// locally, a preview from its local proxy (a small local copy) is always worth making.
    package var wantsPreview: Bool
    /// Whether degraded images may come before the final one; false for a receiver that takes one image.
    package var wantsDegraded = true
    /// Whether a preview may be made even if a cached image has already been delivered as the first degraded image. The
    /// preview is then delivered as the second degraded image, if it is larger than the first.
    package var allowsSecondDegraded: Bool
    /// Whether to make an additional degraded image: the image that a `.fast` request would get. It is made only if it
    /// is larger than the degraded image that was delivered before it.
    package var wantsFastDegraded = false
    /// Whether bytes that are not stored locally may be fetched over a network.
    package var isNetworkAccessAllowed: Bool
    /// Whether the receiver wants to know which fraction of the bytes has arrived.
    package var reportsProgress: Bool
    package var work: RenderWork
    /// The time that the request may take, counted from its submission; nil if it may take any time.
    package var deadline: Duration?
    /// The share of the memory budget that the images take from that are made for the request; nil if nobody's.
    package var budgetShare: BudgetShare?
    /// The receiver of the results. The pipeline does not call the receiver, but returns it with each result.
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
