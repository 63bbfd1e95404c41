import { configDefaults } from "./defaults.js";
import { described } from "./described.js";
import { flag, ignored, object, type Reader, text, withDefaults, wrong } from "./readers.js";
import type { Repository, SiteConfig } from "./site-config.js";

/** The folder of the site as GitHub or GitLab shows it; the latter has `/-/tree/`. */
const address = /^(https:\/\/[^\s/?#@]+(?:\/[\w.~-]+){2,9}?)(\/-)?\/tree\/([^\s/?#]+)((?:\/[^\s/?#]+)*)\/?$/;

const repository = described<Reader<Repository>>(
  (value, report) => {
    const written = text(value, report);
    if (written === undefined) return undefined;
    const [, url, isGitLab, ref, folder = ""] = address.exec(written.trim()) ?? [];
    if (url !== undefined && ref !== undefined) return { kind: isGitLab ? "gitlab" : "github", url, ref, folder };
    return wrong(
      value,
      report,
      'the address of the site\'s folder at GitHub or GitLab, such as "https://github.com/acme/docs/tree/main/guide"',
    );
  },
  () => ({ type: "string", pattern: "\\S" }),
);

export const feedback: Reader<SiteConfig["feedback"]> = withDefaults<SiteConfig["feedback"]>(
  configDefaults.feedback,
  // Thumbs need a server that counts them.
  object({ thumbs: ignored, edits: flag, issues: flag, repository }),
);
