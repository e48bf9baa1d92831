// Edits of the files that play, and what the user must know if one is not made.

import { inform } from "./dialogs.js";
import { make, text } from "./dom.js";

/**
 * Edits a file that plays, and shows why if it is not possible.
 *
 * @param file The file with the tag of the content that the edit was made on: `{file, tag}`.
 * @param name What the edit does, for the history.
 * @param operations A JSON Patch.
 * @returns The answer; `null` without a connection.
 */
export async function sendEdit(link, file, name, operations) {
  const answer = await link.ask({ request: "edit", file: file.file, tag: file.tag, name,
    operations });
  if (answer === null || answer.answer === "edited") return answer;
  inform(text("fileUnchanged"),
    make("p", { text: answer.answer === "conflict" ? text("editConflict") : answer.message }),
    make("ul", { class: "edit-errors" }, (answer.diagnostics ?? []).map((error) => make("li", {
      text: text("editError", error) }))));
  return answer;
}
