import { create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import { valueEditor } from "./body-editor.js";
import { box, button, createField } from "./field.js";
import { codeArea, indexSelect } from "./inputs.js";
import { say, sayWith } from "./say.js";
import { section } from "./section.js";
import { parseJson } from "./value.js";

/** What the script for GraphQL takes from the playground, so that it need not contain it again. */
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
