/// The committed sums: what the files must be.
package struct FixtureSums: Sendable, Hashable {
    /// Sums of files whose bytes are the same on every machine, by path.
    package var exact: [String: String] = [:]
    /// Sums of files that depend on an encoder's version, with that version, by path.
    package var versioned: [String: Versioned] = [:]

    package struct Versioned: Sendable, Hashable {
        package var sum: String
        /// Such as "libvips-8.14.1/libwebp-1.2.4".
        package var encoder: String

        package init(sum: String, encoder: String) {
            self.sum = sum
            self.encoder = encoder
        }
    }

    package init() {}

    /// Reads `sha256sum`'s format, and the same with a third column for the versioned files.
    package init(exact: String, versioned: String) throws(FixtureError) {
        for (fields, line) in Self.lines(exact) {
            guard fields.count == 2 else { throw .malformedSums(line) }
            self.exact[fields[1]] = fields[0]
        }
        for (fields, line) in Self.lines(versioned) {
            guard fields.count == 3 else { throw .malformedSums(line) }
            self.versioned[fields[1]] = Versioned(sum: fields[0], encoder: fields[2])
        }
    }

    private static func lines(_ text: String) -> [(fields: [String], line: String)] {
        text.split(separator: "\n").map { line in
            (line.split(separator: " ").map(String.init), String(line))
        }
    }

    /// The text of `SHA256SUMS`, sorted by path.
    package var exactText: String {
        exact.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }.joined()
    }

    /// The text of `SHA256SUMS.encoders`, sorted by path.
    package var versionedText: String {
        versioned.sorted { $0.key < $1.key }.map { "\($0.value.sum)  \($0.key)  \($0.value.encoder)\n" }.joined()
    }

    /// The sum that `fixture` must have here, or nil if none is known for the encoder that is installed.
    package func expected(for fixture: Fixture) -> String? {
        guard let encoder = fixture.encoder else { return exact[fixture.path] }
        guard let known = versioned[fixture.path], known.encoder == encoder.version else { return nil }
        return known.sum
    }

    /// Notes what `fixture` came out as.
    package mutating func record(_ sum: String, for fixture: Fixture) {
        if let encoder = fixture.encoder {
            versioned[fixture.path] = Versioned(sum: sum, encoder: encoder.version)
        } else {
            exact[fixture.path] = sum
        }
    }
}
