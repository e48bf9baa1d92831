// What each gesture on the board changes in the wiring, and what must follow it elsewhere.
//
// Each gesture takes a `Wiring`, changes it, and returns the references that change with it, for
// `Files.references`.

import { text } from "./dom.js";
import { Entry, pointer, splitSource } from "./wiring.js";

/** Returns an id made of words, which differs from all names. */
function freshId(words, names) {
  const plain = words.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "").slice(0, 40) || "node";
  if (!names.has(plain)) return plain;
  for (let number = 2; ; number += 1) {
    if (!names.has(`${plain}-${number}`)) return `${plain}-${number}`;
  }
}

/** Returns whether a text can be the id of a node. */
export function isId(words) { return /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(words); }

/** Creates a node of a type of the palette; `settings` are those that it needs. */
export function newNode(wiring, type, settings = null) {
  const id = freshId(type.plugin ? type.label : type.type, wiring.names);
  const raw = type.plugin ? { id, type: "lv2", uri: type.type } : { id, type: type.type };
  if (settings !== null) raw.settings = settings;
  return made(raw, type.source);
}

function made(raw, isSource = false) {
  return { id: raw.id, raw, index: -1, isNew: true, copyOf: null, isSource, ports: null,
    feeds: [] };
}

/** Puts a node at the place of its list that needs the fewest changes of the text. */
function settle(wiring, node, target) {
  const places = [];
  const chain = wiring.chainOf(target.id ?? "") ?? wiring.chains[wiring.chains.length - 1];
  const at = chain.nodes.findIndex((each) => each.id === target.id);
  if (at >= 0) places.push([chain.key, at]);
  const source = wiring.entries(node)[0]?.name;
  const home = wiring.chainOf(source ?? "");
  if (home !== undefined) {
    places.push([home.key, home.nodes.findIndex((each) => each.id === source) + 1]);
  }
  if (at < 0) places.push([chain.key, chain.nodes.length]);
  let best = null;
  for (const [key, place] of places) {
    wiring.insert(key, place, node);
    const count = wiring.patch().length;
    wiring.take(node.id);
    if (best === null || count < best.count) best = { key, place, count };
  }
  wiring.insert(best.key, best.place, node);
}

/** The texts of the signals that pass through a node. */
function through(wiring, node) {
  const entries = wiring.entries(node);
  if (entries.length === 0) return [];
  if (node.ports) return [entries[0].name];
  return wiring.isMixer(node) ? [entries[0].text] : entries.map((entry) => entry.text);
}

/** Feeds a node from signals; the ports that had its main signal get the new one. */
function feed(wiring, node, signals) {
  if (!node.ports) {
    node.feeds = signals.map((signal) => new Entry(signal, true));
    return;
  }
  const main = wiring.entries(node)[0]?.name;
  for (const entry of wiring.entries(node)) {
    if (entry.name === main) entry.point(joined(signals[0], entry.part));
  }
}

/** Returns a channel of a signal: `keys` and `:2` are `keys:2`, and `keys:1` stays. */
function joined(signal, part) { return splitSource(signal)[1] === "" ? signal + part : signal; }

/** Puts a node between the entries of a cable and its target. */
function interpose(wiring, node, entries, target) {
  const signals = entries.length === 1 ? [entries[0].text] : [entries[0].name];
  feed(wiring, node, signals);
  entries.forEach((entry, index) => entry.point(entries.length === 1 ? node.id
    : node.id + (/^:\d+$/.test(entry.part) || entry.part === "" ? entry.part : `:${index + 1}`)));
  settle(wiring, node, target);
}

/** Mixes a signal into what a target receives, with a strip or with a new mixer. */
function mixInto(wiring, signal, target) {
  if (target.feeds.some((entry) => entry.text === signal)) {
    throw new Error(text("isConnected", { from: signal, to: target.id ?? target.name }));
  }
  if (target.raw !== undefined && wiring.isMixer(target)) {
    target.feeds.push(new Entry(signal, true));
    return;
  }
  if (target.ports) throw new Error(text("choosePort", { name: target.id }));
  const mixer = made({ id: freshId("mix", wiring.names), type: "mixer" });
  mixer.feeds = [...target.feeds.map((entry) => new Entry(entry.text, true)),
    new Entry(signal, true)];
  target.feeds = [new Entry(mixer.id, true)];
  settle(wiring, mixer, target);
}

