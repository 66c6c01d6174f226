/// The photographs and videos that an import has found, by the paths of their main files.
///
/// With a million files, their metadata takes most of the memory of an import. So the transaction takes out each
/// photograph when it comes to its file.
struct ImportedPhotographs {
    private var list: [ImportedPhotograph?]
    private var places: [FilePath: UInt32]

    /// - Parameter list: the photographs, at most `UInt32.max` of them, with nil where there is none.
    init(_ list: [ImportedPhotograph?]) {
        self.list = list
        places = Dictionary(minimumCapacity: list.count)
        for (place, photograph) in list.enumerated() {
            guard let photograph, places[photograph.file.path] == nil else { continue }
            places[photograph.file.path] = UInt32(place)
        }
    }

    /// All photographs that have not been taken out.
    var all: some Sequence<ImportedPhotograph> { list.lazy.compactMap(\.self) }

    /// Returns the photograph whose main file has this path, and removes it.
    mutating func take(_ path: FilePath) -> ImportedPhotograph? {
        guard let place = places[path] else { return nil }
        return list[Int(place)].take()
    }
}
