/// A search for a sequence of letters in a text, by the algorithm of Knuth, Morris and Pratt (1977). The time is linear
/// in both lengths. A search that starts again at every letter would take quadratic time, which people who choose names
/// or search texts could exploit.
struct LetterSearch<Letter: Hashable & Sendable>: Sendable, Hashable {
    let letters: [Letter]
    /// For each prefix of the letters, the length of its longest border: a shorter prefix that is also the end of this
    /// prefix.
    private let borders: [Int]

    init(_ letters: [Letter]) {
        self.letters = letters
        var borders = [Int](repeating: 0, count: letters.count)
        var length = 0
        for index in letters.indices.dropFirst() {
            while length > 0, letters[index] != letters[length] { length = borders[length - 1] }
            if letters[index] == letters[length] { length += 1 }
            borders[index] = length
        }
        self.borders = borders
    }

    @inline(__always)
    func areIn(_ text: some Sequence<Letter>) -> Bool {
        guard let first = letters.first else { return true }
        var length = 0
        for letter in text {
            // Most letters of a text differ from the first wanted letter, so this comparison comes first.
            if length == 0, letter != first { continue }
            while length > 0, letter != letters[length] { length = borders[length - 1] }
            if letter == letters[length] { length += 1 }
            if length == letters.count { return true }
        }
        return false
    }
}
