import Thumbwheel

/// A form of values that options have: how the usage shows one, and how it is read.
struct ValueForm<Value> {
    /// The value as the usage shows it: the default, or a placeholder for nil.
    let shown: (Value?) -> String
    /// Reads the value of the option of that name.
    let read: (_ name: String, _ text: String) throws(CommandError) -> Value
}

extension ValueForm<Int> {
    static func integer(in range: ClosedRange<Int>) -> ValueForm {
        ValueForm(shown: { $0.map(String.init) ?? "N" }) { (name, text) throws(CommandError) in
            guard let value = Int(text), range.contains(value) else {
                throw CommandError(
                    "\(name) \(text): give a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }

    /// A number of bytes with an optional KiB, MiB or GiB.
    static var byteCount: ValueForm {
        ValueForm(shown: { $0.map(ByteCount.text) ?? "BYTES" }) { (name, text) throws(CommandError) in
            guard let count = ByteCount.parse(text) else {
                throw CommandError("\(name) \(text): give a number of bytes above 0, for instance 64MiB")
            }
            return count
        }
    }
}

extension ValueForm<UInt64> {
    static var seed: ValueForm {
        let integer = ValueForm<Int>.integer(in: 0...Int.max)
        return ValueForm(shown: { $0.map { "\($0)" } ?? "N" }) { (name, text) throws(CommandError) in
            UInt64(try integer.read(name, text))
        }
    }
}

extension ValueForm<Double> {
    static func number(in range: ClosedRange<Double>) -> ValueForm {
        ValueForm(shown: { $0.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" } ?? "N" }) {
            (name, text) throws(CommandError) in
            guard let value = Double(text), range.contains(value) else {
                throw CommandError("\(name) \(text): give a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }

    /// A share, as `3%` or `0.03`.
    static var share: ValueForm {
        ValueForm(shown: { _ in "3%" }) { (name, text) throws(CommandError) in
            let number = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
            guard let number, number >= 0, number <= 10 else {
                throw CommandError("\(name) \(text): give a share such as 3%")
            }
            return number
        }
    }
}

extension ValueForm<String> {
    static func text(_ placeholder: String) -> ValueForm {
        ValueForm(shown: { $0 ?? placeholder }) { (_, text) throws(CommandError) in text }
    }
}

extension ValueForm where Value: RawRepresentable<String> & CaseIterable & Equatable {
    /// One of the cases; the usage names them all, the default first.
    static var choice: ValueForm {
        ValueForm(shown: { standard in
            let others = Value.allCases.filter { $0 != standard }
            return ((standard.map { [$0] } ?? []) + others).map(\.rawValue).joined(separator: "|")
        }) { (name, text) throws(CommandError) in
            guard let value = Value(rawValue: text) else {
                throw CommandError(
                    "\(name) \(text): use one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return value
        }
    }
}

extension ValueForm {
    /// Several of the cases with commas between; the usage names them all.
    static func choices<Choice>() -> ValueForm
    where Value == [Choice], Choice: RawRepresentable<String> & CaseIterable & Equatable {
        ValueForm(shown: { _ in Choice.allCases.map(\.rawValue).joined(separator: ",") }) {
            (name, text) throws(CommandError) in
            var chosen: [Choice] = []
            for word in text.split(separator: ",", omittingEmptySubsequences: false) {
                chosen.append(try ValueForm<Choice>.choice.read(name, String(word)))
            }
            return chosen
        }
    }
}

extension ValueForm<OutputFile> {
    /// A file to be written, checked before any work is done for it.
    static var file: ValueForm {
        ValueForm(shown: { _ in "FILE" }) { (name, path) throws(CommandError) in
            try OutputFile(path: path, option: name)
        }
    }
}
