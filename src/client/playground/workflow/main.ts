/** The script that runs a workflow, loaded when its playground is first opened. */

import { parseJson } from "../../../lib/json/raw-number.js";
import type { WorkflowForm } from "../../../reference/arazzo/form-data.js";
import { openWith } from "../open-with.js";
import { createWorkflowDialog } from "./dialog.js";

openWith(({ form, title, onClose }) =>
  createWorkflowDialog(parseJson(form) as unknown as WorkflowForm, title, onClose),
);
