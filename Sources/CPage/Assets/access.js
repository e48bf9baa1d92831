// What this device may do: its role, and the mixer to which it may be limited.

import { setAttribute, text } from "./dom.js";

/** The actions and values that change a file. */
const edits = new Set(["save", "save-scene", "undo", "redo", "learn"]);
let access = null;
// Elements of an earlier song must not stay in memory because of this list.
const marked = new Set();
const listeners = new Set();

/** Adopts the part `access` of the session. */
export function adopt(part) {
  access = part;
  for (const entry of marked) {
    const element = entry.element.deref();
    if (element === undefined) marked.delete(entry);
    else show(element, entry.request);
  }
  for (const call of listeners) call();
}

/** Calls a function after each change. */
export function onAccess(call) { listeners.add(call); }

/** The part `access`; `null` before the first snapshot. */
export function ownAccess() { return access; }

/** Returns the reason why this device must not send a request; `null` if it may. */
export function barrier(request) {
  if (access === null) return null;
  switch (request.request) {
    case "set": case "fade":
      return edits.has(request.address) ? editBarrier() : playBarrier(request.address);
    case "perform": return edits.has(request.action) ? editBarrier() : playBarrier(null);
    case "key": return playBarrier(null);
    case "edit": return editBarrier();
    default: return null;
  }
}

/** The reason for which this device cannot change an address, or perform an action (`null`). */
function playBarrier(address) {
  if (access.role === "look") return text("mayLook");
  if (access.limit === null) return null;
  const isOwn = address !== null
    && (access.mixers ?? []).some((mixer) => address.startsWith(`${mixer}.`));
  return isOwn ? null : text("mayMix", { name: access.limit });
}

function editBarrier() {
  if (access.role === "edit") return null;
  return access.role === "look" ? text("mayLook") : text("mayPlay");
}

/** Shows a control as disabled, with the reason, as long as this device must not use it. */
export function guarded(element, request) {
  marked.add({ element: new WeakRef(element), request });
  show(element, request);
  return element;
}

function show(element, request) {
  const reason = barrier(request);
  if (reason === null && !element.classList.contains("barred")) return;
  element.classList.toggle("barred", reason !== null);
  setAttribute(element, "title", reason);
  const isOff = reason !== null || element.classList.contains("idle");
  setAttribute(element, "aria-disabled", isOff ? "true" : null);
}
