import Testing

@testable import ThumbwheelReplay

@Suite struct SegmentedArrayTests {
    @Test("holds what an array holds, at lengths around its segments' ends", arguments: [0, 1, 511, 512, 513, 2000])
    func contents(count: Int) {
        var segmented = SegmentedArray<Int>()
        for number in 0..<count { segmented.append(number * 3) }
        #expect(segmented.count == count)
        #expect(Array(segmented) == (0..<count).map { $0 * 3 })
        for index in segmented.indices { segmented[index] += index }
        #expect(Array(segmented) == (0..<count).map { $0 * 4 })
    }

    @Test("a copy is a value of its own")
    func copies() {
        var one = SegmentedArray<Int>()
        for number in 0..<600 { one.append(number) }
        var other = one
        other[5] = -1
        other.append(600)
        #expect(one[5] == 5 && one.count == 600)
        #expect(other[5] == -1 && other.count == 601)
    }
}
