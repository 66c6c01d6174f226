import Foundation
import ThumbwheelCore

/// The properties of an asset that can be changed, and the request to change its picture.
public struct AssetEdits: Sendable {
    /// Whether the asset is a favourite.
    public var isFavorite: Bool
    /// Whether the asset is hidden from ordinary fetches.
    public var isHidden: Bool
    /// The creation date that was set, or copied from a row. The outer optional is nil if there is none; `creationDate`
    /// then reads the snapshot's date on demand. The inner optional is nil if the date is unknown.
    private(set) var newCreationDate: Date??
    private(set) var newLocation: Location??
    /// The change of the picture; nil if there is none.
    var contentChange: ContentChange?
    private let chunk: Chunk?
    private let slot: Int

    /// Makes edits that start from the values of a row in a snapshot. The row's date and location are read later, on
    /// demand.
    init(_ chunk: Chunk, _ slot: Int) {
        self.init(flagsOf: chunk.columns, slot, chunk)
    }

    /// Makes edits that start from the values of a row that a transaction is writing. All values are copied now,
    /// because the transaction may change the row later.
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

    /// When the photograph was taken; nil if that is unknown.
    public var creationDate: Date? {
        get { newCreationDate ?? chunk.flatMap { AbsentNumber.date($0.columns.creation[slot]) } }
        set { newCreationDate = .some(newValue) }
    }

    /// Where the photograph was taken; nil if that is unknown.
    public var location: Location? {
        get { newLocation ?? chunk.flatMap { $0.columns.location(at: slot) } }
        set { newLocation = .some(newValue) }
    }

    /// Whether this edit sets a creation date that differs from the date of `before`. If this edit sets no date, the
    /// date of `before` is not read.
    func movesDate(from before: AssetEdits) -> Bool {
        newCreationDate != nil && Self.bits(creationDate) != Self.bits(before.creationDate)
    }

    /// Whether this edit sets a location that differs from the location of `before`. If this edit sets no location, the
    /// location of `before` is not read.
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
    /// Compares the properties; changes of the picture do not count.
    public static func == (one: AssetEdits, other: AssetEdits) -> Bool {
        one.isFavorite == other.isFavorite && one.isHidden == other.isHidden
            && one.creationDate == other.creationDate && one.location == other.location
    }
}
