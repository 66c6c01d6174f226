/// The dates in the chunks of a PNG: texts (W3C PNG, third edition, 11.3.3), and the date of the last change (`tIME`).
struct PNGDates {
    private var creationTime: CaptureDate?
    private var conversion: CaptureDate?
    private var change: CaptureDate?

    /// The most trusted date: the date of creation, else that of ImageMagick's first conversion, else that of the last
    /// change.
    var best: (date: CaptureDate, source: DateSource)? {
        if let date = creationTime ?? conversion { return (date, .pngText) }
        return change.map { ($0, .pngTime) }
    }

    /// Reads a text if its keyword announces a date.
    ///
    /// - Parameter bytes: the keyword, a NUL and the text, without a language.
    mutating func readText(_ bytes: [UInt8]) {
        let keyword = bytes.prefix { $0 != 0 }
        let isCreationTime = keyword.elementsEqual("Creation Time".utf8)
        guard isCreationTime || keyword.elementsEqual("date:create".utf8) else { return }
        let text = [UInt8](bytes.dropFirst(keyword.count + 1))
        let date = CaptureDate(iso: text) ?? CaptureDate(mail: text)
        if isCreationTime { creationTime = creationTime ?? date } else { conversion = conversion ?? date }
    }

    /// Reads the seven bytes of a `tIME` chunk, which are in Greenwich time.
    mutating func readChange(_ bytes: [UInt8]) {
        guard bytes.count == 7, change == nil else { return }
        let parts = bytes.map(Int.init)
        let date = CaptureDate(
            year: parts[0] << 8 | parts[1], month: parts[2], day: parts[3], hour: parts[4], minute: parts[5],
            second: parts[6], secondsFromGMT: 0)
        if date.isInCalendar { change = date }
    }
}
