/** Reports a fault of a workflow where it was written. */
export type ReportFault = (code: WorkflowCode, pointer: string, what: string, fix: string) => void;

type WorkflowCode =
  | "WORKFLOW_INVALID"
  | "WORKFLOW_REFERENCE"
  | "WORKFLOW_EXPRESSION"
  | "WORKFLOW_LOOP"
  | "WORKFLOW_TOO_LARGE";
