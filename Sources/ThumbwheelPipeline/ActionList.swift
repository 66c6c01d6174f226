/// The actions that an event has led to, until the owner takes them.
struct ActionList: Sendable {
    private var actions: [PipelineAction] = []
    /// One action in the end, however many they are.
    private var deliveries: [PipelineDelivery] = []

    mutating func append(_ action: PipelineAction) {
        // A request that ends usually leaves two actions, its result and its work to release: one allocation serves
        // both.
        if actions.isEmpty { actions.reserveCapacity(2) }
        actions.append(action)
    }

    mutating func deliver(_ delivery: PipelineDelivery) {
        deliveries.append(delivery)
    }

    /// Makes room for as many deliveries as are about to come.
    mutating func reserveDeliveries(_ count: Int) {
        deliveries.reserveCapacity(deliveries.count + count)
    }

    /// All actions in order; the deliveries come last.
    mutating func take() -> [PipelineAction] {
        if !deliveries.isEmpty {
            append(.deliver(deliveries))
            deliveries = []
        }
        defer { actions = [] }
        return actions
    }
}
