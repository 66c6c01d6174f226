/// The last steps, in words.
struct StepTrace {
    private(set) var lines: [String] = []

    mutating func note(_ number: Int, _ step: SoakStep) {
        lines.append("\(number): " + "\(step)".replacing("SoakKit.", with: "").replacing("LibraryEdit.", with: ""))
        if lines.count > 30 { lines.removeFirst() }
    }
}
