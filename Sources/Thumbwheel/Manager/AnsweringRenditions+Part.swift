import ThumbwheelPipeline

extension AnsweringRenditions {
    /// A part of the renditions. It cannot be copied, so that the code of an answer cannot retain its arrays: all threads would then
    /// write to the same reference counts.
    struct Part: ~Copyable, Sendable {
        // Each rendition has a place in the arrays. Keys and images are apart, so that an answer copies nothing but a reference to
        // its image.
        private var places = SlotIndex()
        private var keys: [RenditionKey] = []
        /// The images; nil for a place that is vacant.
        private var images: [SharedImage?] = []
        private var vacant: [Int] = []

        /// The place of the rendition with a key; nil if it is not there.
        ///
        /// The function is not inlined, because inlined code would retain the arrays while it looks into them.
        @inline(never)
        func place(of key: RenditionKey, hash: Int) -> Int? { places.first(hash: hash) { keys[$0] == key } }

        /// The image at a place; nil if the place is vacant.
        func image(at place: Int) -> SharedImage? { images[place] }

        func key(at place: Int) -> RenditionKey { keys[place] }

        /// - Precondition: the rendition is not in the part.
        /// - Returns: the place of the rendition.
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

        /// - Returns: the image that was there.
        mutating func replace(_ place: Int, with shared: SharedImage) -> SharedImage? {
            defer { images[place] = shared }
            return images[place]
        }

        /// - Returns: the image that was there.
        mutating func remove(_ place: Int, hash: Int) -> SharedImage? {
            defer { images[place] = nil }
            places.remove(place, hash: hash)
            vacant.append(place)
            return images[place]
        }

        /// - Returns: the images that were there.
        mutating func removeAll() -> [SharedImage?] {
            defer { self = Part() }
            return images
        }
    }
}
