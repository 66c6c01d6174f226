/// The set of generated files that tests, examples and replays run on where no real photographs are at hand.
package enum FixtureLibrary {
    /// Every fixture, in the order in which they are written.
    package static var all: [Fixture] {
        cameras + jpegKinds + orientations + profiles + pngs + otherFormats + oddShapes + damaged
    }

    /// The fixture at `path`, such as "library/grey.jpg".
    package static func fixture(_ path: String) -> Fixture? { all.first { $0.path == path } }

    /// What `write` did.
    package struct Outcome: Sendable, Hashable {
        /// Paths of files that were made and written.
        package var written: [String] = []
        /// Paths of files that were there and right.
        package var kept: [String] = []
        /// Paths of files without a sum for the encoders installed here: they may differ from other machines'.
        package var unchecked: [String] = []
        /// What could not be made, with the reason.
        package var skipped: [String: FixtureError] = [:]
        /// Paths of files that came out otherwise than their sum says.
        package var mismatched: [String] = []
        /// Files in the fixtures' directories that are none of ours.
        package var strays: [String] = []
        package var byteCount = 0
        /// The sums given, with those of the files as they are now in their place.
        package var sums: FixtureSums

        /// A file is wrong.
        package var isFailure: Bool { !mismatched.isEmpty }
    }

    /// Makes `directory` hold the fixtures.
    ///
    /// A file that is there and has its sum is left alone; so is one that would be written with the bytes that it has.
    /// - Parameters:
    ///   - sums: what files must be; a file without a sum is made anew and counted as unchecked.
    ///   - fixtures: which ones; all by default.
    package static func write(
        to directory: String, checking sums: FixtureSums = FixtureSums(), only fixtures: [Fixture] = all
    ) throws(FixtureError) -> Outcome {
        var outcome = Outcome(sums: sums)
        for folder in ["library", "damaged"] { try FixtureFiles.makeDirectory("\(directory)/\(folder)") }
        for fixture in fixtures { try write(fixture, to: directory, checking: sums, outcome: &outcome) }
        let ours = Set(all.map(\.path))
        outcome.strays = ["library", "damaged"].flatMap { folder in
            FixtureFiles.names(in: "\(directory)/\(folder)").map { "\(folder)/\($0)" }.filter { !ours.contains($0) }
        }
        return outcome
    }

    private static func write(
        _ fixture: Fixture, to directory: String, checking sums: FixtureSums, outcome: inout Outcome
    ) throws(FixtureError) {
        let path = "\(directory)/\(fixture.path)"
        let expected = sums.expected(for: fixture)
        let present = try FixtureFiles.read(path)
        if let present, let expected, SHA256.hexadecimal(present) == expected {
            outcome.kept.append(fixture.path)
            outcome.byteCount += present.count
            return
        }
        let bytes: [UInt8]
        do {
            bytes = try fixture.bytes()
        } catch  where fixture.encoder != nil {
            // Formats of optional encoders are a bonus: the rest of the library is as good without them.
            outcome.skipped[fixture.path] = error
            return
        }
        if present == bytes {
            outcome.kept.append(fixture.path)
        } else {
            try FixtureFiles.write(bytes, to: path)
            outcome.written.append(fixture.path)
        }
        outcome.byteCount += bytes.count
        let sum = SHA256.hexadecimal(bytes)
        outcome.sums.record(sum, for: fixture)
        if let expected {
            if sum != expected { outcome.mismatched.append(fixture.path) }
        } else {
            outcome.unchecked.append(fixture.path)
        }
    }
}
