// The names of keys in files, and whether the song binds them.

const names = {
  " ": "space", Enter: "enter", Tab: "tab", Backspace: "backspace", Escape: "escape",
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", PageUp: "page-up",
  PageDown: "page-down", Home: "home", End: "end", Insert: "insert", Delete: "delete",
};

/** The name of a key in files; `null` if files cannot bind it. */
function fileName(key) {
  if (/^F\d+$/.test(key)) return key.toLowerCase();
  return names[key] ?? (/^[!-~]$/.test(key) ? key : null);
}

/** Returns the name of a key to which the song has a binding, otherwise `null`. */
export function boundKey(picture, key) {
  const name = fileName(key);
  return name !== null && picture.part("overview")?.keys?.includes(name) ? name : null;
}
