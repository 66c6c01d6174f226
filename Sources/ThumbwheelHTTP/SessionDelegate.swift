import Foundation
import ThumbwheelLocks

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes the events of a session's tasks on to the transfers that the tasks belong to.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let runs = Mutex<[Int: HTTPTransferRun]>([:])

    private let ownHeaders: [String]

    /// - Parameter ownHeaders: the names of header fields that only the addressed host may see.
    init(ownHeaders: [String]) {
        self.ownHeaders = ownHeaders
    }

    func add(_ run: HTTPTransferRun, for task: Int) {
        runs.withLock { $0[task] = run }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let (from, to) = (task.originalRequest?.url, request.url)
        guard let to, ["http", "https"].contains(to.scheme?.lowercased()) else {
            completionHandler(nil)
            return
        }
        var request = request
        if (from?.scheme, from?.host, from?.port) != (to.scheme, to.host, to.port) {
            for name in ownHeaders { request.setValue(nil, forHTTPHeaderField: name) }
        }
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { run(of: dataTask)?.receive(response, from: dataTask) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        run(of: dataTask)?.receive(data, from: dataTask)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        runs.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(task, error)
    }

    private func run(of task: URLSessionTask) -> HTTPTransferRun? { runs.withLock { $0[task.taskIdentifier] } }
}
