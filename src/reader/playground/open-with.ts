import { setMessages } from "./messages.js";

interface PlaygroundHost {
  /** Data of the dialog as JSON. */
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

interface Dialog {
  open(): void;
  setVariables(values: Readonly<Record<string, unknown>>): void;
}

// Missing in some browsers that support the rest.
String.prototype.toWellFormed ??= function (this: string) {
  return this.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
};

/** Lets the page open a dialog, which is made when it is first opened. */
export function openWith(make: (host: PlaygroundHost) => Dialog): void {
  let dialog: Dialog | undefined;
  window.offprintOpenPlayground = (host) => {
    const { words, variables } = host;
    if (!dialog) {
      setMessages(words);
      dialog = make(host);
      const made = dialog;
      const update = (): void => made.setVariables(variables());
      if (Object.keys(variables()).length > 0) update();
      addEventListener("offprint:server-variables", update);
    }
    dialog.open();
  };
}
