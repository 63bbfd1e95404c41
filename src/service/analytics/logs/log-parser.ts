import { cloudfrontLog } from "./cloudfront-log.js";
import { combinedLog } from "./combined-log.js";
import { jsonLog } from "./json-log.js";
import type { LogFormat, LogParser } from "./log-entry.js";

const parsers: Readonly<Record<LogFormat, () => LogParser>> = {
  combined: combinedLog,
  cloudfront: cloudfrontLog,
  json: jsonLog,
};

export const logParser = (format: LogFormat): LogParser => parsers[format]();
