import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelPhotos

extension PhotoKitTests {
    @Suite("PhotoKit: videos and Live Photos", .endsHangs) struct PHVideoTests {
        /// A movie of ten seconds whose still was taken after 1.55.
        private static let movie: [UInt8] = {
            var file = MovieFile()
            file.tracks += [.still(id: 3, at: 930)]
            file.tracks[0].descriptionBoxes = BoxBytes.box("avcC", [1, 0x64, 0, 0x1F, 0xFF])
            return file.encoded()
        }()

        private let manager = PHImageManager(ImageManager.undisturbed())

        private func video(_ source: AssetResource.Source = .bytes(movie)) async throws -> PHAsset {
            let asset = try Asset(
                reading: AssetResource(type: .video, source: source), identifier: .random(), originalFilename: "a.mov")
            return try #require(try await SharedLibrary.added([asset]).first)
        }

        @Test("a video is delivered to be played, as an item and as a movie")
        func play() async throws {
            let video = try await video()
            let items = AnswerLog<(item: PHPlayerItem?, isCancelled: Bool)>()
            let id = manager.requestPlayerItem(forVideo: video, options: nil) { item, info in
                items.receive((item, info?[PHImageCancelledKey] != nil))
                #expect((info?[PHImageResultRequestIDKey] as? NSNumber)?.int32Value != PHInvalidImageRequestID)
            }
            let item = try #require(await items.wait().first?.item)
            #expect(id != PHInvalidImageRequestID && item.duration == 10 && item.item.movie.tracks.count == 2)
            #expect(item.asset.tracks.first?.codecParameter == "avc1.64001F" && item.asset.url == nil)
            let movies = AnswerLog<PHAVAsset?>()
            manager.requestAVAsset(forVideo: video, options: PHVideoRequestOptions()) { movie, mix, info in
                #expect(mix == nil && info?[PHImageErrorKey] == nil)
                movies.receive(movie)
            }
            #expect(await movies.wait().first??.duration == 10)
        }

        @Test("a Live Photo is delivered with its movie, under PhotoKit's keys")
        func livePhoto() async throws {
            let photograph = AssetResource.bytes(SharedLibrary.picture(width: 200, height: 100))
            let pair = try Asset(
                reading: photograph, identifier: .random(), originalFilename: "a.png", mediaSubtypes: .photoLive,
                otherResources: [AssetResource(type: .pairedVideo, source: .bytes(Self.movie))])
            let asset = try #require(try await SharedLibrary.added([pair]).first)
            let options = PHLivePhotoRequestOptions()
            options.deliveryMode = .highQualityFormat
            let copy = try #require(options.copy() as? PHLivePhotoRequestOptions)
            #expect(copy.deliveryMode == .highQualityFormat && copy.version == .current)
            let photos = AnswerLog<(photo: PHLivePhoto?, isDegraded: Bool?)>()
            manager.requestLivePhoto(
                for: asset, targetSize: CGSize(width: 50, height: 50), contentMode: .aspectFit, options: copy
            ) { photo, info in
                photos.receive((photo, (info?[PHImageResultIsDegradedKey] as? NSNumber)?.boolValue))
            }
            let (photo, isDegraded) = try #require(await photos.wait().first)
            #expect(photo?.size == CGSize(width: 50, height: 25) && isDegraded == false)
            #expect(photo?.livePhoto.stillTime == 1.55)
        }

