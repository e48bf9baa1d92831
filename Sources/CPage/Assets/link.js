// The connection to the session. The page connects again after a loss, and sends nothing late.

import { barrier } from "./access.js";

/** The code with which the server closes the connection of a device that is no longer paired. */
const revoked = 4401;
/** The longest silence of a live connection, in ms. */
const longestSilence = 4000;
/** The silence after which the page asks whether the server is still there, in ms. */
const pingAfter = 1500;
/** The pauses before the attempts to connect again, in ms; the last one repeats. */
const pauses = [200, 1000, 2000, 4000, 7000, 10000];
/** The gap in the page's own clock after which the page counts as having slept, in ms. */
const longestGap = 5000;
/** The time within which a connection must bring its snapshot, in ms. */
const longestOpening = 5000;
/** The shortest time between two values of the same address, in ms. */
const shortestGap = 16;
/** The time that each further moving value adds to that time, in ms, so that the movements of many
 *  fingers stay below the number of requests that the server accepts. */
const gapPerValue = 5.5;

/** One connection at a time to `/api/live`, with all requests of the page. */
export class Link {
  #url;
  #picture;
  #socket = null;
  #requests = new Map();
  #lastId = 0;
  #pending = new Map();
  #flushTimer = 0;
  #flushAfter = 0;
  #attempt = 0;
  #retryTimer = 0;
  #openedAt = 0;
  #heardAt = 0;
  #tickedAt = 0;
  #pingedAt = 0;
  #hiddenAt = Infinity;
  #metersPerSecond = 0;
  #watchesNodes = false;
  #spectrumNode = null;
  #isPaused = false;
  #wasRevoked = false;
  #doubts = new Set();
  #listeners = new Set();
  #meterListeners = new Set();

  /** Whether a snapshot has arrived and the connection is alive. Only then requests are sent. */
  isLive = false;
  /** How often a snapshot has made the connection live: what was seen before is of another number. */
  connection = 0;
  /** The time of the next attempt, in ms of the wall clock; 0 during an attempt. */
  retryAt = 0;

  constructor(url, picture) {
    this.#url = url;
    this.#picture = picture;
  }

