import { parseJsonText } from "./parse-json.js";
import { parseYamlText } from "./parse-yaml.js";
import { isJsonText, type ParsedText, type SpecText } from "./spec-text.js";

/** Reads JSON or YAML. */
export const parseSpecText = (file: SpecText): ParsedText =>
  isJsonText(file) ? parseJsonText(file) : parseYamlText(file);
