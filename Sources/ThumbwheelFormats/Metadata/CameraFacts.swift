/// The facts in EXIF that tell what kind of camera took a photograph, and how.
struct CameraFacts {
    /// The maker of the camera in lower-case letters; empty if the file names none.
    private(set) var maker = ""
    private(set) var lensModel = ""
    /// The program that wrote the file, or the camera's firmware; empty if the file names none.
    private(set) var software = ""
    private(set) var comment = ""
    /// The exposure time in seconds.
    private(set) var exposureTime: Double?
    /// How the camera rendered the photograph; iPhones use numbers beyond the standard's 0 and 1.
    private(set) var customRendering: Int?
    private(set) var note: AppleMakerNote?

    var isApple: Bool { maker == "apple" }

    init() {}

    /// Reads the facts. Facts after a damaged one are left out.
    init(_ reader: inout HeadReader, _ exif: EXIF) throws(HeadError) {
        guard let structure = exif.structure else { return }
        let (main, details) = (exif.main.entries, exif.details.entries)
        do throws(HeadError) {
            maker = Self.text(try structure.text(&reader, main[Tag.make])).lowercased()
            software = Self.text(try structure.text(&reader, main[Tag.software]))
            lensModel = Self.text(try structure.text(&reader, details[Tag.lensModel]))
            // The first eight bytes name the character set; all character sets in use contain ASCII.
            let comment = try structure.bytes(&reader, details[Tag.userComment], limit: 40) ?? []
            self.comment = Self.text(comment.dropFirst(8).filter { $0 != 0 })
            exposureTime = try structure.number(&reader, details[Tag.exposureTime])
            customRendering = try structure.integer(&reader, details[Tag.customRendered])
            if isApple, let entry = details[Tag.makerNote] {
                note = try AppleMakerNote(&reader, in: structure.extent.clamped(to: entry.range))
            }
        } catch  where error.concernsBytes {
            // The facts before the damage are kept.
        }
    }

    private static func text(_ bytes: [UInt8]?) -> String {
        var text = (bytes ?? []).drop { $0 == 0x20 }
        while text.last == 0x20 { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }
}