/** Adds a node on a cable; a source is mixed into the target of the cable. */
export function addOnCable(wiring, from, to, node) {
  const { target, entries } = wiring.cable(from, to);
  if (!node.isSource) {
    interpose(wiring, node, entries, target);
  } else {
    const chain = wiring.chainOf(target.id ?? "") ?? wiring.chains[wiring.chains.length - 1];
    const at = chain.nodes.findIndex((each) => each.id === target.id);
    wiring.insert(chain.key, at < 0 ? chain.nodes.length : at, node);
    mixInto(wiring, node.id, target);
  }
  return wiring.strips();
}

/** Adds a node between everything that an output receives and the output. */
export function addAtEnd(wiring, output, node) {
  const target = wiring.target(output);
  const [first] = target.feeds;
  if (first === undefined) throw new Error(text("needsSource", { name: output }));
  if (node.isSource || target.feeds.every((entry) => entry.name === first.name)) {
    return addOnCable(wiring, first.name, output, node);
  }
  node.feeds = target.feeds;
  target.feeds = [new Entry(node.id, true)];
  settle(wiring, node, target);
  return wiring.strips();
}

/** Connects what fed a node with what it fed. */
function closeGap(wiring, node) {
  const signals = through(wiring, node);
  for (const [target, entry] of wiring.consumers(node.id)) {
    if (target === node) continue;
    const [signal] = signals;
    const others = wiring.entries(target).filter((each) => each !== entry);
    const isTaken = target.raw !== undefined && wiring.isMixer(target)
      && others.some((each) => each.text === joined(signal ?? "", entry.part));
    if (signal === undefined || isTaken) wiring.drop(target, entry);
    else if (signals.length === 1 || target.ports) {
      entry.point(joined(signal, /^:\d+$/.test(entry.part) ? entry.part : ""));
    } else {
      target.feeds.splice(target.feeds.indexOf(entry), 1,
        ...signals.map((each) => new Entry(each, true)));
    }
  }
}

/** Removes a node, and closes the gap. */
export function removeNode(wiring, id) {
  const node = known(wiring, id);
  closeGap(wiring, node);
  wiring.take(id);
  return [["remove-node", id], ...wiring.strips()];
}

function known(wiring, id) {
  const node = wiring.node(id);
  if (node === undefined) throw new Error(text("noNode", { name: id }));
  return node;
}

/** Moves a node to another cable. */
export function moveNode(wiring, id, from, to) {
  const node = known(wiring, id);
  if (from === id || to === id) return [];
  if (node.isSource || wiring.isMixer(node)) throw new Error(text("cannotMove", { name: id }));
  closeGap(wiring, node);
  const { target, entries } = wiring.cable(from, to);
  wiring.take(id);
  if (!node.ports) node.feeds = [];
  interpose(wiring, node, entries, target);
  return wiring.strips();
}

/** Duplicates a node: the copy follows it, or is beside it if that is not possible. */
export function duplicateNode(wiring, id) {
  const node = known(wiring, id);
  const copy = { ...node, id: freshId(id.replace(/-\d+$/, ""), wiring.names), copyOf: id,
    ports: node.ports && new Map([...node.ports].map(([symbol, entry]) =>
      [symbol, new Entry(entry.value)])),
    feeds: node.feeds.map((entry) => new Entry(entry.value)) };
  if (!node.isSource && !wiring.isMixer(node)) {
    for (const [, entry] of wiring.consumers(id)) entry.point(copy.id + entry.part);
    feed(wiring, copy, [id]);
  }
  const { key, nodes } = wiring.chainOf(id);
  wiring.insert(key, nodes.indexOf(node) + 1, copy);
  return { id: copy.id, changes: wiring.strips() };
}

/** Removes a cable. */
export function disconnect(wiring, from, to) {
  const { target, entries } = wiring.cable(from, to);
  for (const entry of entries) wiring.drop(target, entry);
  if (wiring.entries(target).length === 0 && !target.ports) {
    throw new Error(text("needsSource", { name: to }));
  }
  return wiring.strips();
}

/**
 * Connects a signal with a target.
 *
 * @param options `symbol` of a port, with `inputs`, all ports of the type, and `channels(name)`, the
 *   number of channels of a signal; or `replaces`, whether the signal replaces the present one.
 */
export function connect(wiring, signal, to, { symbol, inputs, channels, replaces } = {}) {
  const target = wiring.target(to);
  if (target === undefined) throw new Error(text("noNode", { name: to }));
  if (symbol !== undefined) {
    if (!target.ports) spread(target, inputs, channels);
    target.ports.set(symbol, new Entry(signal, true));
  } else if (replaces) {
    target.ports = null;
    target.feeds = [new Entry(signal, true)];
  } else mixInto(wiring, signal, target);
  return wiring.strips();
}

