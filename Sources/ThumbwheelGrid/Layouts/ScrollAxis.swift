import ThumbwheelCore

/// The direction in which a view scrolls.
public enum ScrollAxis: String, Hashable, Sendable, CaseIterable {
    /// The view scrolls up and down; items fill lines from the left, and lines follow one another from the top.
    case vertical
    /// The view scrolls left and right; items fill lines from the top, and lines follow one another from the left.
    case horizontal

    /// Returns a size with its length along this axis as its height, and its extent across the axis as its width. A
    /// second call undoes the first.
    func upright(_ size: LayoutSize) -> LayoutSize {
        self == .vertical ? size : LayoutSize(width: size.height, height: size.width)
    }

    /// Returns a rectangle turned so that this axis runs from top to bottom. A second call undoes the first.
    func upright(_ rect: LayoutRect) -> LayoutRect {
        guard self == .horizontal else { return rect }
        return LayoutRect(minX: rect.minY, minY: rect.minX, maxX: rect.maxY, maxY: rect.maxX)
    }

    /// Returns insets turned so that this axis runs from top to bottom.
    func upright(_ insets: LayoutInsets) -> LayoutInsets {
        guard self == .horizontal else { return insets }
        return LayoutInsets(top: insets.left, left: insets.top, bottom: insets.right, right: insets.bottom)
    }
}
