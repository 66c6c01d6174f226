import Thumbwheel

// MARK: Values with a form of their own

extension Arguments {
    /// The longest side that may be asked for: what a JPEG can be.
    static let longestSide = 65_500

    func size(_ name: String) throws(CommandError) -> PixelSize? {
        guard let text = string(name) else { return nil }
        guard let size = PixelSize(text), (1...Self.longestSide).contains(size.width),
            (1...Self.longestSide).contains(size.height)
        else {
            throw CommandError("\(name) \(text): give WIDTHxHEIGHT in pixels, each from 1 to \(Self.longestSide)")
        }
        return size
    }

    func crop(_ name: String) throws(CommandError) -> NormalizedRect? {
        guard let text = string(name) else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        if numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2], let height = numbers[3] {
            let rect = NormalizedRect(x: x, y: y, width: width, height: height)
            if rect.isWithinUnitSquare { return rect }
        }
        throw CommandError(
            "\(name) \(text): give X,Y,WIDTH,HEIGHT in fractions of the image, within 0 and 1, not empty")
    }

    /// A file to be written, checked before any work is done for it.
    func file(_ name: String) throws(CommandError) -> OutputFile? {
        guard let path = string(name) else { return nil }
        return try OutputFile(path: path, option: name)
    }

    /// A number of bytes with an optional KiB, MiB or GiB.
    func byteCount(_ name: String, default standard: Int) throws(CommandError) -> Int {
        guard let text = string(name) else { return standard }
        guard let count = ByteCount.parse(text) else {
            throw CommandError("\(name) \(text): give a number of bytes above 0, for instance 64MiB")
        }
        return count
    }
}

enum ByteCount {
    private static let units = ["KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]

    /// A number above 0, and at most a tebibyte, with an optional unit.
    static func parse(_ text: String) -> Int? {
        let unit = units.first { text.hasSuffix($0.key) }
        guard let number = Int(text.dropLast(unit?.key.count ?? 0)), number > 0, number <= 1 << 40 / (unit?.value ?? 1)
        else { return nil }
        return number * (unit?.value ?? 1)
    }
}
