/// An order for a server of a benchmark: a photograph, by its number, and the side of the square thumbnail in pixels.
struct BenchServerOrder {
    let photograph: Int
    let side: Int

    init(photograph: Int, side: Int) { (self.photograph, self.side) = (photograph, side) }

    /// Reads the line that `text` gives; nil if it is another.
    init?(_ line: String) {
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2, numbers[1] > 0 else { return nil }
        (photograph, side) = (numbers[0], numbers[1])
    }

    var text: String { "\(photograph) \(side)" }
}
