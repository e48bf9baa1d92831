// The page: its head, its views, the connection and the keys.

import { adopt, onAccess, ownAccess } from "./access.js";
import { BoardView } from "./board.js";
import { ConnectionsView } from "./connections.js";
import { age, icon, make, setAttribute, setText, text } from "./dom.js";
import { Editor } from "./editor.js";
import { boundKey } from "./keys.js";
import { Levels } from "./levels.js";
import { Link } from "./link.js";
import { MixerView } from "./mixer.js";
import { PairView, isUnpaired } from "./pair.js";
import { Picture } from "./picture.js";
import { apply, prefer, preferences } from "./preferences.js";
import { button, setAway } from "./press.js";
import { SetlistView } from "./setlist.js";
import { makeSettings } from "./settings.js";
import { releaseAll } from "./slider.js";
import { StageView } from "./stage.js";
import { startWake } from "./wake.js";

/** The time for which a message stays, in ms. */
const messageTime = 6000;
/** The time without a connection after which the page covers the state, in ms. */
const patience = 400;

apply();
const picture = new Picture();
const address = `${location.origin.replace(/^http/, "ws")}/api/live`;
const link = new Link(address, picture);
const levels = new Levels(picture);

// Messages: what was not done, and why.

const message = make("div", { class: "message", role: "status" });
let messageTimer = 0;

function say(words) {
  clearTimeout(messageTimer);
  setText(message, words);
  message.classList.toggle("shown", words !== "");
  if (words !== "") messageTimer = setTimeout(() => say(""), messageTime);
}

/** Shows an answer of the session, if the user must know it; `null` for a lost request. */
function tell(answer) {
  if (answer === null || answer === undefined) return say(text("notSentAway"));
  switch (answer.answer) {
    case "refused": return say(text("refused", { reason: answer.message }));
    case "stale": return say(text("stale"));
    case "preparing": return say(text("preparing", { name: answer.song }));
    case "playing": return say("");
    case "note": return say(answer.message);
  }
}

const stage = new StageView(picture, link, levels, tell);
const mixer = new MixerView(picture, link, levels, tell);
const editor = new Editor(picture, link, tell);
const board = new BoardView(picture, link, levels, tell, editor);
const setlist = new SetlistView(picture, link, tell, editor);
const connections = new ConnectionsView(picture, link, tell, editor);
const { dialog, look, open } = makeSettings(picture, say);

// The head: views, problems, connection.

const views = { stage: stage.element, mixer: mixer.element, board: board.element,
  setlist: setlist.element, connections: connections.element };
const tabs = Object.fromEntries(Object.keys(views).map((name) => [name,
  button({ class: "tab" }, {}, () => {
    showView(name);
    if (openTabs(false)) menu.focus();
  }, text(name))]));
const nav = make("nav", { class: "tabs", id: "tabs", "aria-label": text("views") },
  Object.values(tabs));
// In a narrow window, a button opens the list of views.
const menu = button({ class: "view-menu", "aria-controls": "tabs", "aria-expanded": "false" }, {},
  () => openTabs(!nav.classList.contains("open")));
const badge = button({ class: "badge", hidden: true }, {}, () => {
  showView("stage");
  stage.showProblems();
}, icon("warning"), make("span"));
const state = make("span", { class: "connection", role: "status" });

/** Opens or closes the list of views; returns whether it was open. */
function openTabs(isOpen) {
  const wasOpen = nav.classList.contains("open");
  nav.classList.toggle("open", isOpen);
  setAttribute(menu, "aria-expanded", String(isOpen));
  return wasOpen;
}

function showView(name) {
  releaseAll();
  for (const [each, element] of Object.entries(views)) {
    element.hidden = each !== name;
    setAttribute(tabs[each], "aria-current", each === name ? "page" : null);
  }
  document.body.dataset.view = name;
  setText(menu, `${text(name)} ▾`);
  setAttribute(menu, "aria-label", text("chooseView", { name: text(name) }));
  if (name === "board") board.show();
  link.watchNodes(["board", "mixer"].includes(name));
  if (preferences.view !== name) prefer("view", name);
}

// The connection: what is shown while there is none.

const awayTitle = make("strong");
const awayText = make("span");
const retry = button({ class: "retry" }, {}, () => link.retryNow(), text("retryNow"));
const banner = make("div", { class: "away", role: "alert", hidden: true },
  make("div", {}, awayTitle, awayText), retry);
let lostAt = Date.now();
let lastRun = null;

