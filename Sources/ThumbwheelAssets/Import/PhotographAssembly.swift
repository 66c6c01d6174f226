import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// Combines the files of an import into photographs and videos (Semantics.md, "Files of one photograph").
struct PhotographAssembly {
    private let files: [FolderWalk.File]
    private let outcomes: [HeadReading.Outcome]
    private let kinships: [FileKinship]
    /// For each of `files`, the photograph or video whose main file it is.
    private var photographs: [ImportedPhotograph?]
    /// The indexes of the files that are already a part of an asset whose main file is another file. Such a file is,
    /// for example, the paired video or the RAW file of a photograph.
    private var claimed: Set<Int> = []
    private let isAsset: (FolderWalk.File) -> Bool

    /// Combines files into photographs and videos.
    ///
    /// - Parameters:
    ///   - files: the files that were read, in the order of the import.
    ///   - outcomes: the outcome of reading each of `files`.
    ///   - isAsset: returns whether a file already is the main file of an asset. Such a file is not added to another
    ///     photograph, except for the video of a Live Photo.
    init(
        _ files: [FolderWalk.File], _ outcomes: [HeadReading.Outcome],
        isAsset: @escaping (FolderWalk.File) -> Bool
    ) {
        self.files = files
        self.outcomes = outcomes
        kinships = files.map { FileKinship($0.path) }
        photographs = Array(repeating: nil, count: files.count)
        self.isAsset = isAsset
        let groups = Dictionary(grouping: files.indices) { kinships[$0].key }.values.filter { $0.count > 1 }
        for group in groups { claimPictures(group) }
        for (index, outcome) in outcomes.enumerated() where !claimed.contains(index) {
            if case .photograph = outcome { modify(index) { _ in } }
        }
        pairByIdentifier()
        for group in groups { claimMovies(group) }
        for (index, outcome) in outcomes.enumerated() where !claimed.contains(index) {
            if case .movie = outcome { modify(index) { _ in } }
        }
        for group in groups { claimAdjustmentData(group) }
        chooseRepresentatives()
    }

    /// The photographs and videos, by the path of their main file.
    var byPath: ImportedPhotographs { ImportedPhotographs(photographs) }

    /// The files that were not imported, in the order of the import. They include files with adjustment data for which
    /// there is no photograph.
    var skipped: [ImportReport.Skip] {
        files.indices.compactMap { index in
            switch outcomes[index] {
            case .skipped(let reason): ImportReport.Skip(path: files[index].path.text, reason: reason)
            case .adjustmentData:
                claimed.contains(index) ? nil : ImportReport.Skip(path: files[index].path.text, reason: .notAnImage)
            case .photograph, .movie: nil
            }
        }
    }

    private func photograph(_ index: Int) -> HeadReading.Photograph? {
        if case .photograph(let photograph) = outcomes[index] { photograph } else { nil }
    }

    private func movie(_ index: Int) -> HeadReading.Photograph? {
        if case .movie(let movie) = outcomes[index] { movie } else { nil }
    }

