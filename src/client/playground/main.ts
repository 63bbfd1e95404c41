/** The playground as a reader sees it: its own script, loaded when it is first opened. */
import type { PlaygroundForm } from "../../page/reference/playground/playground-form.js";
import { createDialog, type PlaygroundDialog } from "./dialog.js";
import { setMessages } from "./say.js";

/** What the page gives. */
export interface PlaygroundHost {
  /** A `PlaygroundForm` as JSON. */
  readonly form: string;
  readonly words: string;
  /** What the page is about. */
  readonly title: string;
  /** Values for server variables that scripts of the site set; they may change. */
  readonly variables: () => Readonly<Record<string, unknown>>;
  readonly onClose: () => void;
}
export type OpenPlayground = (host: PlaygroundHost) => void;

let dialog: PlaygroundDialog | undefined;

// Some browsers that run all else are without it.
String.prototype.toWellFormed ??= function (this: string) {
  return this.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
};

window.offprintOpenPlayground = ({ form, words, title, variables, onClose }) => {
  if (!dialog) {
    setMessages(words);
    dialog = createDialog(JSON.parse(form) as PlaygroundForm, title, onClose);
    const made = dialog;
    const update = (): void => made.setVariables(variables());
    if (Object.keys(variables()).length > 0) update();
    addEventListener("offprint:server-variables", update);
  }
  dialog.open();
};
