/// The actions (tasks such as starting a render) that the pipeline's state has decided on, until the owner of the state
/// takes them and carries them out.
struct ActionList: Sendable {
    private var actions: [PipelineAction] = []
    /// The terminal results of requests, to be delivered. `take` puts all of them into one `deliver` action.
    private var deliveries: [PipelineDelivery] = []

    mutating func append(_ action: PipelineAction) {
        // A request that ends usually adds two actions: one delivers its result, and one passes the job's inputs
        // (`RenderWork`) to the owner, who destroys them outside the owner's lock. A single allocation makes room for
        // both.
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
