// The nodes of a file with the signals that feed them, and the patch to another wiring.
//
// A gesture changes the wiring; `patch` finds the operations that a person would type for it: keys
// that may stay away stay away, and what does not change is not written.

import { text } from "./dom.js";

/** Returns the name and the part of a source: `["keys", ":2"]`. */
export function splitSource(words) {
  const colon = words.indexOf(":");
  return colon < 0 ? [words, ""] : [words.slice(0, colon), words.slice(colon)];
}

/** Returns a key as a part of a JSON pointer. */
export function pointer(name) { return name.replaceAll("~", "~0").replaceAll("/", "~1"); }

/** One entry of `from` or `ports`. */
export class Entry {
  /** The text before the gesture; `null` for a new entry. */
  was;
  #value;

  constructor(value, isNew = false) {
    this.#value = value;
    this.was = isNew ? null : this.text;
  }

  get text() { return typeof this.#value === "string" ? this.#value : this.#value.signal; }
  get name() { return splitSource(this.text)[0]; }
  get part() { return splitSource(this.text)[1]; }
  get value() { return this.#value; }

  /** Names another signal; `align` stays. */
  point(words) {
    this.#value = typeof this.#value === "string" ? words : { ...this.#value, signal: words };
  }
}

function same(one, other) { return JSON.stringify(one) === JSON.stringify(other); }

function feedsOf(raw) {
  const from = raw?.from;
  return (Array.isArray(from) ? from : from === undefined ? [] : [from])
    .map((value) => new Entry(value));
}

/** The wiring of one file. */
export class Wiring {
  #file;
  #mixers;
  #firstOf;
  /** The lists of nodes, in the order of the file: `{key, nodes}`. */
  chains;
  outputs;

  /**
   * @param file The content of the file.
   * @param facts `isSource(node)` and `isMixer(node)` of a node of the file, and `songOutput`, the
   *   name of the first output of the songs.
   */
  constructor(file, facts) {
    this.#file = file;
    this.#mixers = facts.isMixer;
    const isSetlist = Array.isArray(file.songs);
    const inputs = Object.entries(file.inputs ?? (isSetlist ? {} : { in: {} }))
      .filter(([, input]) => input.kind !== "midi").map(([name]) => name);
    this.#firstOf = { nodes: inputs[0], before: inputs[0], after: facts.songOutput };
    this.inputs = inputs;
    this.chains = (isSetlist ? ["before", "after"] : ["nodes"]).map((key) => ({
      key, isThere: file[key] !== undefined,
      nodes: (file[key] ?? []).map((raw, index) => ({
        id: raw.id, raw, index, isNew: false, copyOf: null,
        isSource: facts.isSource(raw), ports: null, feeds: [],
      })) }));
    for (const { key, nodes } of this.chains) {
      nodes.forEach((node, place) => {
        if (node.raw.ports !== undefined) {
          node.ports = new Map(Object.entries(node.raw.ports)
            .map(([symbol, value]) => [symbol, new Entry(value)]));
        } else if (node.raw.from !== undefined) node.feeds = feedsOf(node.raw);
        else if (!node.isSource) node.feeds = this.#defaultFeeds(key, nodes, place);
      });
    }
    this.outputs = Object.entries(file.outputs ?? (isSetlist ? {} : { out: { channels: 2 } }))
      .filter(([, raw]) => raw.kind !== "midi").map(([name, raw]) => ({
        name, raw, feeds: raw.from === undefined ? [] : feedsOf(raw) }));
    for (const output of this.outputs) {
      if (output.raw.from === undefined) {
        output.feeds = [this.#lastSignal(output.name)].filter((each) => each !== undefined)
          .map((each) => new Entry(each));
      }
    }
  }

  #defaultFeeds(key, nodes, place) {
    const name = place > 0 ? nodes[place - 1].id : this.#firstOf[key];
    return name === undefined ? [] : [new Entry(name)];
  }

  /** The signal of an output without `from`. */
  #lastSignal(name) {
    const chain = this.chains[this.chains.length - 1];
    return chain.nodes[chain.nodes.length - 1]?.id
      ?? (chain.key === "after" ? name : this.#firstOf.nodes);
  }

  get nodes() { return this.chains.flatMap((chain) => chain.nodes); }
  /** All names that a new node or signal must not have. */
  get names() {
    return new Set([...this.nodes.map((node) => node.id), ...Object.keys(this.#file.inputs ?? { in: 0 }),
      ...Object.keys(this.#file.outputs ?? { out: 0 })]);
  }

  node(id) { return this.nodes.find((node) => node.id === id); }
  chainOf(id) { return this.chains.find((chain) => chain.nodes.some((node) => node.id === id)); }
  isMixer(node) { return node.raw !== undefined && this.#mixers(node.raw); }

  /** Returns a node or an output by its name; `undefined` without one. */
  target(name) { return this.node(name) ?? this.outputs.find((each) => each.name === name); }

  /** Returns the entries of a target; they may be changed. */
  entries(target) { return target.ports ? [...target.ports.values()] : target.feeds; }

  /** Returns the entries of a cable. */
  cable(from, to) {
    const target = this.target(to);
    let entries = target ? this.entries(target).filter((entry) => entry.name === from) : [];
    if (entries.length === 0 && target && this.node(from) === undefined) {
      // The drawing joins a setlist and its song: the signal has another name in this file.
      const outer = this.entries(target).filter((entry) => this.node(entry.name) === undefined);
      if (outer.length === 1) entries = outer;
    }
    if (entries.length === 0) throw new Error(text("noCable", { from, to }));
    return { target, entries };
  }

  /** Removes an entry of a target. */
  drop(target, entry) {
    if (target.ports) {
      for (const [symbol, each] of target.ports) if (each === entry) target.ports.delete(symbol);
    } else target.feeds = target.feeds.filter((each) => each !== entry);
  }

  /** All targets with an entry of a signal: `[target, entry]`. */
  consumers(name) {
    return [...this.nodes, ...this.outputs].flatMap((target) => this.entries(target)
      .filter((entry) => entry.name === name).map((entry) => [target, entry]));
  }

  /** The feeds of a node without `from`. */
  standardFeeds(id) {
    const { key, nodes } = this.chainOf(id);
    return this.#defaultFeeds(key, nodes, nodes.findIndex((node) => node.id === id));
  }

  /** Forgets an input that the gesture removes. */
  forgetInput(name) {
    this.inputs = this.inputs.filter((each) => each !== name);
    if (this.#firstOf.nodes === name) this.#firstOf.nodes = this.inputs[0];
    if (this.#firstOf.before === name) this.#firstOf.before = this.inputs[0];
  }

  /** Puts a node into a list. */
  insert(key, place, node) {
    this.chains.find((chain) => chain.key === key).nodes.splice(place, 0, node);
  }

  /** Takes a node out of its list, and returns its place. */
  take(id) {
    const chain = this.chainOf(id);
    const place = chain.nodes.findIndex((node) => node.id === id);
    const [node] = chain.nodes.splice(place, 1);
    return { chain, place, node };
  }

  // The references that follow

  /** The changes of strips: a mixer's strip has the name of its signal. */
  strips() {
    return this.nodes.filter((node) => !node.isNew && node.copyOf === null && this.isMixer(node))
      .flatMap((node) => {
        const old = node.raw.from === undefined ? [this.#formerFeed(node)]
          : feedsOf(node.raw).map((entry) => entry.text);
        const renamed = node.feeds.filter((entry) => entry.was !== null
          && entry.was !== entry.text);
        const kept = new Set(node.feeds.map((entry) => entry.was));
        return [...renamed.map((entry) => ["rename-strip", `${node.id}.${entry.was}`, entry.text]),
          ...old.filter((name) => name !== undefined && !kept.has(name))
            .map((name) => ["remove-strip", `${node.id}.${name}`])];
      });
  }

  #formerFeed(node) {
    const list = this.chains.map((chain) => chain.key)
      .map((key) => [key, this.#file[key] ?? []]).find(([, raws]) => raws.includes(node.raw));
    return list === undefined ? undefined
      : node.index > 0 ? list[1][node.index - 1].id : this.#firstOf[list[0]];
  }

  // The patch

  /** Returns the operations that give the file this wiring. */
  patch() {
    for (const target of [...this.nodes, ...this.outputs]) {
      const isEmpty = this.entries(target).length === 0;
      const isFree = target.isSource || (target.ports && target.raw?.ports !== undefined);
      if (isEmpty && !isFree) throw new Error(text("needsSource", { name: target.id ?? target.name }));
    }
    return [...this.chains.flatMap((chain) => this.#order(chain)),
      ...this.chains.flatMap((chain) => chain.nodes.flatMap((node, place) =>
        node.isNew ? [] : this.#feed(node, `/${chain.key}/${place}`,
          this.#defaultFeeds(chain.key, chain.nodes, place)))),
      ...this.outputs.flatMap((output) => this.#output(output))];
  }

  /** The operations that bring the nodes of a list into their order. */
  #order({ key, isThere, nodes }) {
    const now = (this.#file[key] ?? []).map((raw) => raw.id);
    const goal = nodes.map((node) => node.id);
    const operations = [];
    if (!isThere && nodes.length > 0) {
      return [{ op: "add", path: `/${key}`, value: nodes.map((node, place) =>
        this.#written(node, this.#defaultFeeds(key, nodes, place))) }];
    }
    for (let place = now.length - 1; place >= 0; place -= 1) {
      const remains = nodes.some((node) => node.raw === this.#file[key][place]
        && node.copyOf === null && !node.isNew);
      if (remains) continue;
      operations.push({ op: "remove", path: `/${key}/${place}` });
      now.splice(place, 1);
    }
    nodes.forEach((node, place) => {
      if (now[place] === node.id) return;
      if (node.isNew) {
        operations.push({ op: "add", path: `/${key}/${place < now.length ? place : "-"}`,
          value: this.#written(node, this.#defaultFeeds(key, nodes, place)) });
        now.splice(place, 0, node.id);
      } else if (node.copyOf !== null) {
        operations.push({ op: "copy", from: `/${key}/${now.indexOf(node.copyOf)}`,
          path: `/${key}/${place < now.length ? place : "-"}` },
        { op: "replace", path: `/${key}/${place}/id`, value: node.id });
        now.splice(place, 0, node.id);
      } else {
        // A node that moves towards the end is one operation, not one for each node it passes.
        const later = goal.indexOf(now[place]);
        const [from, to] = now[place + 1] === node.id && later > place
          ? [place, Math.min(later, now.length - 1)] : [now.indexOf(node.id), place];
        operations.push({ op: "move", from: `/${key}/${from}`, path: `/${key}/${to}` });
        now.splice(to, 0, ...now.splice(from, 1));
      }
    });
    return operations;
  }

  /** The object of a new node, with `from` only if it needs one. */
  #written(node, standard) {
    const { id, type, uri, ...rest } = node.raw;
    const feeds = node.feeds.map((entry) => entry.value);
    const needsFrom = !node.isSource && !same(feeds, standard.map((entry) => entry.value));
    return { id, type, ...(uri === undefined ? {} : { uri }),
      ...(needsFrom ? { from: feeds.length === 1 ? feeds[0] : feeds } : {}), ...rest };
  }

  #feed(node, path, standard) {
    if (node.ports) return this.#ports(node, path);
    if (node.isSource) return [];
    return this.#from(node.raw.from, node.feeds, `${path}/from`, standard,
      node.raw.ports !== undefined ? [{ op: "remove", path: `${path}/ports` }] : []);
  }

  #from(old, feeds, path, standard, first = []) {
    const goal = feeds.map((entry) => entry.value);
    const single = goal.length === 1 ? goal[0] : goal;
    if (old === undefined) {
      return same(goal, standard.map((entry) => entry.value)) ? first
        : [...first, { op: "add", path, value: single }];
    }
    const former = Array.isArray(old) ? old : [old];
    if (same(former, goal)) return first;
    if (Array.isArray(old) && former.length === goal.length) {
      return [...first, ...goal.flatMap((value, index) => same(value, former[index]) ? []
        : [{ op: "replace", path: `${path}/${index}`, value }])];
    }
    const gone = former.findIndex((value, index) => !same(value, goal[index]));
    if (Array.isArray(old) && former.length === goal.length + 1 && goal.length > 0
      && same(former.filter((_, index) => index !== gone), goal)) {
      return [...first, { op: "remove", path: `${path}/${gone}` }];
    }
    if (Array.isArray(old) && goal.length === former.length + 1
      && same(goal.slice(0, -1), former)) {
      return [...first, { op: "add", path: `${path}/-`, value: goal[goal.length - 1] }];
    }
    return [...first, { op: "replace", path, value: single }];
  }

  #ports(node, path) {
    const old = node.raw.ports;
    const goal = Object.fromEntries([...node.ports].map(([symbol, entry]) => [symbol, entry.value]));
    if (old === undefined) {
      return [...(node.raw.from === undefined ? [] : [{ op: "remove", path: `${path}/from` }]),
        { op: "add", path: `${path}/ports`, value: goal }];
    }
    const place = (symbol) => `${path}/ports/${pointer(symbol)}`;
    return [...Object.keys(old).filter((symbol) => !(symbol in goal))
      .map((symbol) => ({ op: "remove", path: place(symbol) })),
    ...Object.entries(goal).filter(([symbol, value]) => !same(value, old[symbol]))
      .map(([symbol, value]) => ({ op: symbol in old ? "replace" : "add", path: place(symbol),
        value }))];
  }

  #output({ name, raw, feeds }) {
    const path = `/outputs/${pointer(name)}`;
    const last = this.#lastSignal(name);
    const standard = last === undefined ? [] : [new Entry(last)];
    if (this.#file.outputs === undefined) {
      // The output of a file without the key `outputs`.
      return same(feeds.map((entry) => entry.value), standard.map((entry) => entry.value)) ? []
        : [{ op: "add", path: "/outputs",
          value: { out: { ...raw, from: feeds.length === 1 ? feeds[0].value
            : feeds.map((entry) => entry.value) } } }];
    }
    return this.#from(raw.from, feeds, `${path}/from`, standard);
  }
}
