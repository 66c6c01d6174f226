import Thumbwheel

extension PHPhotoLibrary {
    /// Registers an observer of changes, which the library does not keep alive.
    public func register(_ observer: any PHPhotoLibraryChangeObserver) {
        let observation = library.observeChanges { [weak observer] change in
            observer?.photoLibraryDidChange(PHChange(change))
        }
        changeObservers.add(observation, of: observer)
    }

    /// Ends all registrations of an observer of changes; it may be called from the observer's `deinit`. A call of the observer that
    /// has begun on another thread is waited for.
    public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
        changeObservers.remove(observer)
    }

    /// Registers an observer of the library's availability, which the library does not keep alive. It is told when the host makes
    /// the library unavailable (`PhotoLibrary.setUnavailable(because:)`).
    public func register(_ observer: any PHPhotoLibraryAvailabilityObserver) {
        let observation = library.observeAvailability { [weak self, weak observer] reason in
            guard reason != nil, let self else { return }
            observer?.photoLibraryDidBecomeUnavailable(self)
        }
        availabilityObservers.add(observation, of: observer)
    }

    /// Ends all registrations of an observer of availability; it may be called from the observer's `deinit`.
    public func unregisterAvailabilityObserver(_ observer: any PHPhotoLibraryAvailabilityObserver) {
        availabilityObservers.remove(observer)
    }
}
