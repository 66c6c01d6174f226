/// Walks through the directories of a TIFF file: those in the file's chain, and the subdirectories of each of them.
struct TIFFDirectoryWalk {
    /// A step of the walk: a directory, with the role of its picture.
    struct Step {
        let directory: TIFFStructure.Directory
        let role: Role
        /// Whether the directory's picture is the first page, or another picture of that page, such as a preview.
        let isOfFirstPage: Bool
        fileprivate let isInChain: Bool
    }

    /// The role of a directory's picture (TIFF 6.0, NewSubfileType, and SubfileType before it).
    enum Role {
        case full
        /// The picture is a smaller version of another picture.
        case reduced
        case mask
    }

    /// A directory that has not been examined yet.
    private struct Candidate {
        let directory: TIFFStructure.Directory
        /// Whether the directory is in the file's own chain, and not a subdirectory of another directory.
        let isInChain: Bool
        /// Whether the directory belongs to the first page as far as its position shows: the directory before it in the
        /// chain, or the directory that contains it, belongs to that page.
        let followsFirstPage: Bool
    }

    /// The greatest number of directories that are examined in a file, and below, the greatest number of subdirectories
    /// of one directory.
    private static let directoryLimit = 32
    private static let subdirectoryLimit = 8

    private let structure: TIFFStructure
    private var visited: Set<Int>
    private var waiting: [Candidate]
    // The directory that was returned last. The directories that follow it, and its subdirectories, have not been
    // looked for yet.
    private var last: Step?

    init(_ structure: TIFFStructure, main: TIFFStructure.Directory) {
        self.structure = structure
        visited = [structure.firstDirectory]
        waiting = [Candidate(directory: main, isInChain: true, followsFirstPage: true)]
    }

    /// Returns the next directory; nil after the last.
    mutating func next(_ reader: inout HeadReader) throws(HeadError) -> Step? {
        if let last { try findDirectories(&reader, behind: last) }
        last = nil
        guard let candidate = waiting.popLast() else { return nil }
        let role = try role(&reader, of: candidate.directory)
        // A full-size picture in the chain, other than the first, begins another page. All directories after it and
        // below it belong to that page.
        let beginsPage = candidate.isInChain && role == .full && visited.count > 1
        last = Step(
            directory: candidate.directory, role: role, isOfFirstPage: candidate.followsFirstPage && !beginsPage,
            isInChain: candidate.isInChain)
        return last
    }

    private mutating func findDirectories(_ reader: inout HeadReader, behind step: Step) throws(HeadError) {
        let directory = step.directory
        var places = directory.next.map { [$0] } ?? []
        let below = directory.entries[Tag.subdirectories]
        for index in 0..<min(below?.count ?? 0, Self.subdirectoryLimit) {
            guard let offset = try structure.integer(&reader, below, at: index),
                let place = try? structure.extent.subrange(at: offset, count: 2)
            else { continue }
            places.append(place.lowerBound)
        }
        for place in places where visited.count < Self.directoryLimit && visited.insert(place).inserted {
            waiting.append(
                Candidate(
                    directory: try structure.directory(&reader, at: place),
                    isInChain: step.isInChain && place == directory.next, followsFirstPage: step.isOfFirstPage))
        }
    }

    private func role(
        _ reader: inout HeadReader, of directory: TIFFStructure.Directory
    ) throws(HeadError) -> Role {
        let flags = try structure.integer(&reader, directory.entries[Tag.subfileType]) ?? 0
        let formerKind = try structure.integer(&reader, directory.entries[Tag.formerSubfileType])
        if flags & 4 != 0 { return .mask }
        return flags & 1 != 0 || formerKind == 2 ? .reduced : .full
    }
}
