import Foundation
import ThumbwheelCore

/// One request of a transfer: its address and fields, and the transfer that receives its events.
final class HTTPTask: Sendable {
    let url: URL
    /// The fields that every host may see.
    let fields: [String: String]
    /// The fields that only the addressed host may see.
    let ownFields: [String: String]
    private let run: HTTPTransferRun

    init(url: URL, fields: [String: String], ownFields: [String: String], of run: HTTPTransferRun) {
        self.url = url
        self.fields = fields
        self.ownFields = ownFields
        self.run = run
    }

    // MARK: Events, on the session's thread

    /// - Returns: whether the rest of the answer is wanted.
    func receive(_ head: HTTPAnswerHead) -> Bool { run.receive(head, from: self) }

    /// - Returns: whether the rest of the answer is wanted.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { run.receive(bytes, from: self) }

    /// - Parameter error: nil if the answer is complete.
    func end(_ error: NetworkError?) { run.end(self, error) }
}