  /** Connects, and keeps the connection until the page is closed. */
  start() {
    this.#tickedAt = Date.now();
    setInterval(() => this.#tick(), 500);
    document.addEventListener("visibilitychange", () => this.#changeVisibility());
    document.addEventListener("freeze", () => this.#leave());
    document.addEventListener("resume", () => this.#connectNow());
    addEventListener("pagehide", () => this.#leave());
    addEventListener("pageshow", (event) => { if (event.persisted) this.#connectNow(); });
    // "offline" says nothing about this connection: the session may run on this machine.
    addEventListener("online", () => { if (!this.isLive) this.#connectNow(); });
    this.#connect();
  }

  /** Calls a function when the connection becomes live or is lost, or plans another attempt. */
  listen(call) { this.#listeners.add(call); }
  /** Calls a function when the server may have refused the connection. */
  listenToDoubts(call) { this.#doubts.add(call); }
  /** Stops connecting, because the server does not know this device; `resume` connects again. */
  pause() {
    this.#isPaused = true;
    clearTimeout(this.#retryTimer);
    this.#leave();
  }
  resume() {
    this.#isPaused = false;
    this.#connectNow();
  }
  /** Calls a function with each frame of meters, a `DataView`. */
  listenToMeters(call) { this.#meterListeners.add(call); }

  /** Asks for frames of meters; none while the page is hidden. */
  watchMeters(perSecond) {
    this.#metersPerSecond = perSecond;
    this.#sendMeterRate();
  }

  /** Asks for the meters of nodes too, or no longer. */
  watchNodes(isWanted) {
    if (isWanted === this.#watchesNodes) return;
    this.#watchesNodes = isWanted;
    this.#sendMeterRate();
  }

  /** Asks for the spectrum of a node while the meters of nodes are shown; `null` for none. */
  watchSpectrum(node) {
    if (node === this.#spectrumNode) return;
    this.#spectrumNode = node;
    this.#sendMeterRate();
  }

  /** Tries to connect now instead of after the pause. */
  retryNow() { if (!this.isLive) this.#connectNow(); }

  /**
   * Sends a request.
   *
   * @param fields The request without its `id`.
   * @param onInterim Receives an answer after which another one follows.
   * @returns The last answer; `null` if it was not sent, or the connection was lost.
   */
  ask(fields, onInterim = () => {}) {
    if (!this.#isFresh()) return Promise.resolve(null);
    const reason = barrier(fields);
    if (reason !== null) return Promise.resolve({ answer: "refused", message: reason });
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#requests.set(id, { resolve, onInterim });
      this.#socket.send(JSON.stringify({ id, ...fields }));
    });
  }

  /** Performs an action that the user chose while the page showed the present state. */
  perform(action, onInterim) {
    return this.ask({ request: "perform", action, revision: this.#picture.revision }, onInterim);
  }

  /** Sets a value now; `onInterim` is that of `ask`. */
  set(address, value, onInterim) {
    this.#pending.delete(address);
    return this.ask({ request: "set", address, value, revision: this.#picture.revision },
      onInterim);
  }

  /**
   * Sets a value that moves: only the newest one is sent, at most 60 per second.
   *
   * @param onAnswer Receives the answer to each value that was sent.
   * @returns Whether the connection is live.
   */
  move(address, value, onAnswer = () => {}) {
    if (!this.#isFresh()) return false;
    const reason = barrier({ request: "set", address });
    if (reason !== null) {
      onAnswer({ answer: "refused", message: reason });
      return false;
    }
    this.#pending.set(address, { value, onAnswer });
    if (this.#flushTimer === 0) {
      const pause = Math.max(0, this.#flushAfter - performance.now());
      this.#flushTimer = setTimeout(() => this.#flush(), pause);
    }
    return true;
  }

  #flush() {
    this.#flushTimer = 0;
    const moves = [...this.#pending];
    this.#flushAfter = performance.now() + Math.max(shortestGap, gapPerValue * moves.length);
    this.#pending.clear();
    for (const [address, { value, onAnswer }] of moves) this.set(address, value).then(onAnswer);
  }

  /** Returns whether the shown state is current; a page that slept notices it before it sends. */
  #isFresh() {
    if (!this.isLive || this.#socket.readyState !== WebSocket.OPEN) return false;
    const now = Date.now();
    // Right after a sleep, a press may come before the next step finds out.
    const isAwake = document.hidden || Math.abs(now - this.#tickedAt) < longestGap;
    if (isAwake && now - Math.max(this.#heardAt, this.#openedAt) < longestSilence) return true;
    this.#connectNow();
    return false;
  }

  #connectNow() {
    this.#attempt = 0;
    this.#tickedAt = Date.now();
    this.#connect();
  }

  #connect() {
    if (this.#isPaused) return;
    this.#leave();
    clearTimeout(this.#retryTimer);
    this.retryAt = 0;
    this.#openedAt = Date.now();
    const socket = new WebSocket(this.#url);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onmessage = ({ data }) => { if (socket === this.#socket) this.#hear(data); };
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return;
      this.#wasRevoked = code === revoked;
      this.#lose();
    };
    this.#tell();
  }

  #hear(data) {
    this.#heardAt = Date.now();
    this.#picture.newestAt = this.#heardAt;
    if (typeof data !== "string") {
      const frame = new DataView(data);
      for (const call of this.#meterListeners) call(frame);
      return;
    }
    const message = JSON.parse(data);
    if (message.type === "answer") return this.#answer(message);
    this.#picture.receive(message);
    if (message.type === "snapshot" && !this.isLive) {
      this.isLive = true;
      this.connection += 1;
      this.#attempt = 0;
      this.#sendMeterRate();
      this.#tell();
    }
  }

  #answer(message) {
    if (typeof message.revision === "number") {
      this.#picture.revision = Math.max(this.#picture.revision, message.revision);
    }
    const request = this.#requests.get(message.id);
    if (request === undefined) return;
    if (message.answer === "preparing" || message.answer === "pending") {
      request.onInterim(message);
      return;
    }
    this.#requests.delete(message.id);
    request.resolve(message);
  }

  /** Drops the connection and everything that is not sent yet. */
  #leave() {
    const socket = this.#socket;
    this.#socket = null;
    if (socket !== null) {
      socket.onmessage = null;
      socket.onclose = null;
      socket.close();
    }
    this.#forget();
  }

  #forget() {
    const wasLive = this.isLive;
    this.isLive = false;
    this.#pending.clear();
    clearTimeout(this.#flushTimer);
    this.#flushTimer = 0;
    const requests = [...this.#requests.values()];
    this.#requests.clear();
    for (const { resolve } of requests) resolve(null);
    if (wasLive) this.#tell();
  }

  #lose() {
    const wasLive = this.isLive;
    this.#socket = null;
    this.#forget();
    if (!wasLive || this.#wasRevoked) for (const call of this.#doubts) call();
    this.#wasRevoked = false;
    const pause = pauses[Math.min(this.#attempt, pauses.length - 1)];
    this.#attempt += 1;
    // Pages that lost the same server do not all come back at the same moment.
    const delay = pause * (0.8 + 0.4 * Math.random());
    this.retryAt = Date.now() + delay;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#connect(), delay);
    this.#tell();
  }

  #tick() {
    if (this.#isPaused) return;
    const now = Date.now();
    const gap = now - this.#tickedAt;
    this.#tickedAt = now;
    if (document.hidden) return;
    // The machine slept: what this page shows may be old, and the connection may be dead.
    if (gap > longestGap || gap < -1000) return this.#connectNow();
    if (this.#socket === null) return;
    const silence = now - Math.max(this.#heardAt, this.#openedAt);
    if (!this.isLive) {
      if (now - this.#openedAt > longestOpening) {
        this.#leave();
        this.#lose();
      }
      return;
    }
    if (silence > longestSilence) {
      this.#leave();
      this.#lose();
    } else if (silence > pingAfter && now - this.#pingedAt > pingAfter) {
      this.#pingedAt = now;
      this.ask({ request: "ping" });
    }
  }

  #changeVisibility() {
    this.#sendMeterRate();
    if (document.hidden) {
      this.#hiddenAt = Date.now();
    } else if (Date.now() - this.#hiddenAt > 2000) {
      this.#connectNow();
    }
  }

  #sendMeterRate() {
    if (!this.isLive) return;
    this.ask({ request: "watch", meters: document.hidden ? 0 : this.#metersPerSecond,
      nodes: this.#watchesNodes, spectrum: this.#watchesNodes ? this.#spectrumNode : null });
  }

  #tell() { for (const call of this.#listeners) call(); }
}
