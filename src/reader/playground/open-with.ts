import { setMessages } from "./messages.js";

interface PlaygroundHost {
  /** JSON data of the dialog. */
  readonly form: string;
  /** JSON of the `GraphTypes` of a GraphQL operation. */
  readonly types?: string;
  /** See `setMessages`. */
  readonly words: string;
  readonly title: string;
  /** Current values of server variables that scripts of the site have set. */
  readonly variables: () => Readonly<Record<string, unknown>>;
  readonly onClose: () => void;
}
export type OpenPlayground = (host: PlaygroundHost) => void;

interface Dialog {
  open(): void;
  setVariables(values: Readonly<Record<string, unknown>>): void;
}

// Some browsers that support everything else lack it.
String.prototype.toWellFormed ??= function (this: string) {
  return this.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
};

/** Lets the page open a dialog, which is created on first use. */
export function openWith(createDialog: (host: PlaygroundHost) => Dialog): void {
  let dialog: Dialog | undefined;
  window.offprintOpenPlayground = (host) => {
    const { words, variables } = host;
    if (!dialog) {
      setMessages(words);
      const created = createDialog(host);
      dialog = created;
      const update = (): void => created.setVariables(variables());
      if (Object.keys(variables()).length > 0) update();
      addEventListener("offprint:server-variables", update);
    }
    dialog.open();
  };
}
