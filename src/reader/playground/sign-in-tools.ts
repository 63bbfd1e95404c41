import { create } from "../dom.js";
import { recallInTab } from "../storage.js";
import { copyButton, indexSelect, textInput } from "./form/elements.js";
import { box, button, createField, createGroup } from "./form/field.js";
import { say, sayWith } from "./messages.js";
import { reasonsFor } from "./response-panel.js";
import { sendRequest } from "./send-request.js";

/** Functions of the playground that the sign-in script receives, so that it need not contain copies. */
export const signInTools = {
  box,
  button,
  copyButton,
  create,
  createField,
  createGroup,
  indexSelect,
  reasonsFor,
  say,
  sayWith,
  sendRequest,
  textInput,
};
export type SignInTools = typeof signInTools;

/** Names in the tab's storage: of a sign-in that left the page, and of the query of the URL that the reader returned to. */
export const pendingName = "sign-in";
export const answerName = "signed-in";

export interface PendingSignIn {
  /** Name of the security scheme. */
  readonly scheme: string;
  /** The page to return to. */
  readonly returnTo: string;
}

export const pendingSignIn = (): PendingSignIn | null => recallInTab(pendingName) as PendingSignIn | null;
