import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const settings = {
  name: "Harbour",
  theme: "mint",
  colors: { primary: "#0f766e" },
  contextual: { options: ["copy", "assistant"] },
  navigation: {
    languages: [
      { language: "en", groups: [{ group: "Start", pages: ["index", "guides/moorings"] }] },
      { language: "ar", groups: [{ group: "البداية", pages: ["ar/index"] }] },
    ],
  },
};

const pages = {
  "index.mdx": `---
title: Welcome
description: How the harbour works.
---

Ships announce themselves before they enter.

## Announce a ship

Send the name and the length of the ship.

\`\`\`bash
harbour announce --name Albatross --length 40
\`\`\`

## Pay the fee

The fee depends on the length.
`,
  "guides/moorings.mdx": `---
title: Moorings
---

Every ship gets a mooring of its own.

${"Ropes are checked each morning.\n\n".repeat(40)}

## Winter storage

Small boats are lifted out of the water in November.
`,
  "ar/index.mdx": `---
title: أهلا
---

تعلن السفن عن نفسها قبل الدخول.

## الإعلان عن سفينة

أرسل الاسم والطول.
`,
};

export const baseUrl = "https://harbour.example/docs";

/** Writes a small site with a page that others lead to, code, and two languages. */
export function writeAssistantSite(folder: string, extra: object = {}): void {
  const files = { "docs.json": JSON.stringify({ ...settings, ...extra }), ...pages };
  for (const [path, text] of Object.entries(files)) {
    const place = join(folder, path);
    mkdirSync(join(place, ".."), { recursive: true });
    writeFileSync(place, text);
  }
}

const at = (path: string, title: string) => ({ path, url: baseUrl + path, title });

/** The results of a search for the harbour. */
export const found = [
  at("/guides/moorings#winter-storage", "Moorings › Winter storage"),
  at("/", "Welcome"),
  at("/guides/moorings", "Moorings"),
];
