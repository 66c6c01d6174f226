import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// Combines the files of an import into photographs (Semantics.md, "Files of one photograph").
struct PhotographAssembly {
    private let files: [FolderWalk.File]
    private let outcomes: [HeadReading.Outcome]
    private let kinships: [FileKinship]
    /// The photographs, by the index of their main file in `files`.
    private var photographs: [Int: ImportedPhotograph] = [:]
    /// The indexes of the files that belong to the photograph of another file.
    private var claimed: Set<Int> = []

    /// - Parameters:
    ///   - files: the files that were read, in the order of the import.
    ///   - outcomes: the outcome of reading each of `files`.
    ///   - isAsset: returns whether a file already is the main file of an asset. Such a file is not added to another
    ///     photograph.
    init(
        _ files: [FolderWalk.File], _ outcomes: [HeadReading.Outcome], isAsset: (FolderWalk.File) -> Bool
    ) {
        self.files = files
        self.outcomes = outcomes
        kinships = files.map { FileKinship($0.path) }
        let groups = Dictionary(grouping: files.indices) { kinships[$0].key }.values.filter { $0.count > 1 }
        for group in groups { claimPictures(group, isAsset) }
        for (index, outcome) in outcomes.enumerated() where !claimed.contains(index) {
            if case .photograph = outcome { modify(index) { _ in } }
        }
        pairByIdentifier()
        for group in groups { claimByName(group) }
        chooseRepresentatives()
    }

    /// The photographs, by the path of their main file.
    var byPath: [FilePath: ImportedPhotograph] {
        Dictionary(photographs.values.map { ($0.file.path, $0) }) { first, _ in first }
    }

    /// The files that were not imported, in the order of the import. They include movies and recipes without a
    /// photograph.
    var skipped: [ImportReport.Skip] {
        files.indices.compactMap { index in
            switch outcomes[index] {
            case .skipped(let reason): ImportReport.Skip(path: files[index].path.text, reason: reason)
            case .movie, .recipe:
                claimed.contains(index) ? nil : ImportReport.Skip(path: files[index].path.text, reason: .notAnImage)
            case .photograph: nil
            }
        }
    }

    private func photograph(_ index: Int) -> HeadReading.Photograph? {
        if case .photograph(let photograph) = outcomes[index] { photograph } else { nil }
    }

    /// Adds the RAW of a pair to the photograph of its JPEG, and a rendering (an edited picture) to its original.
    private mutating func claimPictures(_ group: [Int], _ isAsset: (FolderWalk.File) -> Bool) {
        let pictures = group.filter { photograph($0) != nil }
        let originals = pictures.filter { !kinships[$0].isRendering && !isRAW($0) }
        let raws = pictures.filter { isRAW($0) }
        if originals.count == 1, raws.count == 1, !isAsset(files[raws[0]]), areOfOneMoment(originals[0], raws[0]) {
            claim(raws[0], by: originals[0], as: .alternatePhoto)
        }
        let renderings = pictures.filter { kinships[$0].isRendering && !isRAW($0) }
        guard let original = originals.first ?? raws.first, let rendering = renderings.first,
            !isAsset(files[rendering]),
            areOfOneMoment(original, rendering), let asset = photograph(rendering)?.asset
        else { return }
        claimed.insert(rendering)
        let file = files[rendering]
        modify(original) { $0.addRendering(file, asset) }
    }

    private func isRAW(_ index: Int) -> Bool { photograph(index)?.asset.contentType.isRAW ?? false }

    /// Returns whether two pictures were taken at the same moment. The times in their files may differ by one second.
    /// If one of them has no time, the result is true.
    private func areOfOneMoment(_ one: Int, _ other: Int) -> Bool {
        guard let one = photograph(one)?.asset.head.captureDate?.date(assuming: .gmt),
            let other = photograph(other)?.asset.head.captureDate?.date(assuming: .gmt)
        else { return true }
        return abs(one.timeIntervalSince(other)) <= 1
    }

    private mutating func modify(_ index: Int, _ body: (inout ImportedPhotograph) -> Void) {
        guard let read = photograph(index) else { return }
        body(&photographs[index, default: ImportedPhotograph(files[index], read)])
    }

    private mutating func claim(_ index: Int, by photograph: Int, as kind: AssetResourceType) {
        claimed.insert(index)
        let file = files[index]
        modify(photograph) { $0.add(file, as: kind) }
    }

    /// Adds to each photograph the movie with the same content identifier. If there are several such movies, one in the
    /// same folder is preferred.
    private mutating func pairByIdentifier() {
        var movies: [String: [Int]] = [:]
        for (index, outcome) in outcomes.enumerated() {
            guard case .movie(let facts) = outcome, let identifier = facts.contentIdentifier else { continue }
            movies[identifier, default: []].append(index)
        }
        if movies.isEmpty { return }
        for index in photographs.keys.sorted() {
            guard let identifier = photographs[index]?.contentIdentifier else { continue }
            let free = (movies[identifier] ?? []).filter { !claimed.contains($0) }
            guard let movie = free.first(where: { files[$0].path.folder == files[index].path.folder }) ?? free.first
            else {
                continue
            }
            claim(movie, by: index, as: .pairedVideo)
        }
    }

    /// Adds a movie and a recipe to the photograph with the same name. If the photograph and the movie have different
    /// identifiers, the movie is not added.
    private mutating func claimByName(_ group: [Int]) {
        let stills = group.filter { photographs[$0] != nil }
        for index in group where !claimed.contains(index) && !kinships[index].isRendering {
            switch outcomes[index] {
            case .movie(let movie):
                let still = stills.first { still in
                    guard let photograph = photographs[still], !photograph.has(.pairedVideo) else { return false }
                    return photograph.contentIdentifier == nil || movie.contentIdentifier == nil
                        || photograph.contentIdentifier == movie.contentIdentifier
                }
                if let still { claim(index, by: still, as: .pairedVideo) }
            case .recipe:
                if let still = stills.first(where: { photographs[$0]?.has(.adjustmentData) == false }) {
                    claim(index, by: still, as: .adjustmentData)
                }
            case .photograph, .skipped: break
            }
        }
    }

    /// Chooses a representative of each burst: the photograph whose file states that it is, or otherwise the first that
    /// was taken.
    private mutating func chooseRepresentatives() {
        var chosen: [String: Int] = [:]
        func rank(_ index: Int) -> (Int, Double) {
            let asset = photographs[index]?.original
            return (asset?.representsBurst == true ? 0 : 1, asset?.creationDate?.timeIntervalSince1970 ?? .infinity)
        }
        for index in photographs.keys.sorted() {
            guard let burst = photographs[index]?.original.burstIdentifier else { continue }
            if let best = chosen[burst], rank(best) <= rank(index) { continue }
            chosen[burst] = index
        }
        for index in chosen.values { photographs[index]?.representsBurst = true }
    }
}
