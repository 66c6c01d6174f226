import Foundation
import TestSupport
import Testing

private let gitPath = ["/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

@Suite("A package that depends on a tag of this one", .endsHangs)
struct DependencyTests {
    /// The first Swift block of the README: the ten lines that a newcomer tries.
    private static func readmeExample() throws -> String {
        let readme = try String(contentsOfFile: Checkout.root + "/README.md", encoding: .utf8)
        let parts = readme.components(separatedBy: "```swift\n")
        let block = try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
        return block
    }

    @Test(
        "builds and runs the README's example on the fixture library",
        .enabled(if: gitPath != nil, "there is no git"),
        .enabled(if: FileManager.default.fileExists(atPath: Checkout.fixtures), "run `make fixtures` first"))
    func readmeExampleRuns() async throws {
        // Given: the package as it stands, in a repository of its own, tagged.
        let scratch = try TemporaryFolder()
        let clone = scratch.file("thumbwheel")
        let list = try git("ls-files", "--cached", "--others", "--exclude-standard", in: Checkout.root)
        for name in list.split(separator: "\n").map(String.init) {
            let source = Checkout.root + "/" + name
            guard FileManager.default.fileExists(atPath: source) else { continue }
            let target = clone + "/" + name
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: target).deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: source, toPath: target)
        }
        try git("init", "--quiet", in: clone)
        try git("add", "--all", in: clone)
        try git(
            "-c", "user.name=Test", "-c", "user.email=test@localhost", "commit", "--quiet", "--message", "As it stands",
            in: clone)
        try git("tag", "1.0.0", in: clone)

        // When: a small package names that tag and nothing else.
        let example = try Self.readmeExample()
        #expect(example.split(separator: "\n").filter { !$0.hasPrefix("//") }.count <= 10, "it is called ten lines")
        let host = scratch.file("host")
        try FileManager.default.createDirectory(atPath: host + "/Sources/host", withIntermediateDirectories: true)
        try Data(
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "host", platforms: [.macOS(.v15)],
                dependencies: [.package(url: "file://\(clone)", exact: "1.0.0")],
                targets: [
                    .executableTarget(name: "host", dependencies: [.product(name: "Thumbwheel", package: "thumbwheel")])
                ])
            """.utf8
        ).write(to: URL(fileURLWithPath: host + "/Package.swift"))
        try Data(example.utf8).write(to: URL(fileURLWithPath: host + "/Sources/host/main.swift"))
        // Other tests, and in CI a whole build, need memory as well.
        let build = try await ThumbwheelProcess.runLong(
            "/usr/bin/env", ["swift", "build", "--jobs", "1", "--package-path", host])

        // Then: it builds, and does what the README says, without jemalloc in the process.
        #expect(build.status == 0, "\(build.output)\(build.errors)")
        let run = try ThumbwheelProcess.run(host + "/.build/debug/host", [Checkout.fixtures], in: scratch.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("camera-1-landscape-1600x1200.jpg"))
        let libraries = try ThumbwheelProcess.run("/usr/bin/env", ["ldd", host + "/.build/debug/host"])
        #expect(!libraries.output.contains("jemalloc"))
    }

    @discardableResult
    private func git(_ arguments: String..., in folder: String) throws -> String {
        let outcome = try ThumbwheelProcess.run(gitPath!, ["-C", folder] + arguments)
        #expect(outcome.status == 0, "git \(arguments.joined(separator: " ")): \(outcome.errors)")
        return outcome.output
    }
}
