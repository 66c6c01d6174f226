import Testing

@testable import ThumbwheelService

@Suite("Numbers that are remembered of tenants")
struct TenantNumbersTests {
    private var random: Int { Int.random(in: .min ... .max) }

    @Test("a tenant with many numbers loses some, and no other one does")
    func bound() {
        let numbers = TenantNumbers(tenantCount: 3, limit: 1000)
        let few = (0..<100).map { _ in random }
        for number in few {
            #expect(numbers.insert(number, of: 1))
            #expect(!numbers.insert(number, of: 1) && !numbers.contains(number, of: 0))
        }
        for _ in 0..<20_000 { numbers.insert(random, of: 0) }
        #expect(few.allSatisfy { numbers.contains($0, of: 1) })
        let count = numbers.count(of: 0)
        #expect((100...900).contains(count) && numbers.count(of: 1) == 100)
    }

    @Test("numbers that are of no use any more do not stay for ever")
    func age() {
        let numbers = TenantNumbers(tenantCount: 1, limit: 1000)
        let old = (0..<1000).map { _ in random }
        for number in old { numbers.insert(number, of: 0) }
        #expect(old.allSatisfy { numbers.contains($0, of: 0) })
        for _ in 0..<50_000 { numbers.insert(random, of: 0) }
        #expect(!old.contains { numbers.contains($0, of: 0) })
    }
}
