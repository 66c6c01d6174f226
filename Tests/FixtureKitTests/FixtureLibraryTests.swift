import FixtureKit
import Foundation
import Testing

@Suite("FixtureLibrary")
struct FixtureLibraryTests {
    /// What is committed beside the sources, found from this file's own place.
    private static let committed = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    private static func committedSums() throws -> FixtureSums {
        try FixtureSums(contentsOf: committed.appending(path: "SHA256SUMS").path)
    }

    /// Those that are made in a moment.
    private static let quick = [
        "library/small-400x300.jpg", "library/arithmetic.jpg", "library/subsampling-440.jpg", "library/palette.png",
        "library/one-pixel.png", "library/animated.gif", "library/rgb.bmp", "damaged/text.jpg", "damaged/empty.jpg",
    ]

    @Test("the committed sums list exactly what is generated")
    func listed() throws {
        let sums = try Self.committedSums()
        let (exact, versioned) = FixtureLibrary.all.reduce(into: (Set<String>(), Set<String>())) { sets, fixture in
            if fixture.encoder == nil { sets.0.insert(fixture.path) } else { sets.1.insert(fixture.path) }
        }
        #expect(Set(sums.exact.keys) == exact)
        #expect(Set(sums.versioned.keys) == versioned)
        #expect(exact.count + versioned.count == FixtureLibrary.all.count, "two fixtures share a path")
    }

    @Test("the read-me tells what each file is for")
    func described() throws {
        let text = try String(contentsOf: Self.committed.appending(path: "README.md"), encoding: .utf8)
        for fixture in FixtureLibrary.all {
            #expect(text.contains("| `\(fixture.path)` | \(fixture.purpose) |"))
        }
    }

    @Test("small files come out with their committed sums, twice", arguments: quick)
    func deterministic(path: String) throws {
        let fixture = try #require(FixtureLibrary.fixture(path))
        let bytes = try fixture.bytes()
        #expect(try fixture.bytes() == bytes)
        #expect(try SHA256.hexadecimal(bytes) == Self.committedSums().exact[path])
    }

    @Test("encoders outside of the package repeat themselves")
    func versionedEncoders() throws {
        for path in ["library/grey.png", "library/lossless.webp"] {
            let fixture = try #require(FixtureLibrary.fixture(path))
            #expect(try fixture.bytes() == fixture.bytes())
        }
    }

    @Test("a second run keeps everything, and mends what is broken")
    func idempotent() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "fixtures-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let sums = try Self.committedSums()
        let fixtures = Self.quick.compactMap(FixtureLibrary.fixture)

        let first = try FixtureLibrary.write(to: directory, checking: sums, only: fixtures)
        #expect(first.written == Self.quick)
        #expect(first.unchecked.isEmpty)
        #expect(!first.isFailure)

        try Data([1, 2, 3]).write(to: URL(filePath: "\(directory)/library/rgb.bmp"))
        try Data([1]).write(to: URL(filePath: "\(directory)/library/stray.txt"))
        let second = try FixtureLibrary.write(to: directory, checking: sums, only: fixtures)
        #expect(second.written == ["library/rgb.bmp"])
        #expect(second.kept.count == fixtures.count - 1)
        #expect(second.strays == ["library/stray.txt"])
    }

    @Test("a file that does not have its sum is a failure")
    func mismatch() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "fixtures-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let fixture = try #require(FixtureLibrary.fixture("library/one-pixel.png"))
        var sums = FixtureSums()
        sums.exact[fixture.path] = String(repeating: "0", count: 64)

        let outcome = try FixtureLibrary.write(to: directory, checking: sums, only: [fixture])
        #expect(outcome.mismatched == [fixture.path])
        #expect(outcome.isFailure)
    }
}