    /// Adds pictures to the photograph with the same name. A RAW file is added to the photograph of the JPEG file with
    /// that name. A rendering (an edited picture) is added to the photograph that was edited.
    private mutating func claimPictures(_ group: [Int]) {
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

    /// Returns whether two pictures were taken at the same moment: the times in their files differ by at most one
    /// second. If one of the files has no time, the result is true.
    private func areOfOneMoment(_ one: Int, _ other: Int) -> Bool {
        guard let one = outcomes[one].reading?.asset.head.captureDate?.date(assuming: .gmt),
            let other = outcomes[other].reading?.asset.head.captureDate?.date(assuming: .gmt)
        else { return true }
        return abs(one.timeIntervalSince(other)) <= 1
    }

    private mutating func modify(_ index: Int, _ body: (inout ImportedPhotograph) -> Void) {
        guard let read = outcomes[index].reading else { return }
        var photograph = photographs[index] ?? ImportedPhotograph(files[index], read)
        body(&photograph)
        photographs[index] = photograph
    }

    private mutating func claim(_ index: Int, by photograph: Int, as kind: AssetResourceType) {
        claimed.insert(index)
        let file = files[index]
        modify(photograph) { $0.add(file, as: kind) }
    }

    /// Adds to each photograph the video with the same content identifier. If there are several such videos, one in the
    /// same folder is preferred.
    private mutating func pairByIdentifier() {
        var movies: [String: [Int]] = [:]
        for (index, outcome) in outcomes.enumerated() {
            guard case .movie(let movie) = outcome, let identifier = movie.contentIdentifier else { continue }
            movies[identifier, default: []].append(index)
        }
        if movies.isEmpty { return }
        for index in photographs.indices {
            guard let identifier = photographs[index]?.contentIdentifier else { continue }
            let free = (movies[identifier] ?? []).filter { !claimed.contains($0) }
            guard let movie = free.first(where: { files[$0].path.folder == files[index].path.folder }) ?? free.first
            else {
                continue
            }
            claim(movie, by: index, as: .pairedVideo)
        }
    }

    /// The greatest length, in seconds, of a video that is paired with a photograph by its name alone, without a
    /// content identifier that links the two. The videos of Live Photos take three seconds. A longer video with the
    /// same name most likely has nothing to do with the photograph.
    private static let longestNamesake = 5.0

    /// Adds videos to the assets whose main files have the same name:
    ///
    /// - a video to a photograph, if both are the files of a Live Photo
    /// - an edited video to the Live Photo or the video from which it was made
    private mutating func claimMovies(_ group: [Int]) {
        let movies = group.filter { movie($0) != nil }
        for index in movies where !claimed.contains(index) && !kinships[index].isRendering {
            let still = group.first { photographs[$0] != nil && isNamesake(index, of: $0) }
            if let still { claim(index, by: still, as: .pairedVideo) }
        }
        guard let rendering = movies.first(where: { kinships[$0].isRendering && !claimed.contains($0) }),
            !isAsset(files[rendering])
        else { return }
        let original = movies.first { !kinships[$0].isRendering && !claimed.contains($0) }
        if let live = group.first(where: { photographs[$0]?.has(.pairedVideo) == true }) {
            claim(rendering, by: live, as: .fullSizePairedVideo)
        } else if let original, areOfOneMoment(original, rendering), let asset = movie(rendering)?.asset {
            claimed.insert(rendering)
            let file = files[rendering]
            modify(original) { $0.addRendering(file, asset) }
        }
    }

    /// Returns whether a video and a photograph with the same name are the two files of one Live Photo. Files with the
    /// same content identifier, which links the two files of a Live Photo, have been joined already. All others are
    /// joined in one of two cases, unless the photograph already has a video:
    ///
    /// - The photograph has a content identifier, and the video has none.
    /// - The photograph has none, the video takes at most `longestNamesake` seconds, and the video is not an asset of
    ///   its own in the library.
    private func isNamesake(_ index: Int, of still: Int) -> Bool {
        guard let photograph = photographs[still], !photograph.has(.pairedVideo), let movie = movie(index) else {
            return false
        }
        // A photograph with a content identifier is the still image of a Live Photo. Videos with the same content
        // identifier have been paired with their photographs already. A video with another content identifier belongs
        // to another Live Photo. So the photograph accepts only a video without a content identifier.
        if photograph.contentIdentifier != nil { return movie.contentIdentifier == nil }
        return movie.asset.duration <= Self.longestNamesake && !isAsset(files[index])
    }

    /// Adds each file with adjustment data to the photograph or video with the same name.
    private mutating func claimAdjustmentData(_ group: [Int]) {
        for index in group where !claimed.contains(index) {
            guard case .adjustmentData = outcomes[index],
                let owner = group.first(where: { photographs[$0]?.has(.adjustmentData) == false })
            else { continue }
            claim(index, by: owner, as: .adjustmentData)
        }
    }

    /// Chooses the representative of each burst: the photograph that its file marks as the representative. If no file
    /// of the burst has such a mark, the photograph that was taken first is chosen.
    private mutating func chooseRepresentatives() {
        var chosen: [String: Int] = [:]
        func rank(_ index: Int) -> (Int, Double) {
            let asset = photographs[index]?.original
            return (asset?.representsBurst == true ? 0 : 1, asset?.creationDate?.timeIntervalSince1970 ?? .infinity)
        }
        for index in photographs.indices {
            guard let burst = photographs[index]?.original.burstIdentifier else { continue }
            if let best = chosen[burst], rank(best) <= rank(index) { continue }
            chosen[burst] = index
        }
        for index in chosen.values { photographs[index]?.representsBurst = true }
    }
}
