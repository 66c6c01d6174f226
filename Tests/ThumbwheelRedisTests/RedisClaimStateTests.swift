import TestSupport
import Testing

@testable import ThumbwheelRedis

/// Claims of several servers in every order in which things can happen.
@Suite(.endsHangs) struct RedisClaimStateTests {
    /// Visits every state that can be reached.
    ///
    /// - Parameter end: called with each state in which nothing is under way any more.
    private func explore(_ world: ClaimWorld, end: (ClaimWorld) -> Void) -> Int {
        var seen: Set<ClaimWorld> = [world]
        var open = [world]
        while let world = open.popLast() {
            let steps = world.steps
            if steps.isEmpty { end(world) }
            for step in steps + world.faults {
                var next = world
                next.take(step)
                if seen.insert(next).inserted { open.append(next) }
            }
        }
        return seen.count
    }

    @Test(
        "of several servers exactly one makes the value, and all others get it, in every order", arguments: [1, 2, 3])
    func once(serverCount: Int) {
        let count = explore(ClaimWorld(serverCount: serverCount)) { world in
            #expect(world.makeCount == 1)
            #expect(world.servers.count { $0.answer == .won } == 1)
            #expect(world.servers.count { $0.answer == .found } == serverCount - 1)
            #expect(world.holder == nil)
            #expect(!world.servers.contains { $0.isSubscribed })
        }
        #expect(count > serverCount * serverCount * 4)
    }

    @Test("whoever gives up, dies, loses its subscription or its claim: nobody waits for ever, except for the dead")
    func faults() {
        for faultCount in 1...3 {
            _ = explore(ClaimWorld(serverCount: 2, faultCount: faultCount)) { world in
                // A dead holder's claim ends by its lifetime, and who waits for it by its own patience.
                let mayWait = world.servers.contains { $0.isDead } || world.holder != nil
                for server in world.servers where !server.isDead && !mayWait {
                    #expect(server.answer != nil)
                }
                #expect(world.makeCount <= 1 + faultCount)
            }
        }
    }

    @Test("where servers only give up, one of those that stay makes the value")
    func givingUp() {
        _ = explore(ClaimWorld(serverCount: 3)) { _ in }
        var world = ClaimWorld(serverCount: 3)
        // The first wins, the others wait; then the first gives up.
        for step in [.execute(0), .reply(0), .execute(1), .reply(1), .execute(2), .reply(2)] as [ClaimWorld.Step] {
            world.take(step)
        }
        #expect(world.servers[0].isMaking)
        world.faultCount = 1
        world.take(.giveUp(0))
        _ = explore(world) { world in
            #expect(world.makeCount == 1)
            #expect(world.servers.dropFirst().count { $0.answer == .won } == 1)
            #expect(world.servers.dropFirst().count { $0.answer == .found } == 1)
        }
    }

    @Test(
        "where the value cannot be kept all make their own, and whoever waited with the first one does not wait again")
    func unstorable() {
        _ = explore(ClaimWorld(serverCount: 3, isStorable: false)) { world in
            #expect(world.servers.allSatisfy { $0.answer == .won || $0.answer == .unavailable })
            #expect(world.holder == nil)
            #expect(!world.servers.contains { $0.isSubscribed })
        }
        // The first wins, and the others wait for it.
        var world = ClaimWorld(serverCount: 3, isStorable: false)
        for index in 0..<3 {
            world.take(.execute(index))
            world.take(.reply(index))
        }
        for index in 1..<3 {
            for step in [.subscribe(index), .push(index), .execute(index), .reply(index)] as [ClaimWorld.Step] {
                world.take(step)
            }
        }
        world.take(.make(0))
        _ = explore(world) { world in
            #expect(world.servers.dropFirst().allSatisfy { $0.answer == .unavailable })
            #expect(world.makeCount == 1)
        }
    }

    @Test("a claim that ends while its attempt is under way is freed if the attempt has taken it")
    func leaving() {
        var claim = RedisClaimState()
        #expect(claim.end() == [.answer(.unavailable)])
        #expect(claim.end() == [])
        #expect(claim.attempted(isWon: true, hasValue: false) == [.release(.lookAgain)])
        #expect(claim.attempted(isWon: true, hasValue: false) == [])
        var failed = RedisClaimState()
        #expect(failed.attemptFailed() == [.answer(.unavailable)])
        #expect(failed.attempted(isWon: true, hasValue: false) == [])
        #expect(failed.notified(.lookAgain) == [])
    }
}
