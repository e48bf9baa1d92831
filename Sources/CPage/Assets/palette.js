// The palette: all types of nodes, to search and to choose from.

import { make, readable, setAttribute, setText, text } from "./dom.js";
import { prefer, preferences } from "./preferences.js";
import { button, setOn } from "./press.js";

/** The number of recently used types that are kept. */
const mostRecent = 12;
/** The number of entries that are shown at once. */
const mostShown = 60;

/** Fetches the list of types; the browser asks whether its copy is current. */
export async function fetchTypes() {
  const answer = await fetch("api/palette");
  if (!answer.ok) throw new Error(text("drawingStatus", { status: answer.status }));
  return (await answer.json()).types;
}

/** Fetches everything about one type. */
export async function fetchType(type) {
  const answer = await fetch(`api/palette/${encodeURIComponent(type)}`);
  if (!answer.ok) throw new Error(text("noType", { name: type }));
  return answer.json();
}

function noteUse(type) {
  prefer("recent", [type, ...preferences.recent.filter((each) => each !== type)]
    .slice(0, mostRecent));
}

function matches(entry, words) {
  const all = `${entry.label} ${entry.type} ${entry.category} ${entry.author} ${entry.summary}`
    .toLowerCase();
  return words.every((word) => all.includes(word));
}

/** The list with its search. */
export class Palette {
  #choose;
  #drag;
  #entries = [];
  #shown = mostShown;
  #search = make("input", { type: "search", autocomplete: "off", "aria-label": text("searchTypes"),
    placeholder: text("searchTypes") });
  #category = make("select", { "aria-label": text("category") });
  #count = make("p", { class: "label", role: "status" });
  #list = make("ul", { class: "types" });
  #more = button({ class: "more", hidden: true }, {}, () => {
    this.#shown += mostShown;
    this.#show();
  }, text("showMore"));

  content = [make("div", { class: "type-search" }, this.#search, this.#category), this.#count,
    this.#list, this.#more];

  /**
   * @param choose Receives the chosen type.
   * @param drag Begins to drag a type: it receives the event and the type; `null` without dragging.
   */
  constructor(choose, drag = null) {
    this.#choose = choose;
    this.#drag = drag;
    this.#search.addEventListener("input", () => this.#begin());
    this.#category.addEventListener("change", () => this.#begin());
    this.#search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.#list.querySelector(".type-choice")?.focus();
    });
  }

  /** The field for the focus. */
  get search() { return this.#search; }

  async load() {
    setText(this.#count, text("typesCome"));
    try {
      this.#entries = await fetchTypes();
    } catch (error) {
      return setText(this.#count, text("typesFailed", { reason: error.message }));
    }
    const categories = [...new Set(this.#entries.map((each) => each.category))]
      .filter((each) => each !== "").sort();
    const option = (value, words) => make("option", { value, text: words });
    this.#category.replaceChildren(option("", text("allCategories")),
      option("*", text("favourites")), option("<", text("recentlyUsed")),
      option("!", text("builtIn")), ...categories.map((each) => option(`=${each}`, each)));
    this.#show();
  }

  #begin() {
    this.#shown = mostShown;
    this.#show();
  }

  /** The entries that match: built-in effects first, then favourites, then the rest. */
  #found() {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const chosen = this.#category.value;
    const { favourites, recent } = preferences;
    const isChosen = (entry) => chosen === "" || (chosen === "*" && favourites.includes(entry.type))
      || (chosen === "<" && recent.includes(entry.type)) || (chosen === "!" && !entry.plugin)
      || chosen === `=${entry.category}`;
    const rank = (entry) => chosen === "<" ? recent.indexOf(entry.type)
      : !entry.plugin ? 0 : favourites.includes(entry.type) ? 1
      : recent.includes(entry.type) ? 2 : entry.problem !== null ? 4 : 3;
    return this.#entries.filter((entry) => isChosen(entry) && matches(entry, words))
      .map((entry, index) => [rank(entry), index, entry])
      .sort((one, other) => one[0] - other[0] || (one[2].plugin
        ? one[2].label.localeCompare(other[2].label) : one[1] - other[1]))
      .map(([, , entry]) => entry);
  }

  #show() {
    const found = this.#found();
    setText(this.#count, text("typeCount", { count: found.length }));
    this.#list.replaceChildren(...found.slice(0, this.#shown).map((entry) => this.#entry(entry)));
    this.#more.hidden = found.length <= this.#shown;
  }

  #entry(entry) {
    const channels = entry.inputs === null ? "" : text("typeChannels",
      { inputs: entry.inputs, outputs: entry.outputs });
    const facts = [entry.plugin ? "LV2" : text("builtIn"), entry.category, channels, entry.author]
      .filter((word) => word !== "").join(" · ");
    const star = button({ class: "star" }, {}, () => {
      const { favourites } = preferences;
      prefer("favourites", favourites.includes(entry.type)
        ? favourites.filter((each) => each !== entry.type) : [...favourites, entry.type]);
      showStar();
    });
    const showStar = () => {
      const isOn = preferences.favourites.includes(entry.type);
      setOn(star, isOn);
      setText(star, isOn ? "★" : "☆");
      setAttribute(star, "aria-label", text("favourite", { name: entry.label }));
    };
    showStar();
    const choice = button({ class: "type-choice", "data-type": entry.type,
      "aria-disabled": entry.problem === null ? null : "true" }, {}, () => {
      if (entry.problem === null) noteUse(entry.type);
      this.#choose(entry);
    }, make("strong", { text: entry.label }), make("span", { class: "label", text: facts }),
    entry.summary ? make("span", { class: "label", text: readable(entry.summary) }) : null,
    entry.problem ? make("span", { class: "refusal",
      text: `⚠ ${text("cannotUse", { reason: entry.problem })}` }) : null,
    entry.crashed ? make("span", { class: "refusal",
      text: `⚠ ${text("hasCrashed", { reason: entry.crashed })}` }) : null);
    const handle = this.#drag === null || entry.problem !== null ? null
      : make("span", { class: "handle", "aria-hidden": "true", text: "⠿",
        title: text("dragToCable"), onpointerdown: (event) => {
          if (event.button === 0) this.#drag(event, entry, () => noteUse(entry.type));
        } });
    return make("li", {}, handle, choice, star);
  }
}
