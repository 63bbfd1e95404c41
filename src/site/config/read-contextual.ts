import { partDefaults } from "./defaults.js";
import { byForm, list, object, oneOf, type Reader, text, textOfScalar, turned } from "./readers.js";
import type { Contextual, ContextualOption } from "./site-config.js";
import { href, icon } from "./values.js";

const contextualNames = [
  ...[
    "copy",
    "view",
    "chatgpt",
    "claude",
    "perplexity",
    "grok",
    "aistudio",
    "devin",
    "devin-desktop",
    "cursor",
    "vscode",
  ],
  ...["devin-mcp", "mcp", "add-mcp", "assistant", "download-spec", "download-pdf"],
];

const contextualOption: Reader<ContextualOption> = byForm<ContextualOption>({
  string: oneOf(contextualNames),
  object: object(
    {
      title: text,
      description: text,
      icon,
      href: byForm<Extract<ContextualOption, object>["href"]>({
        string: href,
        object: turned(
          object(
            { base: href, query: list(object({ key: text, value: textOfScalar }, { required: ["key", "value"] })) },
            { required: ["base"] },
          ),
          ({ base, query = [] }) => ({ base, query }),
        ),
      }),
    },
    { required: ["title", "description", "href"] },
  ),
});

export const contextual: Reader<Contextual> = turned(
  object({ options: list(contextualOption), display: oneOf(["header", "toc"]) }, { required: ["options"] }),
  (read) => ({ ...partDefaults.contextual, ...read, options: [...new Set(read.options)] }),
);
