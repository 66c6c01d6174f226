import ThumbwheelCore

/// The forms in which memory keeps renditions, from the first that is given up to the last.
///
/// A rendition lies in one tier at a time.
enum MemoryTier: Int, CaseIterable, Sendable {
    /// Behind the bitmaps in their order, and in fewer bytes.
    case packed
    /// Pixels, and files, as they are delivered.
    case bitmaps

    /// The tier that an image belongs to by its form.
    init(of image: ImageFacts) {
        self = image.isPacked ? .packed : .bitmaps
    }

    /// What pays for it.
    var purpose: MemoryBudget.Purpose {
        switch self {
        case .packed: .packed
        case .bitmaps: .cache
        }
    }

    /// Whether its images are delivered as they are, and so count as ready in windows.
    var isReady: Bool { self == .bitmaps }

    /// Those that are given up before bitmaps that somebody has asked for.
    static let colder: [MemoryTier] = allCases.filter { !$0.isReady }
}
