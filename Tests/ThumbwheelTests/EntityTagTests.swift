import TestSupport
import Testing
import Thumbwheel

@Suite("Entity tags")
struct EntityTagTests {
    private static let asset = Pictures.asset(1)
    private static let side = PixelSize(width: 24, height: 24)

    private static func tag(
        _ encoding: ImageEncoding, kind: RenditionKey.Kind = .high, options: RenderOptions, usesPreviews: Bool = true
    ) -> String {
        let key = RenditionKey(
            subject: RenditionKey.Subject(asset: asset.identifier, contentVersion: 1), kind: kind, options: options,
            encoding: encoding)
        return EntityTag(key, of: asset, usesEmbeddedPreviews: usesPreviews, encoders: ["0.1", "8.1"]).description
    }

    // Clients and proxies keep tags for as long as they like. Other literals here make every one of them fetch all
    // images again.
    @Test(
        "of the same request are the same in every version of the library",
        arguments: [
            (ImageEncoding.jpeg(quality: 85), #""djis49l6rddioxsj9w0b2dyoa""#),
            (.webp(quality: 70), #""65x5syo9ir8h9cvpi104kgk5v""#), (.png, #""djpol4vw2v6wcu9shlxnnc1wu""#),
        ])
    func encodings(_ encoding: ImageEncoding, expected: String) {
        let options = RenderOptions(targetSize: Self.side, contentMode: .aspectFit, resizeMode: .fast)
        #expect(Self.tag(encoding, options: options) == expected)
    }

    @Test("tell every option apart, and each by a token that stays")
    func options() {
        let crop = NormalizedRect(x: 0.25, y: 0, width: 0.5, height: 1)
        let options = RenderOptions(
            targetSize: Self.side, contentMode: .aspectFill, resizeMode: .exact, quality: .fast,
            normalizedCropRect: crop
        ) {
            $0.sampling = .best
            $0.isLinear = true
            $0.allowsUpscaling = true
        }
        #expect(
            Self.tag(.png, kind: .fast, options: options, usesPreviews: false) == #""28v2s3x2tgv0pppmefyqr1lc5""#)
    }

    @Test("of an asset's own file are the same in every version of the library")
    func file() {
        #expect(EntityTag(ofFileOf: Self.asset, .current).description == #""eqifxzb0j9s16uy07jrggl4ci""#)
    }
}
