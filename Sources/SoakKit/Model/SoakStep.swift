import Thumbwheel

/// One thing that the host or one of its users does. A seed gives the same steps in the same order each time.
package enum SoakStep: Sendable {
    /// A transaction through a user's view.
    case edit(LibraryEdit, user: Int, pin: Pin?)
    /// Several threads each toggle the favorite of other assets, again and again, at the same time.
    case storm([[Int]])
    /// A user fetches an album or a folder, and keeps the result to edit by it later.
    case look(node: Int, user: Int)
    /// What a user may see changes; with or without a new observation.
    case access([Int], user: Int, isObservedAnew: Bool)
    case request(RequestShape, asset: Int, user: Int)
    /// Ends all requests that were given a user's token, which is then another.
    case cancelToken(user: Int)
    case cancelRequests(user: Int)
    case setPriority(user: Int)
    /// Prepares, or gives up, images of a user's assets.
    case window(isStarted: Bool, user: Int)
    case openGrid(user: Int)
    case scroll(Double, user: Int)
    case closeGrid(user: Int)
    case pressure(MemoryPressure, user: Int)
    /// A user's image manager goes, and another comes.
    case dropManager(user: Int, isShutDown: Bool)
    /// Handlers and providers that wait may go on.
    case openGate
    case forget(asset: Int, user: Int)
    case save
    /// The service ends and begins again, with the library that was saved last or, after an orderly end, just now.
    case restart(isOrderly: Bool)
    /// A saved file is damaged, and the library looked for in what is left.
    case damage(place: Double, isCut: Bool)

    /// Which of a user's kept results an edit goes by.
    package struct Pin: Sendable, Equatable {
        package let slot: Int
        package let isOfMembers: Bool
    }
}

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
