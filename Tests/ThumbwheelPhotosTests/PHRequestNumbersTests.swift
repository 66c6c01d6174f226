import Testing
import Thumbwheel

@testable import ThumbwheelPhotos

@Suite("The names of PhotoKit's requests")
struct PHRequestNumbersTests {
    private let numbers = PHRequestNumbers()

    @Test("a request can be cancelled by its name before it is submitted, and no longer once it has ended")
    func cancelling() {
        let (first, firstToken) = numbers.begin()
        let (second, secondToken) = numbers.begin()
        #expect(first != second)
        numbers.end(second)
        numbers.cancel(first)
        numbers.cancel(second)
        #expect(firstToken.isCancelled)
        #expect(!secondToken.isCancelled)
    }
}
