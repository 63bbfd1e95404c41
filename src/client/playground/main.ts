/** The script of the playground, loaded when it is first opened. */

import { parseJson } from "../../lib/json/raw-number.js";
import type { PlaygroundForm } from "../../page/reference/playground/playground-form.js";
import { createDialog, type PlaygroundDialog } from "./dialog.js";
import { setMessages } from "./say.js";

interface PlaygroundHost {
  /** A `PlaygroundForm` as JSON. */
  readonly form: string;
  /** The `GraphTypes` of a form with an operation of GraphQL, as JSON. */
  readonly types?: string;
  /** See `setMessages`. */
  readonly words: string;
  /** Title of the page. */
  readonly title: string;
  /** Values for server variables, set by scripts of the site; they may change. */
  readonly variables: () => Readonly<Record<string, unknown>>;
  readonly onClose: () => void;
}
export type OpenPlayground = (host: PlaygroundHost) => void;

let dialog: PlaygroundDialog | undefined;

// Missing in some browsers that support the rest.
String.prototype.toWellFormed ??= function (this: string) {
  return this.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
};

window.offprintOpenPlayground = ({ form, words, types, title, variables, onClose }) => {
  if (!dialog) {
    setMessages(words);
    dialog = createDialog(parseJson(form) as unknown as PlaygroundForm, title, onClose, types);
    const made = dialog;
    const update = (): void => made.setVariables(variables());
    if (Object.keys(variables()).length > 0) update();
    addEventListener("offprint:server-variables", update);
  }
  dialog.open();
};
