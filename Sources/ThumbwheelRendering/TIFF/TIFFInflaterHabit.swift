/// The way in which the last strip or tile of a picture was inflated. Most are much alike, so the next one begins that way.
final class TIFFInflaterHabit {
    var isByLibrary = false
}
