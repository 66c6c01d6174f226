import Foundation
import ThumbwheelCore

/// The properties of an asset that can be changed, and the request to change its picture.
public struct AssetEdits: Sendable {
    /// Whether the asset is a favourite.
    public var isFavorite: Bool
    /// Whether the asset is hidden from ordinary fetches.
    public var isHidden: Bool
    /// The creation date that this edit sets:
    ///
    /// - nil: the edit sets no date, and `creationDate` returns the asset's stored date.
    /// - `.some(nil)`: the edit makes the date unknown.
    /// - a date: the edit sets this date.
    ///
    /// The initializer `init(copying:_:)` sets this property to the asset's stored date, which changes nothing.
    private(set) var newCreationDate: Date??
    private(set) var newLocation: Location??
    /// The change of the asset's picture that this edit requests; nil if it requests none.
    var contentChange: ContentChange?
    private let chunk: Chunk?
    private let slot: Int

    /// Makes an edit whose initial values are those of one asset of a snapshot: the asset at `slot` in `chunk`, which
    /// is a block of the snapshot's rows. The date and the location are read from the snapshot only when they are
    /// needed.
    init(_ chunk: Chunk, _ slot: Int) {
        self.init(flagsOf: chunk.columns, slot, chunk)
    }

    /// Makes an edit whose initial values are those of one asset that a transaction is writing: the asset at `slot` in
    /// `columns`. All values are copied now, because the transaction may change them later.
    init(copying columns: ChunkColumns, _ slot: Int) {
        self.init(flagsOf: columns, slot, nil)
        newCreationDate = .some(AbsentNumber.date(columns.creation[slot]))
        newLocation = .some(columns.location(at: slot))
    }

    private init(flagsOf columns: ChunkColumns, _ slot: Int, _ chunk: Chunk?) {
        isFavorite = columns[.favorite, slot]
        isHidden = columns[.hidden, slot]
        self.chunk = chunk
        self.slot = slot
    }

    /// The date on which the photograph was taken; nil if that is unknown.
    public var creationDate: Date? {
        get { newCreationDate ?? chunk.flatMap { AbsentNumber.date($0.columns.creation[slot]) } }
        set { newCreationDate = .some(newValue) }
    }

    /// The place where the photograph was taken; nil if that is unknown.
    public var location: Location? {
        get { newLocation ?? chunk.flatMap { $0.columns.location(at: slot) } }
        set { newLocation = .some(newValue) }
    }

    /// Whether this edit sets a creation date that differs from the date in `before`, and so has to be written. If this
    /// edit sets no date, the result is false, and the date in `before` is not read.
    func movesDate(from before: AssetEdits) -> Bool {
        newCreationDate != nil && Self.bits(creationDate) != Self.bits(before.creationDate)
    }

    /// Whether this edit sets a location that differs from the location in `before`, and so has to be written. If this
    /// edit sets no location, the result is false, and the location in `before` is not read.
    func movesPlace(from before: AssetEdits) -> Bool {
        newLocation != nil && Self.bits(location) != Self.bits(before.location)
    }

    // Dates and locations are compared by bit patterns, so that a NaN (not a number) equals itself.
    private static func bits(_ date: Date?) -> UInt64? { date?.timeIntervalSinceReferenceDate.bitPattern }

    private static func bits(_ place: Location?) -> [UInt64?]? {
        place.map { [$0.latitude.bitPattern, $0.longitude.bitPattern, $0.altitude?.bitPattern] }
    }
}

extension AssetEdits: Equatable {
    /// Compares the properties. Requested changes of the picture are not compared.
    public static func == (one: AssetEdits, other: AssetEdits) -> Bool {
        one.isFavorite == other.isFavorite && one.isHidden == other.isHidden
            && one.creationDate == other.creationDate && one.location == other.location
    }
}
