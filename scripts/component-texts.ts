/** The handbook's descriptions of each component and its properties, for editors: `schemas/components.json`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { componentDefinitions } from "../src/page/components/index.js";

interface ComponentText {
  readonly text: string;
  readonly props: Readonly<Record<string, readonly [kind: string, text: string]>>;
}

const folder = join(import.meta.dirname, "../fixtures/handbook/reference/components");

/** By name. A section is about the components that its heading names. */
export function componentTexts(): Readonly<Record<string, ComponentText>> {
  const sections = readdirSync(folder)
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split(/^## /m).slice(1));
  return Object.fromEntries(
    sections.flatMap((section) => {
      const [heading = "", ...lines] = section.split("\n");
      const names = heading.split(", ").filter((name) => componentDefinitions.has(name));
      const text = lines.join("\n").trim().split("\n\n")[0]!.replaceAll("\n", " ");
      const rows = [...section.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| ([^|]+) \| (.+) \|$/gm)];
      const props = Object.fromEntries(
        rows.flatMap(([, properties = "", kind = "", about = ""]) =>
          [...properties.matchAll(/\w+/g)].map(([name]) => [name, [kind.trim(), withoutLinks(about)]] as const),
        ),
      );
      return names.map((name) => [name, { text: isProse(text) ? withoutLinks(text) : "", props }] as const);
    }),
  );
}

const isProse = (text: string): boolean => /^[A-Z]/.test(text);
const withoutLinks = (text: string): string => text.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll("\\|", "|");
