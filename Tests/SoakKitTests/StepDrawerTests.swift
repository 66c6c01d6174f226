import Testing
import Thumbwheel

@testable import SoakKit

@Suite struct StepDrawerTests {
    private func steps(seed: UInt64, _ count: Int) -> [String] {
        var world = SoakWorld(userCount: 4)
        var drawer = StepDrawer(seed: seed, limits: StepDrawer.Limits(assetCount: 20, nodeCount: 8))
        return (0..<count).map { _ in
            let step = drawer.next(&world)
            if case .edit(let edit, let user, _) = step {
                _ = try? world.library.apply(edit, by: world.users[user].access)
            }
            if case .look(let node, let user) = step { world.look(at: node, user: user) }
            if case .access(let numbers, let user, _) = step { world.users[user].access = .limited(Set(numbers)) }
            return "\(step)"
        }
    }

    @Test("a seed gives the same steps each time, and another seed others")
    func seeded() {
        #expect(steps(seed: 7, 500) == steps(seed: 7, 500))
        #expect(steps(seed: 7, 500) != steps(seed: 8, 500))
    }

    @Test("in some thousands of steps every kind of step and of edit comes up, pinned edits among them")
    func complete() {
        let steps = steps(seed: 1, 6000)
        let kinds = [
            "storm", "look", "access", "request", "cancelToken", "cancelRequests", "setPriority", "window", "openGrid",
            "scroll", "pressure", "dropManager", "openGate", "forget", "save", "restart", "damage",
        ]
        for kind in kinds { #expect(steps.contains { $0.hasPrefix(kind) }, "\(kind)") }
        let edits = [
            "upload", "replaceOriginal", "toggleFavorite", "toggleHidden", "adjust", "revert", "trash", "restore",
            "expunge", "createAlbum", "createFolder", "rename", "delete", "add", "insert", "move", "remove", "adopt",
            "moveChildren", "removeChildren",
        ]
        for edit in edits { #expect(steps.contains { $0.contains("LibraryEdit.\(edit)(") }, "\(edit)") }
        for edit in ["insert", "move", "remove", "moveChildren", "removeChildren"] {
            let isPinned = steps.contains {
                $0.contains("LibraryEdit.\(edit)(") && $0.contains("pinned: Optional(")
            }
            #expect(isPinned, "\(edit)")
        }
    }
}
