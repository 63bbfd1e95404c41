import { create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import { valueEditor } from "./body-editor.js";
import { codeArea, indexSelect, section } from "./form/elements.js";
import { box, button, createField } from "./form/field.js";
import { parseJson } from "./form/value.js";
import { say, sayWith } from "./messages.js";

/** Functions of the playground for the GraphQL script, which therefore need not contain them again. */
export const graphTools = {
  box,
  button,
  codeArea,
  create,
  createField,
  drawing,
  indexSelect,
  valueEditor,
  chevron: outlines.chevron,
  parseJson,
  say,
  sayWith,
  section,
};
export type GraphTools = typeof graphTools;
