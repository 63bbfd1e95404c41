const messages = {
  /** Cancelled, past its deadline, or another worker has it. */
  lost: "The job is no longer this worker's.",
  leaving: "The worker was stopped while it exported.",
} as const;

/** Why a job is stopped before its end. */
export class JobStop extends Error {
  override readonly name = "JobStop";
  constructor(readonly why: keyof typeof messages) {
    super(messages[why]);
  }
}
