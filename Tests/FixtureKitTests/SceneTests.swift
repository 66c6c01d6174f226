import FixtureKit
import Testing

@Suite("Scene")
struct SceneTests {
    @Test("the same seed gives the same pixels", arguments: Scene.Subject.allCases)
    func sameSeed(subject: Scene.Subject) {
        let scene = Scene(seed: 11, subject: subject)
        #expect(scene.rgb(width: 97, height: 61) == scene.rgb(width: 97, height: 61))
        #expect(scene.rgb16(width: 31, height: 17) == scene.rgb16(width: 31, height: 17))
    }

    @Test("another seed gives other pixels", arguments: Scene.Subject.allCases)
    func otherSeed(subject: Scene.Subject) {
        let one = Scene(seed: 11, subject: subject).rgb(width: 64, height: 48)
        let other = Scene(seed: 12, subject: subject).rgb(width: 64, height: 48)
        #expect(one != other)
    }

    @Test(
        "pixels do not change unnoticed",
        arguments: [
            (Scene.Subject.landscape, "a07b9aae2a1aea62422de665cd527b972b2031d582fd3cc3376affec614a6bb1"),
            (.seaside, "ef97260a1eebc8c51710e501cfba652352da938f71673f5cae6125eefebd8ac3"),
            (.stillLife, "679d6efc479e8599284db911a0d058b4b555252b5a6d1aca523b997bfd440e56"),
        ])
    func golden(subject: Scene.Subject, sum: String) {
        #expect(SHA256.hexadecimal(Scene(seed: 7, subject: subject).rgb(width: 120, height: 90)) == sum)
    }

    @Test("every size is filled", arguments: [(1, 1), (1, 40), (40, 1), (5, 3), (300, 2)])
    func sizes(width: Int, height: Int) {
        for subject in Scene.Subject.allCases {
            #expect(Scene(seed: 3, subject: subject).rgb(width: width, height: height).count == width * height * 3)
        }
    }

    @Test("eight bits are the upper half of sixteen")
    func depths() {
        let scene = Scene(seed: 5)
        let bytes = scene.rgb(width: 40, height: 30)
        #expect(scene.rgb16(width: 40, height: 30).map { UInt8($0 >> 8) } == bytes)
    }
}
