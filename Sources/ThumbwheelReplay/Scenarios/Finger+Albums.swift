import Foundation
import ThumbwheelCore

extension Finger {
    /// Opens an album, looks through some of it, and goes back to where it was in the library.
    mutating func visit(_ albums: Albums) {
        let home = offset
        edit(.enter(albums.album(at: generator.unit())))
        jump(to: 0)
        rest(milliseconds: generator.value(in: 300...900))
        for _ in 0..<generator.index(below: 5) {
            turn(probability: 0.2)
            fling(speeds: 1...4, until: .speed(0.2))
            rest(milliseconds: generator.value(in: 100...700))
        }
        leaveAlbum()
        jump(to: home)
        rest(milliseconds: generator.value(in: 200...600))
        turn(probability: 0.2)
        fling(speeds: 0.5...2, until: .speed(0.2))
    }

    /// Leaves the album, if one is shown.
    mutating func leaveAlbum() {
        if contents.isInAlbum { edit(.leave) }
    }
}
