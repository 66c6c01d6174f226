import ThumbwheelGrid

/// The kinds of layouts that a replay can scroll over. Each is made of the trace's ``ScrollTrace/layout``.
public enum LayoutKind: String, Codable, Sendable, CaseIterable {
    /// The grid of equal cells itself.
    case grid
    /// Lines that come close to the length of a cell, of items with the usual aspect ratios of photographs. Which item has
    /// which follows from the number of its asset alone.
    case justified
    /// Sections of one to a hundred cells, each below a header of a quarter of a line.
    case sections

    /// The most items of a section.
    private static let longestSection = 100

    /// Returns a layout of a list's items.
    func layout(of list: AssetList, in grid: GridLayout) -> any ScrollLayout {
        switch self {
        case .grid: grid.fitted(toItemCount: list.count)
        case .justified:
            JustifiedLayout(
                aspectRatios: (0..<list.count).lazy.map { Self.aspectRatio(ofAsset: list[$0].number) },
                targetLength: max(16, grid.cellSide), spacing: grid.spacing, insets: grid.insets, axis: grid.axis,
                viewport: grid.viewport)
        case .sections: sections(itemCount: list.count, in: grid)
        }
    }

    /// Returns the layout of a number of items, which show the first assets of the replay in order.
    func layout(ofItemCount count: Int, in grid: GridLayout) -> any ScrollLayout {
        layout(of: AssetList(count: count), in: grid)
    }

    private func sections(itemCount: Int, in grid: GridLayout) -> SectionedLayout<GridLayout> {
        var sections: [GridLayout] = []
        var left = itemCount
        while left > 0 {
            let count = min(left, 1 + Int(Self.mixed(sections.count) % UInt64(Self.longestSection)))
            sections.append(grid.fitted(toItemCount: count))
            left -= count
        }
        return SectionedLayout(
            sections, headerLength: (grid.lineLength / 4).rounded(), axis: grid.axis, viewport: grid.viewport)
    }

    /// Returns the width of an asset's cell in justified lines, for each pixel of its height.
    static func aspectRatio(ofAsset number: Int) -> Double {
        // Photographs from phones and cameras, most of them upright or across, now and then a square or a panorama.
        let ratios: [Double] = [4.0 / 3, 0.75, 1.5, 4.0 / 3, 2.0 / 3, 0.75, 16.0 / 9, 4.0 / 3, 1, 1.5, 0.5625, 3]
        return ratios[Int(mixed(number) % UInt64(ratios.count))]
    }

    /// Mixes the bits of a number, so that neighbours differ (the last step of SplitMix64).
    private static func mixed(_ number: Int) -> UInt64 {
        var bits = UInt64(bitPattern: Int64(number)) &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
