import Testing

@testable import ThumbwheelRendering

@Suite("Values that were made lately")
struct ValueCacheTests {
    private final class Counter {
        private(set) var made: [Int] = []

        func value(_ key: Int, of values: ValueCache<Int, String>, isKept: Bool = true) -> String {
            values.value(
                for: key, isKept: { _ in isKept },
                make: {
                    made.append(key)
                    return "\(key)"
                })
        }
    }

    @Test("are made once, and the least recently used goes")
    func eviction() {
        let values = ValueCache<Int, String>(capacity: 2)
        let counter = Counter()
        for key in [1, 2, 1, 3, 1, 3, 2] { #expect(counter.value(key, of: values) == "\(key)") }
        // 2 went for 3, as 1 had been used since; then 1 goes for 2.
        #expect(counter.made == [1, 2, 3, 2])
        _ = counter.value(3, of: values)
        #expect(counter.made == [1, 2, 3, 2])
        _ = counter.value(1, of: values)
        #expect(counter.made == [1, 2, 3, 2, 1])
    }

    @Test("that are not worth their memory are made each time, and nothing goes for them")
    func notKept() {
        let values = ValueCache<Int, String>(capacity: 1)
        let counter = Counter()
        _ = counter.value(1, of: values)
        for _ in 0..<2 { _ = counter.value(2, of: values, isKept: false) }
        _ = counter.value(1, of: values)
        #expect(counter.made == [1, 2, 2])
    }
}
