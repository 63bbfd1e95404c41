import { create } from "../dom.js";
import { box, button, createField } from "./field.js";
import { createGroup } from "./group.js";
import { copyButton, indexSelect } from "./inputs.js";
import { reasonsFor } from "./response-panel.js";
import { say, sayWith } from "./say.js";
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
