// The edits of the page: each is one patch of one file, with a name for the history.

import { make, setAttribute, setText, text } from "./dom.js";
import { Conflict, Files } from "./playedfiles.js";
import { button, noGuard, setIdle } from "./press.js";

/** The most characters of the name of an edit. */
const mostName = 80;

/** Makes edits one after another, and explains those that were not made. */
export class Editor {
  #picture;
  #link;
  #tell;
  /** Ends when the edit that is being made has ended. */
  #last = Promise.resolve();
  /** How the edit of a conflict is made again, and who waits for it: `{make, end}`. */
  #again = null;
  #from = null;
  /** The place of the report in the page; `null` before the first report. */
  #home = null;
  #title = make("h2");
  #words = make("p");
  #list = make("ul", { class: "diagnostics" });
  #repeat = button({ class: "repeat" }, {}, () => this.#makeAgain());
  #leave = button({}, {}, () => this.#close(), text("close"));

  files;
  /** What was not done and why, in words. */
  element = make("section", { class: "edit-report", role: "alertdialog", tabindex: "-1",
    "aria-label": text("editReport"), hidden: true }, this.#title, this.#words, this.#list,
  make("div", { class: "choices" }, this.#repeat, this.#leave));

  constructor(picture, link, tell) {
    this.#picture = picture;
    this.#link = link;
    this.#tell = tell;
    this.files = new Files(picture);
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    });
  }

  /**
   * Makes an edit, unless the connection is lost before it is sent: then its user has not seen the
   * current content.
   *
   * @param path The file, now or later; `null` if it is not known.
   * @param name What is done, for the history: "add Warm"; now or later.
   * @param plan Receives the content of the file, and returns the operations, now or later. It may
   *   throw an error with a sentence, or return `null` to make no edit, and runs again on another
   *   content after a conflict.
   * @returns Whether the edit plays; after a conflict, when the user has decided.
   */
  async edit(path, name, plan) {
    const { connection } = this.#link;
    const result = await this.#inTurn(() => this.#edit(path, name, plan, connection));
    return result.later ?? result;
  }

