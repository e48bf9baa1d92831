// The problems of the session, in plain words.

import { icon, make, text } from "./dom.js";

/** The events of a node that remain a problem until another event of the node ends it. */
const incidents = {
  plugin_lost: "pluginLost", plugin_abandoned: "pluginAbandoned", plugin_away: "pluginAway",
  plugin_stopped: "pluginStopped", plugin_stuck: "pluginStuck",
  plugin_wrote_beyond: "pluginWroteBeyond", source_silenced: "sourceSilenced",
  source_reconnecting: "sourceReconnecting", take_stopped: "takeStopped",
  take_refused: "takeRefused", non_finite: "nonFinite",
};
/** The events of a node that end its problem. */
const recoveries = new Set(["plugin_back", "source_playing", "take_started"]);
/** The events after which all nodes begin again. */
const restarts = new Set(["panic", "song", "reloaded", "switched"]);
/** Problems of the session; `reloaded` and `song` end them. */
const general = {
  preparation_failed: "preparationFailed", port_refused: "portRefused", song_skipped: "songSkipped",
  memory_not_locked: "memoryNotLocked", cores_not_used: "coresNotUsed",
};

function serverProblems(session) {
  const key = { lost: "serverLost", hangs: "serverHangs", starting: "serverStarting" }[
    session?.server];
  return [key ? text(key) : null, session?.freewheel ? text("freewheeling") : null];
}

function fileProblem(problem) {
  const { song, node, consequence, message } = problem;
  const words = { song: song ?? "", node: node ?? "", message: message ?? "" };
  const what = consequence === "skipped" ? text("problemSkipped", words)
    : consequence === "dry" ? text("problemDry", words)
    : consequence === "silent" ? text("problemSilent", words)
    : text(node ? "problemIgnoredNode" : "problemIgnored", words);
  const line = consequence === "skipped" || !song ? what
    : text("problemInSong", { problem: what, song });
  return problem.file
    ? `${line} ${text("problemPlace", { file: problem.file, line: problem.line })}` : line;
}

/** Adds the name of the most similar port to a line about a rule that matches no port. */
export function withNearest(line, { nearest }) {
  return nearest ? `${line} ${text("nearestPort", { port: nearest })}` : line;
}

function connectionProblems(connections) {
  return (connections?.ports ?? [])
    .filter((port) => !port.connected && port.unmatched.length > 0)
    .map((port) => {
      const [miss] = port.unmatched;
      const key = port.direction === "input" ? "inputNotConnected" : "outputNotConnected";
      return withNearest(text(key, { port: port.port, rule: miss.rule }), miss);
    });
}

/** Returns the open problems that events began, in order: `{node, line}`, `node` may be `null`. */
function eventProblems(events) {
  const open = new Map();
  for (const { event } of events) {
    const name = event.event;
    if (restarts.has(name)) open.clear();
    else if (name in incidents) {
      open.set(event.node, { node: event.node, line: text(incidents[name],
        { node: event.node, reason: event.reason ?? "" }) });
    } else if (recoveries.has(name)) open.delete(event.node);
    else if (name in general) {
      open.set(name, { node: null, line: text(general[name], event) });
    }
  }
  return [...open.values()];
}

/** Returns the problems of the current song's nodes: from the id to the lines. */
export function nodeProblems(picture) {
  const overview = picture.part("overview");
  const song = overview?.songs?.[(overview?.song ?? 0) - 1]?.name;
  const ofSong = (picture.part("problems") ?? [])
    .filter((each) => each.node && (!each.song || each.song === song))
    .map((each) => ({ node: each.node, line: fileProblem(each) }));
  const lines = new Map();
  const reduced = reductions(picture);
  for (const { node, line } of [...eventProblems(picture.events), ...ofSong, ...reduced]) {
    if (node !== null) lines.set(node, [...(lines.get(node) ?? []), line]);
  }
  for (const node of picture.part("pipeline")?.nodes ?? []) {
    if (node.stand_in && !lines.has(node.id)) lines.set(node.id, [standInText(node.id)]);
  }
  return lines;
}

function standInText(node) { return text("standIn", { node }); }

function interruptions(status, events) {
  const count = status?.xruns ?? 0;
  if (count === 0) return [];
  const line = [text("xruns", { count })];
  const last = events.findLast((each) => each.event.event === "xruns");
  if (last) {
    const time = new Date(1000 * (last.event.last_time ?? last.time));
    line.push(text("xrunsLast", { time: time.toLocaleTimeString() }));
  }
  const slow = events.findLast((each) => each.event.event === "overrun");
  if (slow) line.push(text("xrunsNode", { node: slow.event.node }));
  return [line.join(" ")];
}

/** A line for each node that gives way. */
function reductions(picture) {
  const nodes = picture.value("reduced")?.split(" ") ?? [];
  return nodes.filter(Boolean).map((node) => ({ node, line: text("nodeReduced", { node }) }));
}

/** Returns a line for each problem, the worst first. */
function problemLines(picture) {
  const problems = picture.part("problems") ?? [];
  const named = new Set(problems.map((problem) => problem.node));
  const skipped = new Set(
    problems.filter((each) => each.consequence === "skipped").map((each) => each.song));
  const songs = (picture.part("overview")?.songs ?? [])
    .filter((song) => song.refusal && !skipped.has(song.name))
    .map((song) => text("songCannotPlay", { song: song.name, reason: song.refusal }));
  const standIns = (picture.part("pipeline")?.nodes ?? [])
    .filter((node) => node.stand_in && !named.has(node.id))
    .map((node) => standInText(node.id));
  return [
    ...serverProblems(picture.part("session")),
    ...eventProblems(picture.events).map((each) => each.line),
    ...connectionProblems(picture.part("connections")),
    ...standIns, ...problems.map(fileProblem), ...songs,
    ...reductions(picture).map((each) => each.line),
    ...interruptions(picture.part("status"), picture.events),
  ].filter((line) => line !== null);
}

/** The card with all problems. */
export class ProblemCard {
  #picture;
  #shown = null;
  #list = make("ul");
  #title = make("h2");

  constructor(picture) {
    this.#picture = picture;
    this.element = make("section",
      { class: "card problems", id: "problems", tabindex: "-1", "aria-label": text("problems") },
      this.#title, make("div", { role: "log", "aria-live": "polite" }, this.#list));
  }

  /** The number of problems that are shown. */
  get count() { return this.#shown?.length ?? 0; }

  show() {
    const lines = problemLines(this.#picture);
    if (JSON.stringify(lines) === JSON.stringify(this.#shown)) return;
    this.#shown = lines;
    this.#title.replaceChildren(lines.length === 0 ? text("noProblems")
      : text("problemCount", { count: lines.length }));
    this.#list.replaceChildren(...lines.map((line) =>
      make("li", {}, icon("warning"), make("span", { text: line }))));
    this.element.classList.toggle("none", lines.length === 0);
  }
}
