import TestSupport
import Testing
import ThumbwheelPhotos

extension PhotoKitTests {
    @Suite("What the articles on Photos do") struct FlowTests {
        @Test("the code of the articles comes to its end")
        func articles() async throws {
            let folder = try SharedLibrary.photographs(4)
            try #require(SharedLibrary.library === PHPhotoLibrary.shared())
            try await runFlows(in: folder.path)
        }
    }
}
