import { invalidUtf8, type SiteFiles } from "../source/index.js";
import { type JsonFile, jsonFile, type Report } from "./json-value.js";

/** Limit for all files of a configuration together, in UTF-16 code units. */
export const maxConfigLength = 16 * 1024 * 1024;

/** Reads files of the configuration, up to `maxConfigLength` in total. */
export function jsonFileReader(files: SiteFiles, report: Report): (sourcePath: string) => JsonFile | undefined {
  let left = maxConfigLength;
  return (sourcePath) => {
    const location = { sourcePath };
    let text: string;
    try {
      text = files.readText(sourcePath);
    } catch (error) {
      const reason =
        (error as Error).cause instanceof Error ? ((error as Error).cause as Error).message : String(error);
      report({
        code: "CONFIG_UNREADABLE",
        severity: "error",
        what: `${sourcePath} cannot be read: ${reason}.`,
        location,
        fix: `make it a file that the user who runs the export can read, for example with "chmod a+r ${sourcePath}".`,
      });
      return undefined;
    }
    for (const fault of invalidUtf8(files, sourcePath, text)) report(fault);
    left -= text.length;
    if (left >= 0) return jsonFile(sourcePath, text);
    report({
      code: "CONFIG_TOO_LARGE",
      severity: "error",
      what: `The configuration is larger than ${maxConfigLength / 1024 / 1024} MiB with this file.`,
      location,
      fix: "keep only settings in it; specifications and data belong in files of their own.",
    });
    return undefined;
  };
}
