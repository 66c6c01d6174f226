import Foundation
import Testing
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelPhotos

extension PhotoKitTests {
    @Suite("PhotoKit: fetches and their results") struct PHFetchTests {
        /// Facts of an asset, whose identifier no other call gives.
        private static func facts(
            day: Int = 0, subtypes: PHAssetMediaSubtype = [], mediaType: PHAssetMediaType = .image,
            isHidden: Bool = false, burst: String? = nil, picked: PHAssetBurstSelectionType = [],
            represents: Bool = false, width: Int = 40, source: PHAssetSourceType = .typeUserLibrary
        ) -> Asset {
            Asset(
                identifier: .random(), mediaType: mediaType,
                head: ImageHead(contentType: .jpeg, storedSize: PixelSize(width: width, height: 30)),
                resource: .bytes([UInt8](UUID().uuidString.utf8)), fileSize: 1000, originalFilename: "a.jpg",
                creationDate: Date(timeIntervalSince1970: -4e9 + Double(day) * 86_400), mediaSubtypes: subtypes,
                isHidden: isHidden, burstIdentifier: burst, burstSelectionTypes: picked, representsBurst: represents,
                sourceType: source)
        }

        /// The places in `assets` of what a fetch finds, others left out.
        private func places(_ result: PHFetchResult<PHAsset>, in assets: [PHAsset]) -> [Int] {
            result.compactMap { assets.firstIndex(of: $0) }
        }

