import Thumbwheel

extension ServiceHandler {
    /// Answers `/healthz`, `/readyz` and `/metrics`.
    func operations(_ request: ServiceRequest, _ name: Substring) throws(ServiceError) -> ServiceResponse {
        switch name {
        case "healthz": return ServiceResponse(json: ["status": "ok"])
        case "readyz":
            return readiness.isReady
                ? ServiceResponse(json: ["status": "ready"])
                : ServiceResponse(status: 503, json: ["status": "filling the library"])
        case "metrics":
            try checkHost(of: request)
            guard mayReadMetrics(request) else { throw .unauthorized }
            return ServiceResponse(type: "text/plain; version=0.0.4; charset=utf-8", text: metricsText)
        default: throw .notFound
        }
    }

    /// The metrics of the service and of its image manager, in Prometheus's text format.
    public var metricsText: String {
        let waiting = admission.counts
        let statistics = manager.statistics
        return statistics.prometheusText + (manager.decoderStatistics?.prometheusText ?? "")
            + (manager.storeStatistics?.prometheusText ?? "") + (manager.sharedStoreStatistics?.prometheusText ?? "")
            + metrics.text(waiting: waiting, cachedByteCounts: statistics.ownedByteCounts)
    }

    private func mayReadMetrics(_ request: ServiceRequest) -> Bool {
        guard let token = configuration.operationsToken else {
            return residents.all.count == 1 && residents.all[0].tenant.tokens.isEmpty
        }
        guard let given = request.bearerToken else { return false }
        let secret = keys.derived(for: "operations")
        return ServiceSecret.areEqual(secret.code(of: given), secret.code(of: token))
    }
}
