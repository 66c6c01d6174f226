import Foundation
import Testing

@testable import ThumbwheelReplay

@Suite("Comparison of counts")
struct CountsComparisonTests {
    private func counts(_ figures: [(name: String, unit: FigureUnit, value: Double)]) throws -> ResultDocument {
        let entries = figures.map { #"{"name":"\#($0.name)","unit":"\#($0.unit.rawValue)","value":\#($0.value)}"# }
        let text =
            #"{"schema":"thumbwheel.counts/1","settings":{"workload":{}},"figures":[\#(entries.joined(separator: ","))]}"#
        return try ResultDocument(Data(text.utf8))
    }

    private func verdict(
        _ unit: FigureUnit, _ base: Double, _ head: Double, _ tolerance: FigureTolerance?
    ) throws -> DocumentComparison.Verdict? {
        try DocumentComparison(
            base: counts([("figure", unit, base), ("other", unit, 1)]),
            head: counts([("figure", unit, head), ("other", unit, 1)]), tolerance: tolerance
        ).rows.first { $0.part == "figure" }?.verdict
    }

    @Test("each unit has a tolerance of its own, and instructions a wider one between machines")
    func units() throws {
        #expect(try verdict(.instructions, 1000, 1030, .oneMachine) == .worse)
        #expect(try verdict(.instructions, 1000, 1030, .anyMachine) == .same)
        #expect(try verdict(.instructions, 1000, 1030, nil) == .same)
        #expect(try verdict(.instructions, 1000, 1060, nil) == .worse)
        #expect(try verdict(.bytes, 1000, 1050, nil) == .worse)
        #expect(try verdict(.allocations, 20, 21, nil) == .worse)
        #expect(try verdict(.virtualMilliseconds, 100, 104, .oneMachine) == .worse)
        #expect(try verdict(.virtualMilliseconds, 100, 50, .oneMachine) == .better)
        #expect(try verdict(.instructions, 1000, 1030, .share(0.1)) == .same)
    }

    @Test("a figure that is gone is a regression, one that is new is none")
    func unpaired() throws {
        let both = try counts([("one", .bytes, 1), ("other", .bytes, 2)])
        let one = try counts([("one", .bytes, 1)])
        let gone = try DocumentComparison(base: both, head: one)
        #expect(gone.hasRegression)
        #expect(gone.rows.map(\.verdict) == [.same, .gone])
        let new = try DocumentComparison(base: one, head: both)
        #expect(!new.hasRegression)
        #expect(new.rows.map(\.verdict) == [.same, .new])
    }

    @Test("a unit that was not measured at all is not gone")
    func unitsNotAskedFor() throws {
        let all = try counts([("one", .bytes, 1), ("other", .instructions, 2)])
        let rows = try DocumentComparison(base: all, head: try counts([("one", .bytes, 1)])).rows
        #expect(rows.map(\.part) == ["one"])
    }

    /// Rounds in which the head takes `ratios` of the base's time.
    private func rounds(_ ratios: [Double]) throws -> TimedRounds {
        var rounds = TimedRounds()
        for (number, ratio) in ratios.enumerated() {
            // A machine that gets slower and slower disturbs both.
            let base = 100 * Double(number + 1)
            rounds.add(
                base: try counts([("one", .nanoseconds, base)]), head: try counts([("one", .nanoseconds, base * ratio)])
            )
        }
        return rounds
    }

    @Test("a time is the median of the rounds' ratios, and decides only where two repeats agree")
    func times() throws {
        let slow = try rounds([1.2, 3, 1.15, 1.3, 1.12])
        let even = try rounds([1, 0.5, 1.05, 1, 1])
        #expect(TimedRounds.rows([slow]).map(\.verdict) == [.advice])
        #expect(TimedRounds.rows([slow, slow]).map(\.verdict) == [.advice])
        #expect(TimedRounds.rows([slow, slow, even]).map(\.verdict) == [.advice])
        #expect(TimedRounds.rows([slow, slow, slow]).map(\.verdict) == [.worse])
        #expect(TimedRounds.rows([even]).map(\.verdict) == [.same])
        let ratio = try #require(TimedRounds.rows([slow]).first?.ratio)
        #expect(abs(ratio - 1.2) < 1e-9)
        #expect(slow.hasSlower)
        #expect(!even.hasSlower)
        #expect(TimedRounds.rows([]).isEmpty)
    }

    @Test("a time decides neither by its median alone nor in few rounds")
    func doubtfulTimes() throws {
        // The first round has the least times of both.
        let disturbed = try rounds([1, 1.3, 1.3, 1.3, 1.3])
        #expect(TimedRounds.rows([disturbed, disturbed, disturbed]).map(\.verdict) == [.advice])
        #expect(!disturbed.hasSlower)
        let few = try rounds([2, 2, 2])
        #expect(TimedRounds.rows([few, few, few]).map(\.verdict) == [.advice])
    }

    @Test("the report says what is worse first, and lets no name be markup")
    func report() throws {
        var comparison = try DocumentComparison(
            base: counts([("<one>", .bytes, 100), ("two", .bytes, 100)]),
            head: counts([("<one>", .bytes, 150), ("two", .bytes, 100)]))
        comparison.add(TimedRounds.rows([try rounds([1])]))
        let html = ComparisonReport(
            comparison, base: "main & more", head: "this", command: "thumbwheel compare", host: .current
        ).html
        #expect(html.hasPrefix("<!DOCTYPE html>"))
        #expect(html.contains("One regression"))
        #expect(html.contains("&lt;one&gt;") && !html.contains("<one>"))
        #expect(html.contains("main &amp; more"))
        #expect(html.contains("+50.00"))
        #expect(!html.contains("http"))
    }
}