        @Test("options leave out and let in hidden assets, members of bursts and sources, sort, limit and filter")
        func options() async throws {
            let burst = UUID().uuidString
            let assets = try await SharedLibrary.added([
                Self.facts(day: 3, subtypes: .photoPanorama), Self.facts(day: 1, isHidden: true),
                Self.facts(day: 2, burst: burst, represents: true), Self.facts(day: 4, burst: burst),
                Self.facts(day: 5, burst: burst, picked: .userPick), Self.facts(day: 6, source: .typeCloudShared),
                Self.facts(day: 7, mediaType: .video),
            ])
            #expect(assets.count == 7)
            func found(_ configure: (PHFetchOptions) -> Void) -> [Int] {
                let options = PHFetchOptions()
                configure(options)
                return places(PHAsset.fetchAssets(with: options), in: assets)
            }
            #expect(found { _ in } == [0, 2, 4, 6])
            #expect(found { $0.includeHiddenAssets = true } == [0, 1, 2, 4, 6])
            #expect(found { $0.includeAllBurstAssets = true } == [0, 2, 3, 4, 6])
            #expect(found { $0.includeAssetSourceTypes = [.typeUserLibrary, .typeCloudShared] } == [0, 2, 4, 5, 6])
            #expect(
                found { options in
                    options.sortDescriptors = [PHSortDescriptor(key: "creationDate", ascending: false)]
                } == [6, 4, 0, 2])
            let oldest = PHFetchOptions()
            oldest.sortDescriptors = [PHSortDescriptor(key: "creationDate", ascending: true)]
            oldest.fetchLimit = 1
            let unhidden = [assets[0], assets[2], assets[6]].map(\.localIdentifier)
            #expect(
                Array(PHAsset.fetchAssets(withLocalIdentifiers: unhidden, options: oldest)) == [assets[2]])
            #expect(
                found { options in
                    options.predicate = PHPredicate(
                        format: "(mediaSubtypes & %d) != 0", PHAssetMediaSubtype.photoPanorama.rawValue)
                } == [0])
            #expect(
                found { options in
                    options.predicate = PHPredicate(
                        format: "burstIdentifier == %@ AND creationDate > %@",
                        argumentArray: [burst, Date(timeIntervalSince1970: -4e9 + 3 * 86_400)])
                } == [4])
            #expect(places(PHAsset.fetchAssets(with: .video, options: nil), in: assets) == [6])
            let ofBurst = PHAsset.fetchAssets(withBurstIdentifier: burst, options: nil)
            #expect(places(ofBurst, in: assets) == [2, 4])
            let hidden = PHAsset.fetchAssets(withLocalIdentifiers: [assets[1].localIdentifier, "none"], options: nil)
            #expect(hidden.map(\.isHidden) == [true])
        }

        @Test("options are taken as they are at the fetch, and a copy of them is a copy")
        func copies() async throws {
            let options = PHFetchOptions()
            options.predicate = PHPredicate(format: "isFavorite == YES")
            options.sortDescriptors = [PHSortDescriptor(key: "title", ascending: true)]
            (options.includeHiddenAssets, options.includeAllBurstAssets) = (true, true)
            options.includeAssetSourceTypes = .typeiTunesSynced
            (options.fetchLimit, options.wantsIncrementalChangeDetails) = (7, false)
            let copy = try #require(options.copy() as? PHFetchOptions)
            options.fetchLimit = 1
            #expect(copy !== options && copy.fetchLimit == 7 && copy.predicate === options.predicate)
            #expect(copy.sortDescriptors == [PHSortDescriptor(key: "title", ascending: true)])
            #expect(copy.includeHiddenAssets && copy.includeAllBurstAssets && !copy.wantsIncrementalChangeDetails)
            #expect(copy.includeAssetSourceTypes == .typeiTunesSynced)
        }

        @Test("keys to sort by have PhotoKit's names, the short ones too, and none is the identifier")
        func sorting() async throws {
            let assets = try await SharedLibrary.added([
                Self.facts(width: 40), Self.facts(width: 10), Self.facts(width: 90),
            ])
            let identifiers = assets.map(\.localIdentifier)
            func sorted(_ key: String?, _ ascending: Bool = true) -> [String] {
                let options = PHFetchOptions()
                options.sortDescriptors = [PHSortDescriptor(key: key, ascending: ascending)]
                return PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: options).map(\.localIdentifier)
            }
            #expect(sorted("pixelWidth") == [identifiers[1], identifiers[0], identifiers[2]])
            #expect(sorted("pixelWidth", false) == [identifiers[2], identifiers[0], identifiers[1]])
            #expect(sorted(nil) == identifiers.sorted())
            try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest(for: assets[1]).isFavorite = true }
            #expect(sorted("favorite", false).first == identifiers[1] && sorted("isFavorite").last == identifiers[1])
            #expect(sorted("hidden") == sorted("isHidden"))
        }

        @Test("a result is an ordered list of objects, equal to another with the same ones")
        func results() async throws {
            let assets = try await SharedLibrary.added((0..<4).map { Self.facts(day: $0) })
            let identifiers = assets.map(\.localIdentifier)
            let result = PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: nil)
            #expect(result.count == 4 && result[2] == assets[2] && result.object(at: 3) == assets[3])
            #expect(result.firstObject == assets[0] && result.lastObject == assets[3])
            #expect(result.objects(at: [1, 3]) == [assets[1], assets[3]])
            #expect(result.contains(assets[1]) && result.index(of: assets[1]) == 1)
            #expect(result.index(of: assets[1], in: NSRange(location: 0, length: 2)) == 1)
            #expect(result.index(of: assets[1], in: NSRange(location: 2, length: 2)) == NSNotFound)
            let stranger = PHAsset(Self.facts())
            #expect(!result.contains(stranger) && result.index(of: stranger) == NSNotFound)
            #expect(result.countOfAssets(with: .image) == 4 && result.countOfAssets(with: .video) == 0)
            let again = PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: nil)
            #expect(result.isEqual(again) && result.hash == again.hash)
            #expect(!result.isEqual(PHAsset.fetchAssets(withLocalIdentifiers: ["none"], options: nil)))
            #expect(result.copy() as? PHFetchResult<PHAsset> === result)
            let empty = PHAsset.fetchAssets(withLocalIdentifiers: [], options: nil)
            #expect(empty.firstObject == nil && empty.lastObject == nil && empty.count == 0)
            #expect(PHCollectionList.fetchTopLevelUserCollections(with: nil).countOfAssets(with: .image) == 0)
        }

        @Test("an enumeration goes forwards, backwards or over some indexes, and ends when it is told")
        func enumeration() async throws {
            let assets = try await SharedLibrary.added((0..<5).map { Self.facts(day: $0) })
            let result = PHAsset.fetchAssets(withLocalIdentifiers: assets.map(\.localIdentifier), options: nil)
            func visited(_ enumerate: ((PHAsset, Int, UnsafeMutablePointer<ObjCBool>) -> Void) -> Void) -> [Int] {
                var indexes: [Int] = []
                enumerate { asset, index, stop in
                    #expect(asset == assets[index])
                    indexes.append(index)
                    stop.pointee = ObjCBool(indexes.count == 3)
                }
                return indexes
            }
            #expect(visited { result.enumerateObjects($0) } == [0, 1, 2])
            #expect(visited { result.enumerateObjects(options: [], using: $0) } == [0, 1, 2])
            #expect(visited { result.enumerateObjects(options: .reverse, using: $0) } == [4, 3, 2])
            #expect(visited { result.enumerateObjects(at: [1, 4], using: $0) } == [1, 4])
            #expect(visited { result.enumerateObjects(at: [0, 1, 2, 4], options: .reverse, using: $0) } == [4, 2, 1])
        }

        @Test("a concurrent enumeration visits each object once, and begins none after it is told to end")
        func concurrentEnumeration() async throws {
            let assets = try await SharedLibrary.added((0..<400).map { Self.facts(day: $0) })
            let result = PHAsset.fetchAssets(withLocalIdentifiers: assets.map(\.localIdentifier), options: nil)
            let visited = Mutex<[Int]>([])
            result.enumerateObjects(options: .concurrent) { asset, index, _ in
                #expect(asset == assets[index])
                visited.withLock { $0.append(index) }
            }
            #expect(visited.withLock { $0.sorted() } == Array(0..<400))
            visited.withLock { $0 = [] }
            result.enumerateObjects(at: [3, 200], options: .concurrent) { _, index, _ in
                visited.withLock { $0.append(index) }
            }
            #expect(visited.withLock { $0.sorted() } == [3, 200])
            visited.withLock { $0 = [] }
            result.enumerateObjects(options: [.concurrent, .reverse]) { _, index, stop in
                visited.withLock { $0.append(index) }
                stop.pointee = true
            }
            #expect(visited.withLock { (1..<50).contains($0.count) })
        }

        @Test("collections are fetched by type, by identifier, by member and by parent")
        func collections() async throws {
            let assets = try await SharedLibrary.added([Self.facts(day: 40), Self.facts(day: 41)])
            nonisolated(unsafe) var made: [PHObjectPlaceholder] = []
            let title = UUID().uuidString
            try await PHPhotoLibrary.shared().performChanges {
                let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
                album.addAssets([assets[1], assets[0]])
                let folder = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: title)
                made = [album.placeholderForCreatedAssetCollection, folder.placeholderForCreatedCollectionList]
                folder.addChildCollections([made[0]])
            }
            let identifiers = made.map(\.localIdentifier)
            let album = try #require(
                PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifiers[0]], options: nil)
                    .firstObject)
            let folder = try #require(
                PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [identifiers[1]], options: nil).firstObject)
            #expect(Array(PHAsset.fetchAssets(in: album, options: nil)) == [assets[1], assets[0]])
            #expect(PHAsset.fetchKeyAssets(in: album, options: nil)?.firstObject == assets[1])
            let titled = PHFetchOptions()
            titled.predicate = PHPredicate(format: "title == %@", title)
            #expect(
                PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: titled).map(\.self)
                    == [album])
            #expect(
                PHCollectionList.fetchCollectionLists(with: .folder, subtype: .any, options: titled).map(\.self)
                    == [folder])
            let containing = PHAssetCollection.fetchAssetCollectionsContaining(assets[0], with: .album, options: nil)
            #expect(Array(containing) == [album])
            #expect(Array(PHCollectionList.fetchCollectionListsContaining(album, options: nil)) == [folder])
            let members = PHCollection.fetchCollections(in: folder, options: nil)
            #expect(members.count == 1 && (members.firstObject as? PHAssetCollection) == album)
            let top = PHCollectionList.fetchTopLevelUserCollections(with: titled)
            #expect(top.count == 1 && (top.firstObject as? PHCollectionList) == folder)
        }

        @Test("moments are days, and lists of them years")
        func moments() async throws {
            let assets = try await SharedLibrary.added([
                Self.facts(day: 3000), Self.facts(day: 3001), Self.facts(day: 3400),
            ])
            let moments = assets.map {
                PHAssetCollection.fetchAssetCollectionsContaining($0, with: .moment, options: nil).firstObject
            }
            #expect(Set(moments.compactMap { $0?.localIdentifier }).count == 3)
            let moment = try #require(moments[0])
            #expect(moment.assetCollectionType == .moment && moment.startDate == assets[0].creationDate)
            #expect(Array(PHAsset.fetchAssets(in: moment, options: nil)) == [assets[0]])
            #expect(PHAssetCollection.fetchMoments(with: nil).contains(moment))
            let years = PHCollectionList.fetchMomentLists(with: .momentListYear, options: nil)
            let ofMoments = years.map { year in
                let days = PHAssetCollection.fetchMoments(inMomentList: year, options: nil)
                return moments.indices.filter { index in moments[index].map { days.contains($0) } ?? false }
            }.filter { !$0.isEmpty }
            #expect(ofMoments == [[0, 1], [2]])
        }
    }
}
