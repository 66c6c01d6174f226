import Thumbwheel
import ThumbwheelLocks

/// The requests that have not ended. Whoever ends one ends it once: a result of a request that is not in the ledger came
/// after the request's end.
package final class ResultLedger: Sendable {
    package struct Ends: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        package static let cancelled = Ends(rawValue: 1)
        package static let networkRequired = Ends(rawValue: 2)
        package static let deadline = Ends(rawValue: 4)
        package static let overloaded = Ends(rawValue: 8)
        /// The bytes cannot be had, or are none of a picture.
        package static let badBytes = Ends(rawValue: 16)
    }

    package struct Entry: Sendable {
        /// The request in words.
        package let text: String
        /// What may be shown: several where a provider does not bring what it promised.
        package let pictures: [SoakPicture]
        package let part: SoakPicture.Part
        /// Whether the bytes may end too soon, so that pixels may be anything.
        package let mayBePartial: Bool
        package let manager: Int
        /// How it may end without an image.
        package var ends: Ends

        package init(
            _ text: String, pictures: [SoakPicture], part: SoakPicture.Part = .whole, mayBePartial: Bool = false,
            manager: Int = 0, ends: Ends = []
        ) {
            self.text = text
            self.pictures = pictures
            self.part = part
            self.mayBePartial = mayBePartial
            self.manager = manager
            self.ends = ends
        }
    }

    private struct State {
        var open: [Int: Entry] = [:]
        var nextTicket = 0
    }

    private let state = Mutex(State())
    private let complaints: Complaints

    package init(_ complaints: Complaints) {
        self.complaints = complaints
    }

    /// How many requests were ever begun.
    package var count: Int { state.withLock { $0.nextTicket } }

    package var openCount: Int { state.withLock { $0.open.count } }

    /// The open request that was begun first.
    package var oldest: String? {
        state.withLock { state in state.open.min { $0.key < $1.key }.map { "request \($0.key): \($0.value.text)" } }
    }

    package func begin(_ entry: Entry) -> Int {
        state.withLock { state in
            state.nextTicket += 1
            state.open[state.nextTicket] = entry
            return state.nextTicket
        }
    }

    /// A request that may end as another may that is open still; nil where that one has ended.
    package func begin(like ticket: Int) -> Int? {
        state.withLock { state in
            guard let entry = state.open[ticket] else { return nil }
            state.nextTicket += 1
            state.open[state.nextTicket] = entry
            return state.nextTicket
        }
    }

    /// Lets a request end in one more way. Must be called before what makes it end so.
    package func allow(_ ends: Ends, for ticket: Int) {
        state.withLock { $0.open[ticket]?.ends.formUnion(ends) }
    }

    package func allow(_ ends: Ends, forAllOf manager: Int) {
        state.withLock { state in
            for (ticket, entry) in state.open where entry.manager == manager {
                state.open[ticket]?.ends.formUnion(ends)
            }
        }
    }

    /// The entry of a request; nil, and a complaint, where it has ended.
    private func entry(_ ticket: Int, ending isTerminal: Bool, with result: String) -> Entry? {
        let entry = state.withLock { state in
            isTerminal ? state.open.removeValue(forKey: ticket) : state.open[ticket]
        }
        if entry == nil {
            complaints.note(.resultAfterEnd, expected: "nothing more for request \(ticket)", seen: result)
        }
        return entry
    }

    /// A request ends because its host looks at it no more.
    package func leave(_ ticket: Int) { _ = entry(ticket, ending: true, with: "left") }

    package func note(_ ticket: Int, image: Bitmap, isPartial: Bool, isLast: Bool) {
        guard let entry = entry(ticket, ending: isLast, with: isLast ? "a final image" : "a degraded image") else {
            return
        }
        if isPartial || entry.mayBePartial { return }
        if entry.pictures.contains(where: { $0.isShown(by: image, entry.part) }) { return }
        let seen = SoakPicture.number(shownBy: image, upTo: 46_656).map { "picture \($0)" }
        complaints.note(
            .picture, expected: "\(entry.text): picture \(entry.pictures.map(\.number))",
            seen: "\(seen ?? "no picture of the run"), \(SoakPicture.colors(of: image)) in \(image.size)")
    }

    package func note(_ ticket: Int, failedWith error: ImageRequestError) {
        guard let entry = entry(ticket, ending: true, with: "\(error)") else { return }
        let end: Ends =
            switch error {
            case .cancelled: .cancelled
            case .networkAccessRequired: .networkRequired
            case .deadlineExceeded: .deadline
            case .overloaded: .overloaded
            case .network, .rendering: .badBytes
            case .invalidRequest, .unsupportedMedia: []
            }
        if end.isEmpty || !entry.ends.contains(end) {
            complaints.note(.wrongEnd, expected: "\(entry.text): an image", seen: "\(error)")
        }
    }

    /// - Parameter isRight: whether the bytes are those that were asked for; nil where that is for the decoder to say.
    package func note(_ ticket: Int, data: [UInt8], isRight: (Entry, [UInt8]) -> Bool) {
        guard let entry = entry(ticket, ending: true, with: "\(data.count) bytes") else { return }
        if entry.mayBePartial || isRight(entry, data) { return }
        complaints.note(
            .picture, expected: "\(entry.text): the bytes of picture \(entry.pictures.map(\.number))",
            seen: "\(data.count) bytes of something else")
    }
}

extension ResultLedger {
    package func note(_ ticket: Int, _ result: ImageResult) {
        switch result {
        case .degraded(let image, let info): note(ticket, image: image, isPartial: info.isPartial, isLast: false)
        case .final(let image, let info): note(ticket, image: image, isPartial: info.isPartial, isLast: true)
        case .failed(let error, _): note(ticket, failedWith: error)
        case .cancelled: note(ticket, failedWith: .cancelled)
        }
    }
}
