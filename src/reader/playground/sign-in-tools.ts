import { create } from "../dom.js";
import { copyButton, indexSelect } from "./form/elements.js";
import { box, button, createField, createGroup } from "./form/field.js";
import { say, sayWith } from "./messages.js";
import { reasonsFor } from "./response-panel.js";
import { sendRequest } from "./send-request.js";

/** What the script for signing in takes from the playground, so that it need not contain it again. */
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
};
export type SignInTools = typeof signInTools;
