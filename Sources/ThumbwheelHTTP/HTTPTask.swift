import Foundation
import ThumbwheelCore

/// One request of a transfer: its address and fields, and the transfer that receives its events.
final class HTTPTask: Sendable {
    let url: URL
    let origin: HTTPOrigin
    /// The fields that every server may see, by their names in lower case.
    let fields: [String: String]
    /// The fields that only the addressed server may see.
    let ownFields: [String: String]
    private let run: HTTPTransferRun

    init(
        url: URL, origin: HTTPOrigin, fields: [String: String], ownFields: [String: String], of run: HTTPTransferRun
    ) {
        self.url = url
        self.origin = origin
        self.fields = fields
        self.ownFields = ownFields
        self.run = run
    }

    // MARK: Events, on the session's thread

    /// The request's turn has come. It may have waited for other requests to the same server.
    func begin() { run.begin(self) }

    /// The server has sent something that the transfer has no use for.
    func receiveSign() { run.receiveSign(from: self) }

    /// - Returns: whether the rest of the answer is wanted.
    func receive(_ head: HTTPAnswerHead) -> Bool { run.receive(head, from: self) }

    /// - Returns: whether the rest of the answer is wanted.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { run.receive(bytes, from: self) }

    /// - Parameter error: nil if the answer is complete.
    func end(_ error: NetworkError?) { run.end(self, error) }
}
