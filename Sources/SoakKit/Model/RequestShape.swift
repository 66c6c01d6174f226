import Thumbwheel

/// How an image is asked for.
package struct RequestShape: Sendable {
    package enum Form: Sendable, CaseIterable {
        case image, data, original, awaited, stream, synchronous
    }

    package let form: Form
    package let side: Int
    package let isFilled: Bool
    package let part: SoakPicture.Part
    package let mode: DeliveryMode
    package let version: ImageVersion
    package let priority: RequestPriority
    package let milliseconds: Int?
    package let isNetworkAllowed: Bool
    package let hasToken: Bool
    /// Whether the asset is taken from a result that was fetched some time ago.
    package let isStale: Bool
    package let isImmediate: Bool
    /// Whether the handler waits until the gate opens.
    package let blocks: Bool
    /// Whether the handler asks for another image.
    package let isNested: Bool

    package init(_ random: inout SeededGenerator) {
        func isOneIn(_ count: Int) -> Bool { random.index(below: count) == 0 }
        let forms: [Form] = [.image, .image, .image, .image, .data, .original, .awaited, .stream, .synchronous]
        form = forms[random.index(below: forms.count)]
        // Half of what a service is asked for is its usual thumbnail.
        let isUsual = isOneIn(2)
        side = isUsual ? 48 : [16, 32, 48, 64, 96, 200][random.index(below: 6)]
        isFilled = isUsual || isOneIn(2)
        part = !isUsual && isOneIn(3) ? .upperHalf : .whole
        mode = isUsual ? .highQuality : DeliveryMode.allCases[random.index(below: 3)]
        version = !isUsual && isOneIn(2) ? .unadjusted : .current
        priority = RequestPriority.allCases[random.index(below: RequestPriority.allCases.count)]
        milliseconds = isOneIn(8) ? random.index(below: 20) : nil
        isNetworkAllowed = !isOneIn(4)
        hasToken = isOneIn(2)
        isStale = isOneIn(4)
        isImmediate = isOneIn(3)
        blocks = isOneIn(12)
        isNested = isOneIn(12)
    }
}

extension RequestShape: CustomStringConvertible {
    package var description: String {
        let flags = [
            ("upper half", part == .upperHalf), ("filled", isFilled), ("unadjusted", version == .unadjusted),
            ("no network", !isNetworkAllowed), ("token", hasToken), ("stale", isStale), ("immediate", isImmediate),
            ("blocks", blocks), ("nested", isNested),
        ]
        let words = ["\(form)", "\(side) px", "\(mode)", "\(priority)"] + flags.filter(\.1).map(\.0)
        return words.joined(separator: ", ") + (milliseconds.map { ", within \($0) ms" } ?? "")
    }
}
