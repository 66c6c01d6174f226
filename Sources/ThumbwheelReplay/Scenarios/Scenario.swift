import Foundation
import ThumbwheelCore
import ThumbwheelGrid

/// The kinds of scrolls that a seed can make.
public enum Scenario: String, Sendable, CaseIterable {
    /// Flicks around 1.5 px/ms, with pauses to look; a quarter of the flicks go back.
    case gentle
    /// Flicks around 4 px/ms with short pauses.
    case brisk
    /// Chained flings around 9 px/ms, without pauses.
    case hard
    /// Drags the scroll bar: jumps of thousands of rows, with a rest after each.
    case scrub
    /// Scrolls far down, and then straight back to the top.
    case boomerang
    /// Scans far at full speed, and then returns to where the scan began.
    case flyby
    /// Enters and leaves albums, popular ones more often.
    case albums
    /// Assets arrive, change, move and leave while the grid moves.
    case growing
    /// Plays all other scenarios, in an order that depends on the seed.
    case mixed

    /// Makes the scroll that belongs to a seed, which is the same on every machine.
    ///
    /// - Parameters:
    ///   - seed: The seed of all choices.
    ///   - layout: The grid.
    ///   - kind: The kind of layout that is made of the grid.
    ///   - itemCount: The number of assets. In scenarios in which assets arrive, not all are shown at the beginning.
    ///   - seconds: The length of the scroll in seconds.
    ///   - viewer: The number of the viewer among several. The first begins at the top, each of the others at a place of its
    ///     own, more likely near the top (uniform in the logarithm).
    public func trace(
        seed: UInt64, layout: GridLayout, kind: LayoutKind = .grid, itemCount: Int, seconds: Double, viewer: Int = 0
    ) -> ScrollTrace {
        var generator = SeededGenerator(seed: seed &+ UInt64(viewer))
        let shownCount = self == .growing || self == .mixed ? itemCount - Arrivals.reserve(of: itemCount) : itemCount
        let contents = LaidOutContents(GridContents(count: shownCount), kind, in: layout)
        let bottom = contents.layout.maximumOffset
        let start = viewer == 0 ? 0 : pow(bottom + 1, generator.unit()) - 1
        var finger = Finger(
            generator: generator, contents: contents, assetCount: itemCount, start: start, end: seconds * 1000)
        finger.rest(milliseconds: 800)
        if self == .mixed { finger.playAll(seconds: seconds) } else { finger.play(self) }
        let changes = !finger.events.isEmpty
        return ScrollTrace(
            layout: layout, kind: kind, samples: finger.samples, events: finger.events,
            itemCount: changes ? shownCount : nil,
            assetCount: changes ? itemCount : nil)
    }
}

extension Finger {
    /// The longest time, in seconds, that one scenario lasts among others.
    private static let longestPart = 30.0

    /// Plays every scenario once, in an order that depends on the seed, and then again in another order, as long as there is
    /// time.
    fileprivate mutating func playAll(seconds: Double) {
        let parts = Scenario.allCases.filter { $0 != .mixed }
        let length = min(Self.longestPart, seconds / Double(parts.count)) * 1000
        let last = end
        var arrivals = Arrivals(itemCount: assetCount)
        while time < last {
            for scenario in parts.shuffled(using: &generator) where time < last {
                end = min(time + length, last)
                play(scenario, &arrivals)
            }
        }
    }

    fileprivate mutating func play(_ scenario: Scenario) {
        var arrivals = Arrivals(itemCount: assetCount)
        play(scenario, &arrivals)
    }

    private mutating func play(_ scenario: Scenario, _ arrivals: inout Arrivals) {
        let albums = scenario == .albums ? Albums(assetCount: assetCount) : nil
        while !isDone {
            switch scenario {
            case .gentle:
                turn(probability: 0.25)
                fling(speeds: 0.8...2.2, until: .speed(0.1))
                rest(milliseconds: generator.value(in: 300...1500))
            case .brisk:
                turn(probability: 0.15)
                fling(speeds: 2.5...5.5, until: .speed(0.3))
                rest(milliseconds: generator.value(in: 50...500))
            case .hard:
                turn(probability: 0.1)
                fling(speeds: 7...11, until: .milliseconds(generator.value(in: 150...500)))
            case .scrub:
                drag(to: generator.unit() * maximumOffset, milliseconds: 350)
                rest(milliseconds: generator.value(in: 400...1600))
            case .boomerang: throwAndReturn()
            case .flyby: scanAndReturn()
            case .albums: visit(albums!)
            case .growing: scroll(&arrivals)
            case .mixed: preconditionFailure("a part of itself")
            }
        }
        leaveAlbum()
    }

    private mutating func throwAndReturn() {
        let milliseconds = generator.value(in: 3000...6000)
        let depth = milliseconds * generator.value(in: 2...4)
        drag(to: depth, milliseconds: milliseconds)
        rest(milliseconds: generator.value(in: 200...600))
        drag(to: 0, milliseconds: milliseconds)
        rest(milliseconds: generator.value(in: 200...600))
    }

    private mutating func scanAndReturn() {
        let home = offset
        let milliseconds = generator.value(in: 2000...4000)
        drag(to: home + 9 * milliseconds, milliseconds: milliseconds)
        rest(milliseconds: generator.value(in: 100...300))
        drag(to: home, milliseconds: milliseconds / 2)
        rest(milliseconds: generator.value(in: 800...2000))
        // Scrolls on from there, so that the next scan begins a little farther down.
        fling(speeds: 1...2, until: .speed(0.1))
    }
}
