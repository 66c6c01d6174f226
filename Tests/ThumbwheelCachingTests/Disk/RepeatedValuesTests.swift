import Testing

@testable import ThumbwheelCaching

struct RepeatedValuesTests {
    @Test("a value that another process has written meanwhile is not written again")
    func twice() throws {
        let fixture = try StoreFixture()
        let other = DiskStore(DiskStore.Configuration(folder: fixture.folder, byteLimit: 64 << 20))
        defer { other.close() }
        fixture.write(0..<10)
        for number in 5..<15 {
            other.put(StoreFixture.value(number, byteCount: 12_288), for: StoreFixture.key(number))
        }
        other.flush()
        #expect(other.statistics.writes == 5)
        let contents = try fixture.store.contents()
        #expect(contents.entryCount == 15)
        #expect(contents.valueByteCount == 15 * 12_288)
        #expect(fixture.found(in: 0..<20) == Array(0..<15))
    }
}
