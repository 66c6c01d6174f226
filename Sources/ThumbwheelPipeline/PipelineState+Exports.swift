import ThumbwheelCore

// MARK: Memory of exports, which do not run in the pipeline

extension PipelineState {
    /// Counts the memory of an export of a video against the budget. Cached images, and after them fetched bytes, are
    /// dropped until it fits. If it does not fit even then, the budget is exceeded while the export runs, because the
    /// export would otherwise wait for memory that never comes.
    package mutating func beginExport(byteCount: Int, at now: MonotonicTime) -> Reservation {
        freeMemory(untilFitting: byteCount)
        let reservation = store.reserve(byteCount, for: .rendering)
        exportedByteCount += reservation.byteCount
        dispatch(at: now)
        return reservation
    }

    /// Ends the reservation of an export. Work that has waited for the memory goes on.
    package mutating func endExport(_ reservation: Reservation, at now: MonotonicTime) {
        exportedByteCount -= reservation.byteCount
        store.release(reservation)
        dispatch(at: now)
    }
}
