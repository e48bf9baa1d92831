// The page's copy of the session's state: the last snapshot, and all changes since.

/** The page's copy of the session's state. Only `receive` changes it. */
export class Picture {
  #values = new Map();
  #reports = new Map();
  #parameters = new Map();
  #parts = {};
  #events = [];
  #watchers = new Map();
  #listeners = new Set();

  /** The highest revision that has arrived. */
  revision = 0;
  /** The text that differs in each run of the program; `null` before the first snapshot. */
  run = null;
  /** The version of the program. */
  version = "";
  /** Grows with each snapshot that may have other addresses. */
  structure = 0;
  /** The wall clock when something last arrived, in ms; 0 before that. */
  newestAt = 0;

  /** The events, the oldest first: `{time, event, text}`. */
  get events() { return this.#events; }

  /** Returns a part of the snapshot by its name; `null` if it is not known. */
  part(name) { return this.#parts[name] ?? null; }
  /** Returns the value of an address; `undefined` if it has no value. */
  value(address) { return this.#values.get(address); }
  /** Returns what a node reports; `undefined` or `null` without a value. */
  report(address) { return this.#reports.get(address); }
  /** Returns the description of an address; `undefined` if the address cannot be set. */
  parameter(address) { return this.#parameters.get(address); }
  /** Returns whether requests of this page may set an address. */
  isOpen(address) { return this.#parameters.get(address)?.remote === true; }

  /**
   * Calls a function with each new value or report of an address, and once now.
   *
   * @returns A function that ends it.
   */
  watch(address, call) {
    const calls = this.#watchers.get(address) ?? new Set();
    this.#watchers.set(address, calls);
    calls.add(call);
    call(this.#values.has(address) ? this.#values.get(address) : this.#reports.get(address));
    return () => calls.delete(call);
  }

  /**
   * Calls a function after each message with `{kind, name}`: `snapshot`, `structure`, `part`,
   * `values` or `event`.
   */
  listen(call) { this.#listeners.add(call); }

  /** Applies a message of the server; answers change nothing here. */
  receive(message) {
    if (typeof message.revision === "number") {
      this.revision = Math.max(this.revision, message.revision);
    }
    switch (message.type) {
      case "snapshot": return this.#replace(message);
      case "values": return this.#change(message.values ?? {}, message.reports ?? {});
      case "part":
        this.#parts[message.name] = message.value;
        return this.#tell({ kind: "part", name: message.name });
      case "event":
        this.#events.push({ time: message.time, event: message.event, text: message.text });
        if (this.#events.length > 100) this.#events.shift();
        return this.#tell({ kind: "event", event: message.event });
    }
  }

  #replace(message) {
    const former = this.run === null ? null : JSON.stringify([this.#parts.pipeline,
      this.#parts.meters]);
    this.revision = message.revision;
    this.run = message.run;
    this.version = message.version ?? "";
    for (const name of ["session", "overview", "pipeline", "problems", "connections", "status",
      "meters", "node_meters", "files", "history", "ports", "access"]) {
      this.#parts[name] = message[name] ?? null;
    }
    this.#events = [...(message.events ?? [])];
    this.#values = new Map(Object.entries(message.values ?? {}));
    this.#reports = new Map(Object.entries(message.reports ?? {}));
    const isOther = former !== JSON.stringify([this.#parts.pipeline, this.#parts.meters]);
    if (isOther) {
      this.#parameters = new Map(
        (this.#parts.pipeline?.parameters ?? []).map((each) => [each.address, each]));
      this.structure += 1;
      this.#watchers = new Map();
      this.#tell({ kind: "structure" });
    }
    for (const address of this.#watchers.keys()) this.#call(address);
    this.#tell({ kind: "snapshot" });
  }

  #change(values, reports) {
    for (const [address, value] of Object.entries(values)) this.#values.set(address, value);
    for (const [address, value] of Object.entries(reports)) this.#reports.set(address, value);
    for (const address of Object.keys(values)) this.#call(address);
    for (const address of Object.keys(reports)) if (!(address in values)) this.#call(address);
    this.#tell({ kind: "values", values, reports });
  }

  #call(address) {
    const value = this.#values.has(address) ? this.#values.get(address)
      : this.#reports.get(address);
    for (const call of this.#watchers.get(address) ?? []) call(value);
  }

  #tell(news) { for (const call of this.#listeners) call(news); }
}