        @Test("a Live Photo is made of two files: first the placeholder, at last the still with its movie")
        func livePhotoOfFiles() async throws {
            let folder = try ScratchFolder()
            let files = [
                try folder.write("a.mov", Self.movie),
                try folder.write("a.png", SharedLibrary.picture(width: 200, height: 100)),
            ].map { URL(fileURLWithPath: $0) }
            let placeholder = PHImage(Bitmap(size: PixelSize(width: 2, height: 1), format: .rgb) { _ in })
            struct Answer: Sendable {
                let photo: PHLivePhoto?
                let isDegraded: Bool?
                let isCancelled: Bool
                let error: Int?
            }
            @Sendable func answer(_ photo: PHLivePhoto?, _ info: [AnyHashable: Any]) -> Answer {
                Answer(
                    photo: photo, isDegraded: (info[PHLivePhotoInfoIsDegradedKey] as? NSNumber)?.boolValue,
                    isCancelled: (info[PHLivePhotoInfoCancelledKey] as? NSNumber)?.boolValue == true,
                    error: (info[PHLivePhotoInfoErrorKey] as? NSError)?.code)
            }
            /// The answers up to the last one, and how many of them came before the request was made.
            func answers(
                _ files: [URL], _ image: PHImage?, _ size: CGSize, isCancelled: Bool = false
            ) async -> (all: [Answer], early: Int) {
                let log = AnswerLog<Answer>()
                let ends = AnswerLog<Void>()
                let id = PHLivePhoto.request(
                    withResourceFileURLs: files, placeholderImage: image, targetSize: size, contentMode: .aspectFit
                ) { photo, info in
                    let answer = answer(photo, info)
                    log.receive(answer)
                    if answer.isDegraded == false { ends.receive(()) }
                }
                let early = log.answers.count
                if isCancelled { PHLivePhoto.cancelRequest(withRequestID: id) }
                #expect(id != PHLivePhotoRequestIDInvalid)
                _ = await ends.wait()
                return (log.answers, early)
            }
            let (all, early) = await answers(files, placeholder, CGSize(width: 50, height: 50))
            #expect(early >= 1 && all.first?.photo?.size == placeholder.size && all.first?.isDegraded == true)
            #expect(all.last?.photo?.livePhoto.stillTime == 1.55 && all.last?.error == nil)
            #expect(all.dropLast().allSatisfy { $0.isDegraded == true })
            let whole = await answers(files.reversed(), nil, .zero).all.last
            #expect(whole?.photo?.size == CGSize(width: 200, height: 100) && whole?.photo?.livePhoto.movie != nil)
            // Files that are no pair.
            for wrong in [[files[0]], [files[1]], [files[1], files[1]], []] {
                let (all, early) = await answers(wrong, placeholder, .zero)
                #expect(early >= 1 && all.count == 2 && all[1].photo == nil)
                #expect(all[1].error == PHPhotosError.Code.invalidResource.rawValue && !all[1].isCancelled)
            }
            // A request that is cancelled at once says so, unless it has come to its end before.
            let last = try #require(await answers(files, nil, .zero, isCancelled: true).all.last)
            #expect(last.isCancelled ? last.photo == nil : last.photo != nil)
        }

        @Test("requests for what is elsewhere need leave, tell their progress, and are cancelled by name")
        func network() async throws {
            let provider = StepwiseProvider(Self.movie, requiresNetwork: true)
            let video = try await video(.provider(provider))
            let infos = AnswerLog<(isInCloud: Bool?, error: Int?, isCancelled: Bool)>()
            @Sendable func end(_ item: PHPlayerItem?, _ info: [AnyHashable: Any]?) {
                infos.receive(
                    (
                        (info?[PHImageResultIsInCloudKey] as? NSNumber)?.boolValue,
                        (info?[PHImageErrorKey] as? NSError)?.code, info?[PHImageCancelledKey] != nil
                    ))
            }
            manager.requestPlayerItem(forVideo: video, options: nil, resultHandler: end)
            let refused = try #require(await infos.wait().first)
            #expect(refused.isInCloud == true && refused.error == ImageRequestError.networkAccessRequired.code)

            let options = PHVideoRequestOptions()
            options.isNetworkAccessAllowed = true
            let fractions = AnswerLog<Double>()
            options.progressHandler = { fraction, _, _, _ in fractions.receive(fraction) }
            manager.requestPlayerItem(forVideo: video, options: options, resultHandler: end)
            #expect(await infos.wait(for: 2)[1].error == nil && fractions.answers == [0, 1])

            provider.suspend()
            let held = provider.readCount
            let id = manager.requestPlayerItem(forVideo: video, options: options, resultHandler: end)
            await provider.waitForHeldReads()
            #expect(provider.readCount == held + 1)
            manager.cancelImageRequest(id)
            #expect(await infos.wait(for: 3)[2].isCancelled)
            provider.resume()
        }

        @Test("presets have AVFoundation's names, and an export without an exporter or a URL fails")
        func export() async throws {
            let video = try await video()
            let errors = AnswerLog<Int?>()
            // No exporter is installed here, and one of the names is none.
            for preset in [PHExportPresetPassthrough, PHExportPreset1280x720, "any"] {
                manager.requestExportSession(forVideo: video, options: nil, exportPreset: preset) { session, info in
                    #expect(session == nil)
                    errors.receive((info?[PHImageErrorKey] as? NSError)?.code)
                }
            }
            let number = PHPhotosError.Code.requestNotSupportedForAsset.rawValue
            #expect(await errors.wait(for: 3) == [number, number, number])
            #expect(PHExportPreset640x480 == "AVAssetExportPreset640x480")
        }
    }
}
