import { type Input, oneOf } from "../options.js";
import texts from "../options.json" with { type: "json" };

export interface AuditArguments {
  readonly data?: string;
  readonly action: "verify" | "export";
  /** Undefined: all. */
  readonly organization?: string;
  readonly format: "json" | "csv";
}

export const verifyAuditOptions = { ...texts.oneOrAll, ...texts.data };
export const exportAuditOptions = { ...texts.exportAudit, ...verifyAuditOptions };

export const parseVerifyAudit = ({ values }: Input<typeof verifyAuditOptions>): AuditArguments => ({
  data: values.data,
  action: "verify",
  organization: values.organization,
  format: "json",
});

export const parseExportAudit = ({ values }: Input<typeof exportAuditOptions>): AuditArguments => ({
  data: values.data,
  action: "export",
  organization: values.organization,
  format: oneOf("--format", values.format ?? "json", ["json", "csv"] as const),
});
