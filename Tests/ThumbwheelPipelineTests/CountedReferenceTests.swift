import Dispatch
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

@Suite struct CountedReferenceTests {
    private final class Object: Sendable {}

    @Test("a reference is shared while others hold its object, and releases it at its end")
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

    @Test("concurrent calls of object and isShared do not race, and lose no reference")
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

    /// `#expect` cannot take a part of a value that cannot be copied.
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
