import ThumbwheelCore
import ThumbwheelGrid

/// The contents of a replayed grid together with their layout, which follows each edit.
struct LaidOutContents {
    private let kind: LayoutKind
    private let grid: GridLayout
    private(set) var contents: GridContents
    private(set) var layout: any ScrollLayout

    init(_ contents: GridContents, _ kind: LayoutKind, in grid: GridLayout) {
        self.kind = kind
        self.grid = grid
        self.contents = contents
        layout = kind.layout(of: contents.list, in: grid)
    }

    var list: AssetList { contents.list }

    /// The contents of an item's cell: what it shows, and at what size.
    func subject(of item: Int) -> CellSubject { CellSubject(asset: list[item], size: size(of: item)) }

    /// The size at which an item is requested; nil where all items have one size.
    private func size(of item: Int) -> PixelSize? { kind == .justified ? layout.targetSize(of: item) : nil }

    mutating func apply(_ edit: ListEdit) {
        contents.apply(edit)
        guard var justified = layout as? JustifiedLayout else {
            layout = kind.layout(of: list, in: grid)
            return
        }
        // The layout must not be shared while it changes, lest all of it be copied.
        layout = grid
        switch edit {
        case .enter, .leave:
            layout = kind.layout(of: list, in: grid)
            return
        case .insert(_, let item): justified.replaceSubrange(item..<item, with: [ratio(of: item)])
        case .remove(let item): justified.replaceSubrange(item..<item + 1, with: [])
        case .move(let from, let to):
            justified.replaceSubrange(from..<from + 1, with: [])
            justified.replaceSubrange(to..<to, with: [ratio(of: to)])
        case .change: break
        }
        layout = justified
    }

    private func ratio(of item: Int) -> Double { LayoutKind.aspectRatio(ofAsset: list[item].number) }
}
