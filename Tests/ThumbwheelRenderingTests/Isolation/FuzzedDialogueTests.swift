import Testing
import ThumbwheelCore

@_spi(Fuzzing) @testable import ThumbwheelRendering

#if os(Linux)
@Suite("Dialogues in which one side says anything")
struct FuzzedDialogueTests {
    @Test("dialogues as they are, and damaged ones, end")
    func damage() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for example in FuzzedDialogue.examples {
            FuzzedDialogue.play(example)
            for _ in 0..<100 {
                var bytes = example
                for _ in 0...random.next() % 4 {
                    bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                FuzzedDialogue.play(bytes)
            }
        }
    }
}
#endif
