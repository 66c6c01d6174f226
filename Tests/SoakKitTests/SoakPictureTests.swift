import Testing
import Thumbwheel

@testable import SoakKit

@Suite struct SoakPictureTests {
    static let pictures = SoakPicture.Format.allCases.flatMap { format in
        SoakPicture.orientations.map { SoakPicture(number: 40 + $0, format: format, orientation: $0) }
    }

    private func render(_ picture: SoakPicture, _ options: RenderOptions) throws -> Bitmap {
        try Renderer().render(MemoryByteSource(try picture.encoded()), options: options).bitmap
    }

    @Test("a picture is recognised at every size, upright, whole and by its upper half", arguments: pictures)
    func recognised(picture: SoakPicture) throws {
        for side in [16, 24, 32, 48, 64, 96, 200] {
            for mode in [ContentMode.aspectFit, .aspectFill] {
                for quality in [RenderQuality.high, .fast] {
                    let size = PixelSize(width: side, height: side)
                    let whole = try render(
                        picture, RenderOptions(targetSize: size, contentMode: mode, quality: quality))
                    #expect(picture.isShown(by: whole), "\(side) \(mode) \(quality)")
                    let half = try render(
                        picture,
                        RenderOptions(
                            targetSize: size, contentMode: mode, quality: quality,
                            normalizedCropRect: NormalizedRect(x: 0, y: 0, width: 1, height: 0.5)))
                    #expect(picture.isShown(by: half, .upperHalf), "upper half, \(side) \(mode) \(quality)")
                }
            }
        }
    }

    @Test("pictures made one after another, and their turned copies, are told apart")
    func distinct() throws {
        for number in [1, 2, 215, 216, 217, 5000] {
            let picture = SoakPicture(number: number, format: .png)
            let image = try render(picture, RenderOptions(targetSize: .maximum))
            for other in number + 1...number + 50 {
                #expect(!SoakPicture(number: other, format: .png).isShown(by: image), "\(number) and \(other)")
            }
            #expect(SoakPicture.number(shownBy: image, upTo: 6000) == number)
        }
        // Red above blue is not blue above red.
        #expect(Self.pictures.allSatisfy { !$0.upper.isNear($0.lower) })
    }

    @Test("a source is made again from the name of its provider")
    func names() {
        for behavior in SoakSource.Behavior.allCases {
            for isRemote in [true, false] {
                let picture = SoakPicture(number: 77, format: .jpeg, orientation: 6)
                let source = SoakSource(picture, .provider(behavior, isRemote: isRemote))
                #expect(SoakSource(name: source.name) == source)
            }
        }
        #expect(SoakSource(name: "something else") == nil)
    }
}
