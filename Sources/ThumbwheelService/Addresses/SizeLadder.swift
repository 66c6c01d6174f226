import Thumbwheel

/// The sides that pictures are made in. A million sizes that are asked for are a few that are made, cached and stored.
public struct SizeLadder: Sendable, Hashable {
    /// The sides in pixels, ascending.
    public let steps: [Int]

    /// Makes a ladder.
    ///
    /// - Parameter steps: The sides in pixels. Without any, the default's are taken.
    public init(_ steps: [Int] = [64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048]) {
        let steps = Set(steps.filter { $0 > 0 }).sorted()
        self.steps = steps.isEmpty ? SizeLadder().steps : steps
    }

    /// Returns the smallest size on the ladder that covers `size`; a side beyond the last step becomes that step.
    public func snapped(_ size: PixelSize) -> PixelSize {
        PixelSize(width: snapped(size.width), height: snapped(size.height))
    }

    private func snapped(_ side: Int) -> Int { steps.first { $0 >= side } ?? steps[steps.count - 1] }
}
