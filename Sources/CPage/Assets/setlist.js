// The setlist view: all songs, and the scenes or cues of the current one, to jump to.

import { guarded } from "./access.js";
import { fixed, icon, make, setAttribute, setText, text } from "./dom.js";
import { openFiles } from "./files.js";
import { button, setIdle, steps } from "./press.js";
import { SetlistEdit } from "./setlistedit.js";

/** The view with all songs. */
export class SetlistView {
  #picture;
  #link;
  #tell;
  #shown = "";
  #shownScenes = "";
  #songs = [];
  #scenes = [];
  #title = make("h1");
  #list = make("ol", { class: "songs" });
  #sceneTitle = make("h2");
  #sceneList = make("ol", { class: "scenes" });
  #sceneBox = make("section", { class: "scene-jumps" }, this.#sceneTitle, this.#sceneList);

  element = make("main", { class: "setlist", id: "setlist", hidden: true });

  constructor(picture, link, tell, editor) {
    this.#picture = picture;
    this.#link = link;
    this.#tell = tell;
    const edit = new SetlistEdit(picture, editor, this.element, (isOn) => {
      this.#list.hidden = isOn;
      this.element.classList.toggle("edits", isOn);
    });
    this.element.append(make("div", { class: "song-scroll", tabindex: "0", role: "region",
      "aria-label": text("songs") },
    make("div", { class: "setlist-head" }, this.#title, edit.toggle), this.#list, edit.element,
    button({ class: "files-button" }, {}, () => openFiles(picture, editor, tell), text("filesOpen"))),
    this.#sceneBox);
    picture.listen((news) => this.#follow(news));
  }

  #follow(news) {
    if (news.kind === "snapshot" || (news.kind === "part" && news.name === "overview")) {
      return this.#show();
    }
    if (news.kind !== "values") return;
    if ("song" in news.values) this.#show();
    else if ("scene" in news.values || "cue" in news.values) this.#showScene();
  }

  #show() {
    const overview = this.#picture.part("overview");
    if (overview === null) return;
    setText(this.#title, overview.setlist
      ? text("setlistOf", { name: overview.name, songs: text("songCount",
        { count: overview.songs.length }) }) : overview.name);
    const shown = JSON.stringify(overview.songs);
    if (shown !== this.#shown) {
      // Another song may now be under the finger.
      if (this.#shown !== "") steps.settle();
      this.#shown = shown;
      this.#songs = overview.songs.map((song) => this.#song(song));
      this.#list.replaceChildren(...this.#songs.map((each) => each.row));
    }
    for (const { song, element, row, state } of this.#songs) {
      const isCurrent = song.number === overview.song;
      row.classList.toggle("current", isCurrent);
      setAttribute(element, "aria-current", isCurrent ? "true" : null);
      setText(state, isCurrent ? text("playsNow") : song.refusal ? text("songRefused") : "");
      setIdle(element, Boolean(song.refusal));
    }
    this.#showScenes(overview);
  }

  #song(song) {
    const state = make("span", { class: "state" });
    const gain = gainText(song.gain);
    const element = button({ class: "song-jump" }, { guard: steps }, () => this.#jump(song),
      make("span", { class: "number", text: String(song.number) }),
      make("span", { class: "about" },
        make("span", { class: "line" }, make("strong", { text: song.name }), gain, state),
        song.notes ? make("span", { class: "song-notes", text: song.notes }) : null,
        song.refusal ? make("span", { class: "refusal" }, icon("warning"),
          text("songRefusal", { reason: song.refusal })) : null));
    guarded(element, { request: "set", address: "song" });
    const row = make("li", {}, element);
    if (song.color) {
      row.classList.add("has-color");
      row.style.setProperty("--song", song.color);
    }
    return { song, element, row, state };
  }

  #jump(song) {
    const tell = (words) => this.#tell({ answer: "note", message: words });
    if (song.number === this.#picture.part("overview")?.song) {
      return tell(text("playsAlready", { name: song.name }));
    }
    if (song.refusal && this.#link.isLive) {
      return tell(text("songCannotPlay", { song: song.name, reason: song.refusal }));
    }
    this.#link.set("song", song.number, (answer) => this.#tell(answer))
      .then((answer) => this.#tell(answer));
  }

  // Scenes and cues

  #showScenes(overview) {
    const shown = JSON.stringify([overview.song, overview.scenes]);
    const hasCues = overview.scenes.some((scene) => scene.cue !== null);
    if (shown !== this.#shownScenes) {
      if (this.#shownScenes !== "") steps.settle();
      this.#shownScenes = shown;
      this.#scenes = overview.scenes.map((scene, index) => this.#scene(scene, index));
      this.#sceneList.replaceChildren(...this.#scenes.map((each) => make("li", {}, each.element)));
      setText(this.#sceneTitle, text(hasCues ? "cuesOf" : "scenesOf",
        { name: overview.songs[overview.song - 1]?.name ?? overview.name }));
      this.#sceneBox.hidden = overview.scenes.length === 0;
    }
    this.#showScene();
  }

  #scene({ name, gain, cue }, index) {
    const state = make("span", { class: "state" });
    const words = cue === null ? name
      : [cue.number, cue.text ?? name].filter((word) => word).join(" ");
    const element = button({ class: "scene-jump" }, { guard: steps },
      () => this.#link.set("scene", index + 1).then((answer) => this.#tell(answer)),
      make("strong", { text: words }),
      cue !== null && cue.text ? make("span", { class: "label", text: name }) : null,
      cue?.then ? make("span", { class: "label", text: text("follows") }) : null,
      gainText(gain), state);
    guarded(element, { request: "set", address: "scene" });
    return { name, element, state };
  }

  #showScene() {
    const value = this.#picture.value("scene");
    const current = typeof value === "number" ? value - 1
      : this.#scenes.findIndex((scene) => scene.name === value);
    this.#scenes.forEach(({ element, state }, index) => {
      setAttribute(element, "aria-current", index === current ? "true" : null);
      setText(state, index === current ? text("sceneNow") : "");
    });
  }
}

/** The gain of a song or a scene; null at 0 dB. */
function gainText(gain) {
  return gain === 0 ? null : make("span", { class: "gain",
    text: text("songGain", { value: (gain > 0 ? "+" : "") + fixed(gain, 1) }) });
}
