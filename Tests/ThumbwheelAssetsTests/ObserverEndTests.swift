import Dispatch
import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelAssets

@Suite("The end of an observation", .endsHangs) struct ObserverEndTests {
    private final class Canary: Sendable {
        private let gone: DispatchSemaphore

        init(_ gone: DispatchSemaphore) {
            self.gone = gone
        }

        deinit { gone.signal() }

        func sing() {}
    }

    private struct Gone: Error {}

    private let library = PhotoLibrary()
    private let gone = DispatchSemaphore(value: 0)

    private func favor(_ number: Int) throws {
        try library.performChangesAndWait { try $0.edit(SampleAssets.identifier(number)) { $0.isFavorite.toggle() } }
    }

    @Test("cancelling an observation releases its handler, even while the observation is kept")
    func captures() {
        func observe(_ canary: Canary) -> [ChangeObservation] {
            [library.observeChanges { _ in canary.sing() }, library.observeAvailability { _ in canary.sing() }]
        }
        let observations = observe(Canary(gone))
        for observation in observations { observation.cancel() }
        #expect(gone.wait(timeout: .now()) == .success)
        withExtendedLifetime(observations) {}
    }

    @Test("ending an observation releases a waiting change and the library's state in it")
    func pending() throws {
        final class Provider: ResourceProvider {
            let identifier = "provider"
            let requiresNetwork = false
            let canary: Canary

            init(_ canary: Canary) {
                self.canary = canary
            }

            func open() throws(ByteSourceError) -> any ByteSource { MemoryByteSource([]) }
        }
        func addProvided() {
            let asset = SampleAssets.asset(1)
            library.add([
                Asset(
                    identifier: asset.identifier, head: asset.head, resource: .provider(Provider(Canary(gone))),
                    fileSize: 1, originalFilename: "a")
            ])
        }
        addProvided()
        library.add([SampleAssets.asset(2)])
        let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let observation = library.observeChanges { _ in
            entered.signal()
            gate.wait()
        }
        try favor(2)
        entered.wait()
        // This change waits in the mailbox, and holds the asset.
        try library.performChangesAndWait { changes in
            try changes.deleteAssets([SampleAssets.identifier(1)])
            try changes.deleteAssetsPermanently([SampleAssets.identifier(1)])
        }
        observation.cancel()
        gate.signal()
        #expect(gone.wait(timeout: .now() + 60) == .success)
        withExtendedLifetime(observation) {}
    }

    @Test("no call begins after an observation was cancelled")
    func lateCalls() throws {
        library.add([SampleAssets.asset(1)])
        let late = Mutex(0)
        for round in 0..<500 {
            let isCancelled = Mutex(false)
            let observation = library.observeChanges { _ in
                if isCancelled.withLock({ $0 }) { late.withLock { $0 += 1 } }
            }
            let availability = library.observeAvailability { _ in
                if isCancelled.withLock({ $0 }) { late.withLock { $0 += 1 } }
            }
            library.setUnavailable(because: Gone())
            library.setUnavailable(because: nil)
            try favor(1)
            for _ in 0..<round % 100 { _ = isCancelled.withLock { $0 } }
            observation.cancel()
            availability.cancel()
            isCancelled.withLock { $0 = true }
        }
        #expect(late.withLock { $0 } == 0)
    }

    @Test("an observation that its own handler cancels ends after that call")
    func cancelledByItself() throws {
        library.add([SampleAssets.asset(1)])
        let calls = Mutex(0)
        let observation = Mutex<ChangeObservation?>(nil)
        let ended = DispatchSemaphore(value: 0)
        let begun = library.observeChanges { _ in
            calls.withLock { $0 += 1 }
            let own = observation.withLock { $0 }
            own?.cancel()
            ended.signal()
        }
        observation.withLock { $0 = begun }
        try favor(1)
        ended.wait()
        // Once another observer has received a later change, no earlier call can still come.
        let told = DispatchSemaphore(value: 0)
        let other = library.observeChanges { _ in told.signal() }
        try favor(1)
        told.wait()
        other.cancel()
        #expect(calls.withLock { $0 } == 1)
    }
}
