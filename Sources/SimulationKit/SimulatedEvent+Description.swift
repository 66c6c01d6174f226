extension SimulatedEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .submit(let request): "\(request)"
        case .refuse: "an impossible request is refused"
        case .cancel(let request): "cancel request \(request)"
        case .move(let request, let priority, let urgency): "move request \(request) to \(priority), urgency \(urgency)"
        case .cancelAll: "cancel all requests"
        case .drain(let request): "take the results of request \(request)"
        case .finish(let worker, let ending): "the render on worker \(worker) ends: \(ending)"
        case .finishAbandoned(let index): "the abandoned render \(index) ends"
        case .progressFetch(let asset, let fraction): "\(Int(fraction * 100)) % of the file of asset \(asset) is here"
        case .finishFetch(let asset, let ending): "the fetch of asset \(asset) ends: \(ending)"
        case .finishLookUp(let asset, let ending): "the look-up for asset \(asset) ends: \(ending)"
        case .finishClaim(let asset, let ending): "the claim for asset \(asset) ends: \(ending)"
        case .failTier(let tier, let fault): "the \(tier) tier \(fault.map { "is \($0)" } ?? "works again")"
        case .openWindow(let window): "open window \(window)"
        case .closeWindow(let window): "close window \(window)"
        case .startCaching(let window, let entries):
            "start caching in window \(window): " + entries.map { "\($0)" }.joined(separator: ", ")
        case .stopCaching(let window, let pictures):
            "stop caching in window \(window): " + pictures.map { "\($0)" }.joined(separator: ", ")
        case .stopCachingAll(let window): "stop caching all in window \(window)"
        case .switchQuality(let window, let allows): "window \(window) \(allows ? "allows" : "forbids") high quality"
        case .forget(let asset): "asset \(asset) is deleted"
        case .wake: "the timer fires"
        case .setBudget(let byteCount): "the budget is now \(byteCount >> 10) KiB"
        case .setMemoryPressure(let pressure): "the pressure on memory is now \(pressure)"
        case .close(let isGraceful): isGraceful ? "close to new requests" : "close"
        case .batch(let events): "at once: " + events.map { "\($0)" }.joined(separator: "; ")
        }
    }
}

extension SimulatedRequest: CustomStringConvertible {
    package var description: String {
        "request \(number): \(picture)\(isEncoded ? " as a file" : ""), \(mode), \(priority), urgency \(urgency)"
            + (isNetworkAccessAllowed ? "" : ", no network") + (allowsSecondDegraded ? ", two degraded images" : "")
            + (asksCacheFirst ? ", by the cache if it can" : "") + (isCancelledBefore ? ", cancelled before" : "")
            + (deadlineMicroseconds.map { ", deadline in \($0) µs" } ?? "")
    }
}

extension SimulatedWindowEntry: CustomStringConvertible {
    package var description: String { "\(picture) (urgency \(urgency))" }
}

extension SimulatedPicture: CustomStringConvertible {
    package var description: String { SimulatedWorld.name(of: SimulatedWorld.key(of: self)) }
}

extension SimulatedHistory.Setup: CustomStringConvertible {
    package var description: String {
        "\(workerCount) workers, \(budget >> 10) KiB, \(servesNewestFirst ? "newest" : "oldest") first"
            + (weighsCost ? ", cost weighed" : "") + (keepsRenditions ? "" : ", nothing kept")
            + (packsRenditions ? ", packing" : "") + (hasTiers == true ? ", a tier below memory" : "")
            + (hasSharedTier == true ? ", a shared tier" : "")
            + ", a \(queue) queue"
    }
}
