/** The script of the playground, loaded when it is first opened. */

import { parseJson } from "../../lib/json/raw-number.js";
import type { PlaygroundForm } from "../../reference/forms/playground-form.js";
import { createDialog } from "./dialog.js";
import { openWith } from "./open-with.js";

openWith(({ form, types, title, onClose }) =>
  createDialog(parseJson(form) as unknown as PlaygroundForm, title, onClose, types),
);
