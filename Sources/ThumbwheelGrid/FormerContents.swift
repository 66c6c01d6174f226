import Thumbwheel
import ThumbwheelLocks

/// The contents that a grid showed before, kept until another thread releases them. The release takes time in proportion to the
/// length of the fetch result, and the scrolling thread often holds the last reference.
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
