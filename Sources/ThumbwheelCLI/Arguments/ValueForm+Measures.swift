import Thumbwheel

// MARK: Values with a form of their own

extension ValueForm<PixelSize> {
    /// A size of images: the longest side is the longest that a JPEG can have.
    static var size: ValueForm {
        pair(of: "WIDTHxHEIGHT in pixels", in: 1...65_500)
    }

    /// Columns and rows.
    static var grid: ValueForm {
        pair(of: "COLUMNSxROWS", in: 1...100)
    }

    private static func pair(of names: String, in range: ClosedRange<Int>) -> ValueForm {
        ValueForm("WxH", text: \.description) { (name, text) throws(CommandError) in
            guard let size = PixelSize(text), range.contains(size.width), range.contains(size.height) else {
                throw CommandError(
                    "\(name) \(text): give \(names), each from \(range.lowerBound) to \(range.upperBound)")
            }
            return size
        }
    }
}

extension ValueForm<NormalizedRect> {
    static var crop: ValueForm {
        ValueForm("X,Y,W,H") { (name, text) throws(CommandError) in
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            if numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
                let height = numbers[3]
            {
                let rect = NormalizedRect(x: x, y: y, width: width, height: height)
                if rect.isWithinUnitSquare { return rect }
            }
            throw CommandError(
                "\(name) \(text): give X,Y,WIDTH,HEIGHT in fractions of the image, within 0 and 1, not empty")
        }
    }
}
