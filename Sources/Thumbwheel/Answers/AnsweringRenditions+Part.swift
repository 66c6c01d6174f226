import ThumbwheelPipeline

extension AnsweringRenditions {
    /// One of the parts into which the renditions are divided. The type is noncopyable, so that a look-up cannot retain
    /// the part's arrays. If look-ups retained the arrays, all threads would write to the arrays' reference counts, and
    /// slow each other down.
    struct Part: ~Copyable, Sendable {
        /// Finds a rendition's place by the hash of its key. The place is the index of the rendition in `keys` and in
        /// `images`.
        private var places = SlotIndex()
        private var keys: [RenditionKey] = []
        /// The images, each at the same index as its key in `keys`; nil for a vacant place. Images and keys are in
        /// separate arrays, so that a look-up copies only the reference to the image, and not the key.
        private var images: [SharedImage?] = []
        private var vacant: [Int] = []

        /// Returns the place of the rendition with a key: its index in `keys` and `images`. Nil if the part does not
        /// have the rendition.
        ///
        /// The function is not inlined, because inlined code would retain the arrays during the search.
        @inline(never)
        func place(of key: RenditionKey, hash: Int) -> Int? { places.first(hash: hash) { keys[$0] == key } }

        /// Returns the image with the index `place` in `images`; nil if the place is vacant.
        func image(at place: Int) -> SharedImage? { images[place] }

        func key(at place: Int) -> RenditionKey { keys[place] }

        /// Adds a rendition. Its place (index in `keys` and `images`) is a vacant one or, if none is vacant, a new one
        /// at the end.
        ///
        /// - Precondition: the part has no rendition with this key.
        /// - Returns: the rendition's place.
        mutating func insert(_ key: RenditionKey, _ shared: SharedImage, hash: Int) -> Int {
            let place = vacant.popLast() ?? keys.count
            if place < keys.count {
                keys[place] = key
                images[place] = shared
            } else {
                keys.append(key)
                images.append(shared)
            }
            places.insert(place, hash: hash)
            return place
        }

        /// Replaces the image of the rendition with the index `place` in `keys` and `images`.
        ///
        /// - Returns: the image that was replaced.
        mutating func replace(_ place: Int, with shared: SharedImage) -> SharedImage? {
            defer { images[place] = shared }
            return images[place]
        }

        /// Removes the rendition with the index `place` in `keys` and `images`.
        ///
        /// - Returns: the image that was removed.
        mutating func remove(_ place: Int, hash: Int) -> SharedImage? {
            defer { images[place] = nil }
            places.remove(place, hash: hash)
            vacant.append(place)
            return images[place]
        }

        /// Removes all renditions.
        ///
        /// - Returns: the images that were removed.
        mutating func removeAll() -> [SharedImage?] {
            defer { self = Part() }
            return images
        }
    }
}
