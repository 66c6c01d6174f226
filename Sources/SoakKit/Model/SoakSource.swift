/// Where a picture's bytes are, and how they come.
package struct SoakSource: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// In the library itself.
        case memory
        /// From a provider.
        case provider(Behavior, isRemote: Bool)
    }

    package enum Behavior: String, Sendable, CaseIterable {
        /// Brings the bytes.
        case honest
        /// Brings them after it has given way some times.
        case slow
        /// Brings them every second time, and fails else.
        case flaky
        /// Never brings any.
        case broken
        /// Brings them when the gate opens.
        case hanging
        /// Brings bytes that are no picture.
        case garbled
        /// Brings half of the bytes.
        case truncated
        /// Brings another picture.
        case swapped
    }

    package let picture: SoakPicture
    package let place: Place

    package init(_ picture: SoakPicture, _ place: Place = .memory) {
        self.picture = picture
        self.place = place
    }

    package var behavior: Behavior {
        if case .provider(let behavior, _) = place { behavior } else { .honest }
    }

    package var isRemote: Bool {
        if case .provider(_, let isRemote) = place { isRemote } else { false }
    }

    /// The picture that a provider brings which brings another.
    package var swappedPicture: SoakPicture {
        SoakPicture(number: picture.number + 7, format: picture.format, orientation: picture.orientation)
    }

    /// All pictures that a request for the source may be answered with.
    package var possiblePictures: [SoakPicture] {
        behavior == .swapped ? [picture, swappedPicture] : [picture]
    }

    /// Whether bytes may be missing, or be none of a picture.
    package var mayFail: Bool {
        switch behavior {
        case .honest, .slow, .hanging: false
        case .flaky, .broken, .garbled, .truncated, .swapped: true
        }
    }
}

extension SoakSource {
    /// The name of the source's provider, from which the source can be made again: a library that is loaded asks for
    /// providers by their names.
    package var name: String {
        "soak/\(picture.number)/\(picture.format.rawValue)/\(picture.orientation)/\(behavior.rawValue)/\(isRemote ? 1 : 0)"
    }

    package init?(name: String) {
        let parts = name.split(separator: "/")
        guard parts.count == 6, parts[0] == "soak", let number = Int(parts[1]),
            let format = Int(parts[2]).flatMap(SoakPicture.Format.init(rawValue:)), let orientation = Int(parts[3]),
            let behavior = Behavior(rawValue: String(parts[4])), let isRemote = Int(parts[5])
        else { return nil }
        self.init(
            SoakPicture(number: number, format: format, orientation: orientation),
            .provider(behavior, isRemote: isRemote == 1))
    }
}
