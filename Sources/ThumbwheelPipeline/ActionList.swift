/// Actions that wait for the pipeline's owner to take and carry them out. An action is a task such as starting a
/// render.
struct ActionList: Sendable {
    private var actions: [PipelineAction] = []
    /// The terminal results of requests, to be delivered. `take` puts all of them into one `deliver` action.
    private var deliveries: [PipelineDelivery] = []

    mutating func append(_ action: PipelineAction) {
        // A request that ends usually adds two actions: one that delivers its result, and one that releases its work. A
        // single allocation makes room for both.
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
