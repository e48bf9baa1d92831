// The connection rules of a file: how a list `connect` changes with one connection.

/** Returns a regular expression that matches exactly one name, without slashes. */
function escaped(name) { return name.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&"); }

function isPattern(rule) { return rule.length > 2 && rule.startsWith("/") && rule.endsWith("/"); }

/** Returns one rule that matches all names of a list. */
function ruleOf(names) {
  if (names.length === 0) return "";
  return names.length === 1 ? names[0] : `/${names.map(escaped).join("|")}/`;
}

/** Returns a list without the empty rules at its end. */
function trimmed(rules) {
  const list = [...rules];
  while (list.length > 0 && list.at(-1) === "") list.pop();
  return list;
}

/** Returns one rule per channel; a pattern that several channels share becomes what it matches. */
function perChannel(rules, channels, matched) {
  const isShared = channels > 1 && rules.length === 1 && isPattern(rules[0]);
  return Array.from({ length: channels }, (_, channel) =>
    isShared ? ruleOf(matched[channel]) : rules[channel] ?? "");
}

/**
 * Returns a list `connect` that also connects a channel with a port.
 *
 * @param rules The list now.
 * @param channel The channel, from 0.
 * @param matched For each channel, the ports that the rules connect now.
 */
export function withConnection(rules, channel, port, matched) {
  const channels = matched.length;
  if (channels === 1) {
    // The rules of a single channel are alternatives that all apply, but there is one per channel.
    if (rules.length === 0) return [port];
    return [joined(rules[0], port)];
  }
  const list = perChannel(rules, channels, matched);
  list[channel] = list[channel] === "" ? port : joined(list[channel], port);
  return trimmed(list);
}

/** Returns a rule that matches what a rule matches, and another port. */
function joined(rule, port) {
  return rule === "" ? port
    : `/${isPattern(rule) ? `(?:${rule.slice(1, -1)})` : escaped(rule)}|${escaped(port)}/`;
}

/** Returns a list `connect` that does not connect a channel with a port any more. */
export function withoutConnection(rules, channel, port, matched) {
  const list = perChannel(rules, matched.length, matched);
  const rest = matched[channel].filter((each) => each !== port);
  // A pattern that also waits for other ports keeps them.
  list[channel] = isPattern(list[channel]) && list[channel] !== `/${escaped(port)}/`
    ? excluding(list[channel], port) : ruleOf(rest);
  return trimmed(list);
}

/** Returns the only name that a part of a pattern matches; `null` if it matches others. */
function literal(part) {
  const name = part.replace(/\\(.)/g, "$1");
  return escaped(name) === part ? name : null;
}

/** Returns a pattern that matches what a pattern matches, except one port. */
function excluding(rule, port) {
  const names = rule.slice(1, -1).split("|").map(literal);
  // A list of names, as this page writes it, loses the name.
  if (!names.includes(null)) return ruleOf(names.filter((name) => name !== port));
  return `/(?!${escaped(port)}$)(?:${rule.slice(1, -1)})/`;
}