  /** Waits for the edit before, since the session makes one at a time. */
  #inTurn(make) {
    const done = this.#last.then(make);
    this.#last = done.catch(() => {});
    return done;
  }

  async #edit(pathOrLater, nameOrLater, plan, connection) {
    this.#close();
    if (!this.#link.isLive) {
      this.#tell(null);
      return false;
    }
    let [path, name] = [null, ""];
    const again = () => this.edit(path, name, plan);
    try {
      [path, name] = await Promise.all([pathOrLater, nameOrLater]);
      if (path === null) return this.#note(text("noFile", { file: "" }));
      const content = await this.files.read(path);
      const operations = await plan(content);
      if (operations === null) return false;
      if (this.#link.connection !== connection) {
        this.#tell(this.#link.isLive ? { answer: "note", message: text("notSentStale") } : null);
        return false;
      }
      if (operations.length === 0) return this.#note(text("nothingToEdit"));
      const answer = await this.#link.ask({ request: "edit", file: path, tag: content.tag,
        name: name.slice(0, mostName), operations });
      if (answer?.answer === "conflict") this.files.forget(path);
      return this.#follow(answer, name, again, text("notEdited", { name }));
    } catch (error) {
      if (error instanceof Conflict) {
        this.files.forget(path);
        return this.#conflict(name, again);
      }
      return this.#note(name === "" ? error.message
        : text("notEditedBecause", { name, reason: error.message }));
    }
  }

  /** Takes the last edit back, or makes it again: `undo` or `redo`. */
  step(action) { return this.#inTurn(() => this.#step(action)); }

  async #step(action) {
    const name = this.#picture.part("history")?.[action] ?? null;
    if (name === null) return this.#note(text(action === "undo" ? "nothingToUndo" : "nothingToRedo"));
    this.#close();
    let answer = await this.#link.perform(action);
    // The edit before has just changed the song, and the page has learned of it with this answer.
    // If the next step is still the one that the user saw, it is meant.
    if (answer?.answer === "stale" && this.#picture.part("history")?.[action] === name) {
      answer = await this.#link.perform(action);
    }
    return this.#follow(answer, name, null,
      text(action === "undo" ? "notUndone" : "notRedone", { name }));
  }

  #note(message) {
    this.#tell({ answer: "note", message });
    return false;
  }

  #follow(answer, name, again, title) {
    if (answer === null) {
      this.#tell(null);
      return false;
    }
    switch (answer.answer) {
      case "edited":
        this.#tell({ answer: "note", message: text(answer.kind === "undone" ? "wasUndone"
          : answer.kind === "redone" ? "wasRedone" : "wasEdited", { name }) });
        return true;
      case "conflict": return this.#conflict(name, again);
      case "refused":
        this.#show(title, text("nothingWritten"), answer.diagnostics
          ?? [{ message: answer.message, suggestion: answer.suggestion }]);
        return false;
      default:
        this.#tell(answer);
        return false;
    }
  }

  /**
   * Asks whether the page should make the same edit on the new content.
   *
   * @returns `{later}`, the result of that edit; other edits need not wait for it.
   */
  #conflict(name, again) {
    this.#close();
    this.#show(text("conflictTitle", { name }), text("conflictText"), []);
    setText(this.#repeat, text("editAgain", { name }));
    this.#repeat.hidden = again === null;
    if (again === null) return false;
    this.#repeat.focus({ preventScroll: true });
    return { later: new Promise((end) => { this.#again = { make: again, end }; }) };
  }

  #makeAgain() {
    const again = this.#again;
    this.#again = null;
    this.#close();
    again?.end(again.make());
  }

  #show(title, words, diagnostics) {
    this.#from = this.element.contains(document.activeElement) ? this.#from : document.activeElement;
    setText(this.#title, title);
    setText(this.#words, words);
    this.#list.replaceChildren(...diagnostics.map((each) => this.#diagnostic(each)));
    this.#repeat.hidden = true;
    this.#settle();
    this.element.hidden = false;
    this.element.focus({ preventScroll: true });
  }

  /** Moves the report into the dialog that is open, because nothing outside it can be reached. */
  #settle() {
    this.#home ??= this.element.parentElement;
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
    const place = dialog ?? this.#home;
    if (this.element.parentElement !== place) place.append(this.element);
    dialog?.addEventListener("close", () => {
      this.#close();
      this.#home.append(this.element);
    }, { once: true });
  }

  #diagnostic({ file, line, pointer, message, suggestion }) {
    return make("li", {}, make("span", { text: `${message}.` }),
      suggestion ? make("span", { text: ` ${text("didYouMean", { name: suggestion })}` }) : null,
      file === undefined ? null : make("span", { class: "label", text: text("place", {
        file: file.split("/").pop(), line, place: placeText(pointer) }) }));
  }

  #close() {
    this.#again?.end(false);
    this.#again = null;
    if (this.element.hidden) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    if (hadFocus && this.#from?.isConnected) this.#from.focus({ preventScroll: true });
  }
}

/** Returns a pointer in words: "nodes 3, from". */
function placeText(pointer) {
  return (pointer ?? "").split("/").slice(1)
    .map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((each) => /^\d+$/.test(each) ? ` ${Number(each) + 1}` : `, ${each}`).join("")
    .replace(/^, /, "");
}

/** Creates the buttons that take edits back and make them again; `isOpen` says when keys act. */
export function historyButtons(picture, editor, isOpen) {
  const one = (action, mark) => {
    const words = make("span", { class: "history-name" });
    // Several steps in a row are pressed quickly; one too many is made again.
    const element = button({ class: `history ${action}` }, { guard: noGuard },
      () => editor.step(action),
      make("span", { class: "mark", "aria-hidden": "true", text: mark }), words);
    return { element, show() {
      const name = picture.part("history")?.[action] ?? null;
      const label = name === null ? text(action === "undo" ? "undoNone" : "redoNone")
        : text(action === "undo" ? "undoName" : "redoName", { name });
      setText(words, label);
      setAttribute(element, "aria-label", label);
      setAttribute(element, "title", label);
      setIdle(element, name === null);
    } };
  };
  const buttons = [one("undo", "↶"), one("redo", "↷")];
  const show = () => { for (const each of buttons) each.show(); };
  picture.listen((news) => {
    if (news.kind === "snapshot" || (news.kind === "part" && news.name === "history")) show();
  });
  show();
  addEventListener("keydown", (event) => {
    if (!isOpen() || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    // In a field, the keys belong to its text.
    if (event.target.closest?.("input, textarea, dialog")) return;
    const key = event.key.toLowerCase();
    const action = key === "z" ? (event.shiftKey ? "redo" : "undo")
      : key === "y" && !event.shiftKey ? "redo" : null;
    if (action === null) return;
    event.preventDefault();
    if (!event.repeat) editor.step(action);
  });
  return make("div", { class: "histories", role: "group", "aria-label": text("history") },
    buttons.map((each) => each.element));
}
