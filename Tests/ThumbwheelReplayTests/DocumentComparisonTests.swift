import Foundation
import Testing

@testable import ThumbwheelReplay

@Suite("DocumentComparison")
struct DocumentComparisonTests {
    private func replay(
        strategy: String = "thumbwheel", scenario: String = "brisk", blank: Int = 10, final: Int = 90, total: Int = 100
    ) -> Data {
        let counts =
            #""cellFrames":\#(total),"blankCellFrames":\#(blank),"placeholderCellFrames":0,"degradedCellFrames":0,"#
            + #""finalCellFrames":\#(final)"#
        return Data(
            #"""
            {"schema":"thumbwheel.replay/1","settings":{"workload":{"scenario":"\#(scenario)","previews":true}},
             "runs":[{"strategy":"\#(strategy)",\#(counts),"frames":7,"warm":{\#(counts)}}]}
            """#.utf8)
    }

    private func compare(_ base: Data, _ head: Data, tolerance: Double = 0.03) throws -> DocumentComparison {
        try DocumentComparison(base: ResultDocument(base), head: ResultDocument(head), tolerance: .share(tolerance))
    }

    @Test("a document is no worse than itself")
    func equal() throws {
        let comparison = try compare(replay(), replay())
        #expect(!comparison.hasRegression)
        #expect(comparison.rows.allSatisfy { $0.verdict == .same || $0.verdict == .none })
        #expect(comparison.rows.contains { $0.key == "warm.blankCellFrames" })
    }

    @Test("more blanks are worse one way and better the other, beyond the tolerance only")
    func directions() throws {
        let few = replay(blank: 100, final: 900, total: 1000)
        let more = replay(blank: 104, final: 896, total: 1000)
        func verdict(_ base: Data, _ head: Data, tolerance: Double) throws -> DocumentComparison.Verdict? {
            try compare(base, head, tolerance: tolerance).rows.first { $0.key == "blankCellFrames" }?.verdict
        }
        #expect(try verdict(few, more, tolerance: 0.03) == .worse)
        #expect(try verdict(more, few, tolerance: 0.03) == .better)
        #expect(try verdict(few, more, tolerance: 0.05) == .same)
        #expect(try compare(few, more).hasRegression)
    }

    @Test("what was nothing and is something now is worse at any tolerance")
    func fromZero() throws {
        #expect(try compare(replay(blank: 0, final: 100), replay(blank: 1, final: 99), tolerance: 5).hasRegression)
    }

    @Test("two strategies are laid side by side")
    func strategies() throws {
        let rows = try compare(replay(), replay(strategy: "naive")).rows
        #expect(rows.allSatisfy { $0.part == "thumbwheel" && $0.headPart == "naive" })
        #expect(!rows.isEmpty)
    }

    @Test("a comparison tells photographs with another kind of hash from different photographs")
    func hashes() throws {
        func document(_ hash: String) -> Data {
            let plain = String(decoding: replay(), as: UTF8.self)
            return Data(
                plain.replacingOccurrences(
                    of: #""previews":true"#, with: #""photographs":{"count":1,"contentHash":"\#(hash)"}"#
                ).utf8)
        }
        func reason(_ base: String, _ head: String) -> String {
            do {
                _ = try compare(document(base), document(head))
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(reason("outline-1", "outline-1") == "")
        #expect(reason("1", "1") == "")
        #expect(reason("outline-1", "outline-2").contains("photographs.contentHash"))
        #expect(reason("1", "outline-1").contains("a hash of all their bytes"))
        #expect(reason("outline-1", "1").contains("a hash of all their bytes"))
    }

    @Test("documents that cannot be compared say why")
    func refusals() throws {
        func reason(_ base: Data, _ head: Data) -> String {
            do {
                _ = try compare(base, head)
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(reason(replay(), replay(scenario: "hard")).contains("'scenario'"))
        #expect(reason(replay(), replay(final: 91)).contains("add up"))
        #expect(reason(replay(), replay().prefix(120)).contains("cut short"))
        #expect(reason(Data(), replay()).contains("JSON"))
        #expect(reason(replay(), Data(#"{"schema":"other/1","settings":{"workload":{}}}"#.utf8)).contains("other/1"))
        #expect(reason(replay(), Data(#"{"settings":{}}"#.utf8)).contains("'schema'"))
    }
}
