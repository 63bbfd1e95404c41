const messages = {
  /** Cancelled, past its deadline, or leased by another worker. */
  lost: "The lease of the job is lost.",
  shutdown: "The worker shut down during the export.",
} as const;

/** Why a worker stops a job early. */
export class JobStop extends Error {
  override readonly name = "JobStop";
  constructor(readonly why: keyof typeof messages) {
    super(messages[why]);
  }
}
