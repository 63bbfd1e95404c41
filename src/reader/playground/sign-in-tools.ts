import { create } from "../dom.js";
import { copyButton, indexSelect, textInput } from "./form/elements.js";
import { box, button, createField, createGroup } from "./form/field.js";
import { say, sayWith } from "./messages.js";
import { reasonsFor } from "./response-panel.js";
import { sendRequest } from "./send-request.js";

/** Functions of the playground for the sign-in script, which therefore need not contain them again. */
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
