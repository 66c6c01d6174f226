import Testing
import ThumbwheelCore

struct RendezvousHashTests {
    private let names = (0..<20_000).map { "asset \($0)" }

    private func counts(_ hash: RendezvousHash) -> [String: Int] {
        names.reduce(into: [:]) { counts, name in counts[hash.owner(of: name)?.name ?? "nobody", default: 0] += 1 }
    }

    @Test("servers of equal weight get equal shares, in whatever order they are given")
    func balance() {
        let hash = RendezvousHash(names: ["a", "b", "c", "d"])
        for count in counts(hash).values { #expect((4_750...5_250).contains(count)) }
        let reversed = RendezvousHash(names: ["d", "c", "b", "a"])
        #expect(names.allSatisfy { hash.owner(of: $0) == reversed.owner(of: $0) })
    }

    @Test("weights are shares")
    func weights() {
        let hash = RendezvousHash([
            .init(name: "small"), .init(name: "large", weight: 3), .init(name: "none", weight: 0),
        ])
        let counts = counts(hash)
        #expect((14_600...15_400).contains(counts["large"] ?? 0))
        #expect(counts["none"] == nil)
    }

    @Test("when a server goes, only its names move, each to the next of its preference")
    func removal() {
        let all = RendezvousHash(names: ["a", "b", "c", "d", "e"])
        let rest = RendezvousHash(names: ["a", "b", "d", "e"])
        for name in names {
            let preference = all.preference(of: name)
            #expect(preference.first == all.owner(of: name))
            #expect(rest.owner(of: name) == preference.first { $0.name != "c" })
        }
    }

    @Test("owners are the same in every process and version")
    func golden() {
        let hash = RendezvousHash(names: ["10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.3:8080"])
        let owners = (0..<12).map { hash.servers.firstIndex(of: hash.owner(of: "photograph \($0)")!)! }
        #expect(owners == [1, 0, 1, 2, 1, 0, 0, 2, 1, 1, 2, 1])
    }

    @Test("without servers, nobody owns anything")
    func nobody() {
        #expect(RendezvousHash(names: []).owner(of: "a") == nil)
    }
}
