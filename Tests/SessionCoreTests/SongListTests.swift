import Pipelines
import SessionCore
import Testing

@Suite("The songs of a session")
struct SongListTests {
    private func song(_ name: String, scene: String? = nil) throws -> Song {
        let initial = scene.map { ", \"scene\": \"\($0)\"" } ?? ""
        return try Stage.song(
            """
            "nodes": [ { "id": "a", "type": "gain" } ],
            "scenes": { "soft": { "a.gain": -12 }, "loud": { "a.gain": 0 } }\(initial)
            """, name: name)
    }

    private func list(_ names: String..., index: Int = 0) throws -> SongList {
        SongList(
            SongCollection(
                name: "evening", songs: try names.map { try song($0) }, isSetlist: true),
            index: index)
    }

    @Test("have neighbours, the next one first")
    func neighbours() throws {
        var list = try list("one", "two", "three", index: 1)
        #expect(list.neighbours(of: 1) == [2, 0])
        list.markUnpreparable(2)
        #expect(list.preparableNeighbours == [0])
        list.allowPreparation(of: 2)
        #expect(list.preparableNeighbours == [2, 0])
        list.select(0)
        #expect(list.neighbours(of: 0) == [1])
    }

    @Test("keep the current one by its name when they are edited, otherwise by its position")
    func edits() throws {
        var list = try list("one", "two", "three", index: 2)
        let moved = try self.list("three", "one")
        list.replace(with: .init(name: "evening", songs: moved.songs, isSetlist: true))
        #expect(list.index == 0 && list.current.name == "three")
        list.select(1)
        let renamed = try self.list("first")
        list.replace(with: .init(name: "evening", songs: renamed.songs, isSetlist: true))
        #expect(list.index == 0)
    }

    @Test("keep the current one of two songs with the same name when they are edited")
    func twins() throws {
        var list = try list("encore", "two", "encore", index: 2)
        let edited = try self.list("zero", "encore", "encore")
        list.replace(with: .init(name: "evening", songs: edited.songs, isSetlist: true))
        #expect(list.index == 2)
        let single = try self.list("zero", "encore")
        list.replace(with: .init(name: "evening", songs: single.songs, isSetlist: true))
        #expect(list.index == 1)
    }

    @Test("begin with their initial scene, and step to the next one")
    func scenes() throws {
        let songs = [try song("one", scene: "loud"), try song("two")]
        var list = SongList(.init(name: "evening", songs: songs, isSetlist: true))
        let scenes = list.current.pipeline.scenes
        #expect(list.scene == "loud")
        #expect(list.sceneIndex(stepping: 1, in: scenes) == nil)
        #expect(list.sceneIndex(stepping: -1, in: scenes) == 0)
        list.select(1)
        #expect(list.scene == nil)
        #expect(list.sceneIndex(stepping: 1, in: scenes) == 0)
        #expect(list.sceneIndex(stepping: -1, in: scenes) == 1)
        list.setScene("gone")
        list.forgetMissingScene()
        #expect(list.scene == nil)
    }

    @Test("have an overview of the available choices")
    func overview() throws {
        let list = try list("one", "two")
        #expect(list.overview.songs == ["one", "two"])
        #expect(list.overview.scenes == ["soft", "loud"])
    }
}