function showConnection() {
  const isLive = link.isLive;
  const hasPicture = picture.run !== null;
  for (const element of Object.values(views)) {
    element.classList.toggle("stale", !isLive);
    setAway(element, !isLive);
  }
  if (isLive) {
    banner.hidden = true;
    setText(state, text("live"));
    state.dataset.state = "live";
    return;
  }
  setText(state, text(hasPicture ? "away" : "connecting"));
  state.dataset.state = "away";
  const now = Date.now();
  banner.hidden = now - lostAt < patience;
  setText(awayTitle, !hasPicture ? text("neverConnected")
    : picture.part("session")?.ended ? text("ended") : text("awayTitle"));
  const seconds = Math.ceil((link.retryAt - now) / 1000);
  const attempt = link.retryAt > 0 && seconds > 0 ? text("retryIn", { seconds }) : text("retrying");
  setText(awayText, hasPicture
    ? `${text("awayAge", { age: age((now - picture.newestAt) / 1000) })} ${attempt}` : attempt);
}

link.listen(() => {
  if (!link.isLive && state.dataset.state !== "away") {
    lostAt = Date.now();
    // A finger that is down belongs to the old picture.
    releaseAll();
  }
  if (link.isLive) {
    if (lastRun !== null && lastRun !== picture.run) say(text("restarted"));
    lastRun = picture.run;
  }
  showConnection();
});
setInterval(() => { if (!link.isLive) showConnection(); }, 250);
// A press while there is no connection does nothing, and says so.
addEventListener("pointerdown", (event) => {
  if (link.isLive || picture.run === null || pairing.isShown) return;
  if (!event.target.closest?.(".away, header, dialog, .pane, .zoom")) say(text("notSentAway"));
});

// The rights of this device.

const rights = make("p", { class: "rights", role: "status", hidden: true });

onAccess(() => {
  const access = ownAccess();
  const words = access === null || access.role === "edit" ? ""
    : access.role === "look" ? text("mayLook")
    : access.limit === null ? "" : text("mayMix", { name: access.limit });
  rights.hidden = words === "";
  setText(rights, words);
});
let shownAccess = "";
picture.listen((news) => {
  if (news.kind !== "snapshot" && news.name !== "access") return;
  const part = picture.part("access");
  const shown = JSON.stringify(part);
  if (shown !== shownAccess) {
    if (shownAccess !== "") releaseAll();
    shownAccess = shown;
    adopt(part);
  }
});

// A device that the server does not know must be paired first.

const pairing = new PairView(() => {
  pairing.hide();
  document.body.classList.remove("unpaired");
  link.resume();
});

link.listenToDoubts(async () => {
  if (pairing.isShown || !(await isUnpaired())) return;
  link.pause();
  if (dialog.open) dialog.close();
  say(picture.run === null ? "" : text("pairEnded"));
  document.body.classList.add("unpaired");
  pairing.show();
});

link.listenToMeters((frame) => levels.receive(frame));
link.watchMeters(30);

picture.listen(() => {
  const count = stage.problemCount;
  badge.hidden = count === 0;
  setText(badge.lastChild, String(count));
  setAttribute(badge, "aria-label",
    `${text("problemCount", { count })}. ${text("showProblems")}`);
  const overview = picture.part("overview");
  const song = overview?.songs?.[(overview?.song ?? 0) - 1]?.name ?? overview?.name;
  const title = song ? `${song} – ${text("title")}` : text("title");
  if (document.title !== title) document.title = title;
});

// Keys: those of the terminal view.

const keys = {
  n: "next-scene", p: "previous-scene", N: "next-song", P: "previous-song",
  PageDown: "next-song", PageUp: "previous-song", " ": "go", B: "back", b: "back", m: "mute",
  M: "mute", t: "tap", T: "tap", "!": "panic",
};

// A touch elsewhere closes the list of views.
addEventListener("pointerdown", (event) => {
  if (!event.target.closest?.(".tabs, .view-menu")) openTabs(false);
});

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && openTabs(false)) {
    menu.focus();
    return event.preventDefault();
  }
  if (!preferences.usesKeys || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  if (dialog.open || pairing.isShown || event.defaultPrevented) return;
  // Keys in a field or a menu belong to it.
  if (event.target.closest?.("select, textarea, input:not([type=checkbox], [type=radio])")) return;
  // Space and Enter belong to the button that has the focus; Tab always moves the focus.
  const isOnButton = event.target.closest?.("button, input, [role=slider]") !== null;
  if (isOnButton && [" ", "Enter"].includes(event.key)) return;
  const bound = boundKey(picture, event.key);
  if (event.key !== "Tab" && bound !== null) {
    event.preventDefault();
    link.ask({ request: "key", key: bound }).then(tell);
  } else if (event.key in keys) {
    event.preventDefault();
    stage.press(keys[event.key]);
  } else if (event.key === "u") {
    stage.tuner.next();
  } else if (/^[1-5]$/.test(event.key)) {
    showView(Object.keys(views)[Number(event.key) - 1]);
  }
});

document.body.append(
  make("header", {}, menu, nav, badge, state, look, open),
  rights, banner, ...Object.values(views), editor.element, pairing.element, message, dialog);
showView(preferences.view in views ? preferences.view : "stage");
showConnection();
startWake();
link.start();
