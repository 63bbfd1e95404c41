import { create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import { valueEditor } from "./body-editor.js";
import { codeArea, indexSelect, section } from "./form/elements.js";
import { box, button, createField, panel } from "./form/field.js";
import { errorMessage, parseJson } from "./form/value.js";
import { jsonView } from "./json-view.js";
import { say, sayWith } from "./messages.js";
import { resolveUrl } from "./servers.js";

/** Functions of the playground for the scripts of GraphQL and of sockets, which therefore need not contain them again. */
export const partTools = {
  box,
  button,
  codeArea,
  create,
  createField,
  drawing,
  errorMessage,
  indexSelect,
  jsonView,
  panel,
  valueEditor,
  chevron: outlines.chevron,
  parseJson,
  resolveUrl,
  say,
  sayWith,
  section,
};
export type PartTools = typeof partTools;