/** Gives each main input of a plugin the channel that it receives without `ports`. */
function spread(target, inputs, channels) {
  const main = inputs.filter((port) => !port.optional && !port.control_voltage);
  const [first] = target.feeds;
  target.ports = new Map();
  if (first === undefined) return;
  const isWide = target.feeds.length === 1 && first.part === "" && channels(first.name) > 1;
  main.forEach((port, index) => {
    const entry = target.feeds[Math.min(index, target.feeds.length - 1)];
    target.ports.set(port.symbol, new Entry(isWide ? `${entry.text}:${index + 1}` : entry.text));
  });
  target.feeds = [];
}

/** Removes an input; what it fed must have another source. */
export function removeInput(wiring, name) {
  for (const [target, entry] of wiring.consumers(name)) wiring.drop(target, entry);
  wiring.forgetInput(name);
  return wiring.strips();
}

/** The keys of a node that only plugins have. */
const pluginKeys = ["isolate", "sandbox", "events", "ports"];

function fits(value, { kind, minimum, maximum, choices }) {
  if (kind === "toggle") return typeof value === "boolean";
  if (kind === "choice") return choices.includes(value);
  return typeof value === "number" && value >= minimum && value <= maximum;
}

/**
 * Replaces the type of a node; its id, its wiring and the values that both types have stay.
 *
 * @param type The new type in the palette, and `about`, everything about it.
 * @returns The references, and the operations for the node itself.
 */
export function replaceType(wiring, file, id, type, about, settings = null) {
  const node = known(wiring, id);
  const { key, nodes } = wiring.chainOf(id);
  const path = `/${key}/${nodes.indexOf(node)}`;
  const { raw } = node;
  const put = (name, value) => ({ op: name in raw ? "replace" : "add", path: `${path}/${name}`,
    value });
  const knownSettings = about.settings.map((each) => each.name);
  const gone = new Set(type.plugin ? [] : pluginKeys.filter((name) => name !== "ports"));
  if (type.plugin && !about.receives_events) gone.add("events");
  const operations = [put("type", type.plugin ? "lv2" : type.type),
    ...(type.plugin ? [put("uri", type.type)] : "uri" in raw ? [{ op: "remove", path: `${path}/uri` }] : []),
    ...[...gone].filter((name) => name in raw).map((name) => ({ op: "remove", path: `${path}/${name}` })),
    ...kept(raw.parameters, `${path}/parameters`, (name, value) =>
      about.parameters.some((each) => each.name === name && fits(value, each))
      || (type.mixer && wiring.isMixer(node))),
    ...(settings !== null ? [put("settings", settings)]
      : kept(raw.settings, `${path}/settings`, (name) => knownSettings.includes(name)
        && name !== "preset"))];
  const names = new Set([...about.parameters.map((each) => each.name), ...knownSettings, "bypass",
    "mix", "parameters.bypass", "parameters.mix"]);
  const used = JSON.stringify(file).matchAll(/"((?:[^"\\]|\\.)*)"/g);
  const addresses = new Set([...used].map(([, words]) => words)
    .filter((words) => words.startsWith(`${id}.`) && !names.has(words.slice(id.length + 1))));
  if (node.ports) {
    const symbols = new Set((about.inputs ?? []).map((port) => port.symbol));
    if (!type.plugin || ![...node.ports.keys()].every((symbol) => symbols.has(symbol))) {
      const signals = through(wiring, node);
      node.ports = null;
      node.feeds = signals.map((signal) => new Entry(signal, true));
    }
  }
  if (type.source && !node.isSource) {
    node.feeds = [];
    node.ports = null;
    if (raw.from !== undefined) operations.push({ op: "remove", path: `${path}/from` });
  } else if (!type.source && node.isSource) node.feeds = wiring.standardFeeds(id);
  node.isSource = type.source;
  return { operations, changes: [...addresses].filter((address) => !(type.mixer
    && wiring.isMixer(node))).map((address) => ["remove-address", address]) };
}

/** The operations that remove the members of an object that do not stay. */
function kept(object, path, stays) {
  const names = Object.keys(object ?? {});
  const gone = names.filter((name) => !stays(name, object[name]));
  if (names.length > 0 && gone.length === names.length) return [{ op: "remove", path }];
  return gone.map((name) => ({ op: "remove",
    path: `${path}/${pointer(name)}` }));
}
