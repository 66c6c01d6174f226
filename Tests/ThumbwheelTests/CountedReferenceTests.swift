import Dispatch
import Testing

@testable import Thumbwheel

@Suite struct CountedReferenceTests {
    private final class Object: Sendable {}

    @Test("a reference is shared while anybody else holds its object, and lets go of it at last")
    func sharing() {
        weak var former: Object?
        do {
            let reference = CountedReference(Object())
            former = reference.object
            expect(reference, isShared: false)
            let other = reference.object
            expect(reference, isShared: true)
            withExtendedLifetime(other) {}
            do {
                let another = reference.object
                withExtendedLifetime(another) { expect(reference, isShared: true) }
            }
        }
        #expect(former == nil)
        expect(CountedReference<Object>(nil), isShared: false)
    }

    @Test("taking the object and asking for others at once is no race, and loses no reference")
    func threads() {
        weak var former: Object?
        do {
            let image = SharedReference(Object())
            former = image.reference.object
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for _ in 0..<10_000 {
                    if thread == 0 { _ = image.reference.isShared } else { _ = image.reference.object }
                }
            }
            expect(image.reference, isShared: false)
        }
        #expect(former == nil)
    }

    /// `#expect` takes no part of a value that cannot be copied.
    private func expect(_ reference: borrowing CountedReference<Object>, isShared expected: Bool) {
        let isShared = reference.isShared
        #expect(isShared == expected)
    }

    private final class SharedReference: Sendable {
        let reference: CountedReference<Object>

        init(_ object: Object) {
            reference = CountedReference(object)
        }
    }
}
