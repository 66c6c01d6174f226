import Foundation
import Thumbwheel

/// A service with a life: it makes steps, drawn from a seed, with the model beside it, and holds what every user sees
/// against the model.
///
/// One task drives it; requests, handlers, providers and observers run on threads of the library.
package final class SoakHost {
    /// How many rests there are from one measurement of memory to the next, which empties all caches.
    private static let calmInterval = 8

    let settings: SoakSettings
    let complaints = Complaints()
    let ledger: ResultLedger
    let gate = SoakGate()
    let traffic: RequestTraffic
    let libraryHost: LibraryHost
    var world: SoakWorld
    var drawer: StepDrawer
    var managers: [SoakManager] = []
    var users: [SoakUser] = []
    var managerCount = 0
    var departures = Departures()
    var versions = VersionRegister()
    var memory: MemoryWatch
    let files: LibraryFiles
    package private(set) var stepCount = 0
    private var elapsed = Duration.zero
    private(set) var trace = StepTrace()
    let watchdog: Watchdog

    /// - Parameter stuck: is told what a step waits for that takes too long.
    package init(_ settings: SoakSettings, stuck: @escaping @Sendable (String) -> Void) throws {
        self.settings = settings
        ledger = ResultLedger(complaints)
        traffic = RequestTraffic(ledger, gate)
        libraryHost = LibraryHost(gate: gate, complaints)
        world = SoakWorld(userCount: settings.userCount)
        drawer = StepDrawer(seed: settings.seed, limits: settings.limits)
        memory = MemoryWatch()
        files = try LibraryFiles(folder: settings.folder)
        watchdog = Watchdog(patience: settings.patience, stuck)
        for _ in 0..<settings.managerCount { managers.append(makeManager()) }
        for number in 0..<settings.userCount {
            let user = SoakUser(
                number, world.users[number].access, libraryHost.library, libraryHost.log.now,
                managers[number % managers.count].manager, complaints)
            users.append(user)
            observe(user)
        }
    }

    package var library: PhotoLibrary { libraryHost.library }

    package var lastSteps: [String] { trace.lines }

    package var progress: SoakProgress {
        SoakProgress(stepCount: stepCount, requestCount: ledger.count, elapsed: elapsed, memory: memory)
    }

    func makeManager() -> SoakManager {
        managerCount += 1
        return SoakManager(number: managerCount, library: libraryHost.library, &drawer.random)
    }

    func manager(of user: SoakUser) -> SoakManager { managers[user.number % managers.count] }

    /// Runs to the end of the settings.
    ///
    /// - Parameter progress: is told of every rest.
    /// - Throws: `SoakFailure`.
    package func run(progress: (SoakProgress) -> Void) async throws {
        let start = ContinuousClock.now
        watchdog.begin("the first step")
        while stepCount < settings.stepLimit ?? .max {
            let elapsed = ContinuousClock.now - start
            if let duration = settings.duration, elapsed >= duration { break }
            try await step()
            guard stepCount.isMultiple(of: settings.restInterval) else { continue }
            try await rest()
            let done = fractionDone(after: elapsed)
            if stepCount.isMultiple(of: Self.calmInterval * settings.restInterval) {
                calm(at: done)
            }
            self.elapsed = elapsed
            progress(self.progress)
        }
        try await rest()
        elapsed = ContinuousClock.now - start
        if settings.watchesMemory { try memory.check(isLong: elapsed >= .seconds(3000)) }
        watchdog.end()
    }

    private func fractionDone(after elapsed: Duration) -> Double {
        let byTime = settings.duration.map { elapsed / $0 } ?? 0
        let bySteps = settings.stepLimit.map { Double(stepCount) / Double($0) } ?? 0
        return max(byTime, bySteps)
    }

    private func step() async throws {
        stepCount += 1
        let step = drawer.next(&world)
        trace.note(stepCount, step)
        watchdog.begin("step \(stepCount): \(step)")
        try await perform(step)
        try look(at: users[stepCount % users.count])
        try complaints.check()
    }
}
