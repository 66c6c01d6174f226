/// The actions to which pipeline events have led. They wait here until the pipeline's owner takes them.
struct ActionList: Sendable {
    private var actions: [PipelineAction] = []
    /// Terminal results to deliver. When the actions are taken, one `deliver` action holds all of them.
    private var deliveries: [PipelineDelivery] = []

    mutating func append(_ action: PipelineAction) {
        // A request that ends usually leaves two actions, one to deliver its result and one to release its work. One
        // allocation serves both.
        if actions.isEmpty { actions.reserveCapacity(2) }
        actions.append(action)
    }

    mutating func deliver(_ delivery: PipelineDelivery) {
        deliveries.append(delivery)
    }

    /// Reserves storage for the deliveries that are about to be added.
    mutating func reserveDeliveries(_ count: Int) {
        deliveries.reserveCapacity(deliveries.count + count)
    }

    /// Takes all actions, in order; the deliveries come last.
    mutating func take() -> [PipelineAction] {
        if !deliveries.isEmpty {
            append(.deliver(deliveries))
            deliveries = []
        }
        defer { actions = [] }
        return actions
    }
}
