import ThumbwheelCore

/// The pictures of a TIFF file that a decoder needs: the first page, and its smaller versions.
///
/// They are read from the file for each decode and not stored with the asset.
package struct TIFFPictures: Sendable, Equatable {
    package let byteOrder: ByteOrder
    package let picture: TIFFPicture
    /// Smaller versions of the picture, with the same kind of samples.
    package let levels: [TIFFPicture]
    /// The place of the ICC profile in the file.
    package let profile: Range<Int>?

    /// Reads the directories of the file.
    ///
    /// The limits of `HeadReader` apply. So for every file the result or an error comes within milliseconds.
    ///
    /// - Returns: nil if the first page has a layout that is not supported.
    package init?(reading source: any ByteSource) throws(HeadError) {
        var reader = HeadReader(source)
        let structure = try TIFFStructure(&reader, in: reader.extent)
        let main = try structure.directory(&reader, at: structure.firstDirectory)
        guard let picture = try TIFFPicture(&reader, structure, main) else { return nil }
        self.picture = picture
        byteOrder = structure.order
        profile = main.entries[Tag.profile].map { $0.position..<$0.position + $0.count }
        var levels: [TIFFPicture] = []
        var walk = TIFFDirectoryWalk(structure, main: main)
        do throws(HeadError) {
            while let step = try walk.next(&reader) {
                guard step.role == .reduced, step.isOfFirstPage,
                    let level = try TIFFPicture(&reader, structure, step.directory), level.isLevel(of: picture)
                else { continue }
                levels.append(level)
            }
        } catch  where error.concernsBytes {
            // The levels that were found before the damage are kept.
        }
        self.levels = levels
    }
}

extension TIFFPicture {
    /// Whether the picture can replace a larger one: it has the same kind of samples, and the same shape to within a
    /// pixel each way.
    fileprivate func isLevel(of whole: TIFFPicture) -> Bool {
        guard size.width < whole.size.width, size.height < whole.size.height,
            coding.samplesPerPixel == whole.coding.samplesPerPixel, bitsPerSample == whole.bitsPerSample,
            coding.photometricInterpretation == whole.coding.photometricInterpretation,
            coding.extraSample == whole.coding.extraSample
        else { return false }
        let difference = abs(size.width * whole.size.height - size.height * whole.size.width)
        return difference <= whole.size.width + whole.size.height
    }
}
