// The texts of the files that play, each with the tag of its content.

import { text } from "./dom.js";

/** The files of the part `files`, and their contents. */
export class Files {
  #picture;
  #texts = new Map();

  constructor(picture) { this.#picture = picture; }

  #entries() { return this.#picture.part("files") ?? []; }

  /** The path of the file of the current song; `null` if it is not known. */
  get song() {
    const path = this.#picture.part("pipeline")?.file;
    return this.#entries().some((each) => each.file === path) ? path : null;
  }

  /** The path of the setlist; `null` without one. */
  get setlist() { return this.#entries().find((each) => each.setlist)?.file ?? null; }

  /** The songs of the other files that play: the names of those that are in a file. */
  songsOf(path) { return this.#entries().find((each) => each.file === path)?.songs ?? []; }

  /** The number of a file in `/api/files`. */
  #number(path) {
    const entry = this.#entries().find((each) => each.file === path);
    if (entry === undefined) throw new Error(text("noFile", { file: path }));
    return entry.number;
  }

  /**
   * Returns the content that this page knows, and reads it only if it is another one than that of
   * the newest tag: an edit is made on what its user saw.
   */
  async read(path) {
    const known = this.#texts.get(path);
    const newest = this.#entries().find((each) => each.file === path)?.tag;
    if (known !== undefined && known.tag === newest) return known;
    const answer = await fetch(`api/files/${this.#number(path)}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(text("noFile", { file: path }));
    const tag = (answer.headers.get("ETag") ?? "").replaceAll("\"", "");
    const content = { path, tag, value: JSON.parse(await answer.text()) };
    this.#texts.set(path, content);
    return content;
  }

  /** Forgets a content that is no longer that of the file. */
  forget(path) { this.#texts.delete(path); }

  /**
   * Returns the operations that change everything which refers to names.
   *
   * @param content What `read` has returned; the operations are for it.
   * @param changes Pairs such as `["remove-node", "echo"]` or `["rename-node", "echo", "slap"]`.
   */
  async references(content, changes) {
    if (changes.length === 0) return [];
    const query = changes.map(([kind, name, to]) => `${kind}=${encodeURIComponent(name)}`
      + (to === undefined ? "" : `&to=${encodeURIComponent(to)}`)).join("&");
    const answer = await fetch(`api/files/${this.#number(content.path)}/references?${query}`,
      { cache: "no-store" });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error);
    if (body.tag !== content.tag) throw new Conflict();
    return body.operations;
  }
}

/** The file has another content than the one that an edit was made on. */
export class Conflict extends Error {}
