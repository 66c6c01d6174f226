import Thumbwheel
import ThumbwheelLocks

/// The contents that a grid showed before a change. They are kept until another thread releases them, because releasing
/// a fetch result takes time in proportion to its length, and the scrolling thread often holds the last reference to
/// it.
final class FormerContents: Sendable {
    private let contents: Mutex<GridItems?>

    init(_ contents: GridItems) {
        self.contents = Mutex(contents)
    }

    /// The asset of an item; nil after `take()`.
    func asset(at item: Int) -> Asset? { contents.withLock { $0?.assets[item] } }

    /// Takes the contents out; must be called only once.
    func take() -> GridItems {
        contents.withLock { contents in
            defer { contents = nil }
            return contents!
        }
    }
}
