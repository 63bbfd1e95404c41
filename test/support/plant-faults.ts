import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Random, seeded } from "./seeded.js";

/** A fault in a site, with the text that mends it. */
export interface PlantedFault {
  readonly code: string;
  /** A repair has to make this edit; one that is not certain it may only propose. */
  readonly certain: boolean;
  readonly path: string;
  readonly wrong: string;
  readonly right: string;
}

type Texts = readonly [wrong: string, right: string];
interface Kind {
  readonly code: string;
  readonly certain?: false;
  /** @param n a number that no other fault has. */
  readonly texts: (n: number) => Texts;
}

const link = (n: number, href: string): string => `Read [about it, part ${n}](${href}).`;
const card = (n: number, rest: string): string => `<Card title="Part ${n}" ${rest}>Go.</Card>`;

/** In the text of a page, with others. */
const passages: readonly Kind[] = [
  { code: "LINK_CASE_DIFFERS", texts: (n) => [link(n, "/guides/Install"), link(n, "/guides/install")] },
  {
    code: "LINK_CASE_DIFFERS",
    texts: (n) => [link(n, "../guides/INSTALL.mdx#first-steps"), link(n, "../guides/install.mdx#first-steps")],
  },
  {
    code: "LINK_CASE_DIFFERS",
    texts: (n) => [card(n, 'href="/Guides/use"'), card(n, 'href="/guides/use"')],
  },
  {
    code: "LINK_CASE_DIFFERS",
    texts: (n) => [
      `Read [it][p${n}].\n\n[p${n}]: /guides/USE?a=${n}`,
      `Read [it][p${n}].\n\n[p${n}]: /guides/use?a=${n}`,
    ],
  },
  { code: "LINK_TO_FOLDER", texts: (n) => [link(n, "/guides"), link(n, "/guides/install")] },
  { code: "ANCHOR_SPELLING_DIFFERS", texts: (n) => [link(n, "/guides/install#v45"), link(n, "/guides/install#v4-5")] },
  { code: "LINK_NOT_FOUND", texts: (n) => [link(n, `www.example.com/${n}`), link(n, `https://www.example.com/${n}`)] },
  { code: "IMAGE_NOT_FOUND", texts: (n) => [`![Plan ${n}](/images/plan.png)`, `![Plan ${n}](/images/plan.svg)`] },
  { code: "LINK_CASE_DIFFERS", texts: (n) => [`![Plan ${n}](/images/Plan.svg)`, `![Plan ${n}](/images/plan.svg)`] },
  {
    code: "PROPERTY_UNKNOWN",
    texts: (n) => [card(n, 'icon="star" icon-type="solid"'), card(n, 'icon="star" iconType="solid"')],
  },
  {
    code: "UNKNOWN_COMPONENT",
    texts: (n) => [
      `<Cardgroup cols={2}>\n  Part ${n}.\n</Cardgroup>`,
      `<CardGroup cols={2}>\n  Part ${n}.\n</CardGroup>`,
    ],
  },
  { code: "ADMONITION_AS_TEXT", texts: (n) => [`:::tip\nRead part ${n}.\n:::`, `<Tip>\nRead part ${n}.\n</Tip>`] },
  { code: "HTML_COMMENT", texts: (n) => [`<!-- part ${n} -->`, `{/* part ${n} */}`] },
  { code: "MDX_SYNTAX", texts: (n) => [`Part ${n} has <5 words.`, `Part ${n} has \\<5 words.`] },
  { code: "MDX_SYNTAX", texts: (n) => [`Part ${n}:<br>more.`, `Part ${n}:<br/>more.`] },
  { code: "MDX_SYNTAX", texts: (n) => [`See <https://example.com/${n}> too.`, `See https://example.com/${n} too.`] },
  { code: "ICON_NOT_FOUND", texts: (n) => [card(n, 'icon="arrowright"'), card(n, 'icon="arrow-right"')] },
  {
    code: "IMPORT_NOT_FOUND",
    texts: (n) => [
      `import Part${n} from "/snippets/Shared.mdx";\n\n<Part${n} />`,
      `import Part${n} from "/snippets/shared.mdx";\n\n<Part${n} />`,
    ],
  },
  {
    code: "SNIPPET_NOT_FOUND",
    texts: (n) => [`Part ${n}:\n\n<Snippet file="Shared.mdx" />`, `Part ${n}:\n\n<Snippet file="shared.mdx" />`],
  },
  { code: "LINK_NOT_FOUND", certain: false, texts: (n) => [link(n, "/guides/instal"), link(n, "/guides/install")] },
  {
    code: "ANCHOR_NOT_FOUND",
    certain: false,
    texts: (n) => [link(n, "/guides/install#first-step"), link(n, "/guides/install#first-steps")],
  },
  {
    code: "UNKNOWN_COMPONENT",
    certain: false,
    texts: (n) => [`<Wraning>Part ${n}.</Wraning>`, `<Warning>Part ${n}.</Warning>`],
  },
];

const front = (n: number, rest: string): string => `---\ntitle: Part ${n}\n${rest}`;

/** A page of their own. */
const pages: readonly Kind[] = [
  {
    code: "FRONTMATTER_KEY_UNKNOWN",
    texts: (n) => [front(n, "sidebar_title: P\n---\n\nText.\n"), front(n, "sidebarTitle: P\n---\n\nText.\n")],
  },
  {
    code: "FRONTMATTER_SYNTAX",
    texts: (n) => [
      front(n, "description: One: two\n---\n\nText.\n"),
      front(n, 'description: "One: two"\n---\n\nText.\n'),
    ],
  },
  {
    code: "FRONTMATTER_SYNTAX",
    texts: (n) => [front(n, "keywords:\n\t- one\n---\n\nText.\n"), front(n, "keywords:\n  - one\n---\n\nText.\n")],
  },
  {
    code: "FRONTMATTER_INDENT",
    texts: (n) => [
      front(n, 'description: "One\ntwo"\n---\n\nText.\n'),
      front(n, 'description: "One\n  two"\n---\n\nText.\n'),
    ],
  },
  { code: "FRONTMATTER_UNCLOSED", texts: (n) => [front(n, "\nText.\n"), front(n, "---\n\nText.\n")] },
  {
    code: "FENCE_UNCLOSED",
    texts: (n) => [front(n, "---\n\n```sh\nls\ncd\n"), front(n, "---\n\n```sh\nls\ncd\n```\n")],
  },
  { code: "NOT_UTF8", texts: (n) => [`\u0000${front(n, "---\n\nCafé, señor.\n")}`, front(n, "---\n\nCafé, señor.\n")] },
];

const group = (n: number, rest: string): string => `{\n  "group": "Group ${n}",\n${rest}\n}\n`;

/** A part of the navigation, in its own file, with the page `parts/gN`. */
const groups: readonly Kind[] = [
  {
    code: "JSON_NOT_STRICT",
    texts: (n) => [group(n, `  "pages": ["parts/g${n}",],`), group(n, `  "pages": ["parts/g${n}"]`)],
  },
  {
    code: "JSON_NOT_STRICT",
    texts: (n) => [
      group(n, `  // the pages\n  "pages": ["parts/g${n}"] /* all */`),
      group(n, `  "pages": ["parts/g${n}"]`),
    ],
  },
  {
    code: "JSON_BROKEN",
    texts: (n) => [group(n, `  'pages': ['parts/g${n}']`), group(n, `  "pages": ["parts/g${n}"]`)],
  },
  {
    code: "JSON_BROKEN",
    texts: (n) => [
      group(n, `  icon: "star"\n  "pages": ["parts/g${n}"]`),
      group(n, `  "icon": "star",\n  "pages": ["parts/g${n}"]`),
    ],
  },
  {
    code: "PAGE_NOT_FOUND",
    texts: (n) => [group(n, `  "pages": ["Parts/G${n}"]`), group(n, `  "pages": ["parts/g${n}"]`)],
  },
  {
    code: "CONFIG_ICON_PREFIX",
    texts: (n) => [
      group(n, `  "icon": "fa-star",\n  "pages": ["parts/g${n}"]`),
      group(n, `  "icon": "star",\n  "pages": ["parts/g${n}"]`),
    ],
  },
  {
    code: "CONFIG_UNKNOWN_KEY",
    texts: (n) => [
      group(n, `  "Icon": "star",\n  "pages": ["parts/g${n}"]`),
      group(n, `  "icon": "star",\n  "pages": ["parts/g${n}"]`),
    ],
  },
  {
    code: "CONFIG_UNKNOWN_KEY",
    certain: false,
    texts: (n) => [
      group(n, `  "icn": "star",\n  "pages": ["parts/g${n}"]`),
      group(n, `  "icon": "star",\n  "pages": ["parts/g${n}"]`),
    ],
  },
];

const redirect = (n: number, to: string): string => `{ "source": "/old/${n}", "destination": "${to}" }`;
const button = (n: number, to: string): string => `{ "label": "Button ${n}", "href": "${to}" }`;

/** An entry of a list in docs.json. */
const redirects: readonly Kind[] = [
  { code: "REDIRECT_TARGET_DIFFERS", texts: (n) => [redirect(n, "/Guides/install"), redirect(n, "/guides/install")] },
];
const buttons: readonly Kind[] = [
  { code: "LINK_CASE_DIFFERS", texts: (n) => [button(n, "/guides/Use"), button(n, "/guides/use")] },
  { code: "CONFIG_BARE_LINK", texts: (n) => [button(n, "guides/use"), button(n, "/guides/use")] },
];

const base: Readonly<Record<string, string>> = {
  "index.mdx": "---\ntitle: Start\n---\n\nText.\n",
  "guides/install.mdx": "---\ntitle: Install\n---\n\n## v4.5\n\nText.\n\n## First steps\n\nText.\n",
  "guides/use.mdx": "---\ntitle: Use\n---\n\nText.\n",
  "snippets/shared.mdx": "Shared text.\n",
  "images/plan.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8z"/></svg>\n',
};

/**
 * Writes a site with `count` faults, of each kind about as many. Some files have a byte order mark, some end their lines
 * as Windows does. The same seed gives the same site.
 */
export function plantFaults(
  folder: string,
  { seed, count }: { readonly seed: number; readonly count: number },
): PlantedFault[] {
  const random = seeded(seed);
  const faults: PlantedFault[] = [];
  const files = new Map(Object.entries(base));
  const listed: string[] = ["index", "guides/install", "guides/use"];
  const refs: string[] = [];
  const inSettings = { redirects: [] as string[], links: [] as string[] };
  let text = "";
  const closePage = (): void => {
    if (text === "") return;
    const path = `parts/p${listed.length}.mdx`;
    files.set(path, `---\ntitle: Page ${listed.length}\n---\n\n${text}`);
    for (const [index, fault] of faults.entries()) if (fault.path === "") faults[index] = { ...fault, path };
    listed.push(path.replace(".mdx", ""));
    text = "";
  };
  const all = [passages, pages, groups, redirects, buttons].flatMap((kinds) => kinds.map((kind) => ({ kind, kinds })));
  for (let n = 0; n < count; n++) {
    const { kind, kinds } = all[n % all.length]!;
    const [wrong, right] = kind.texts(n);
    const plant = (path: string): void =>
      void faults.push({ code: kind.code, certain: kind.certain ?? true, path, wrong, right });
    if (kinds === passages) {
      plant("");
      text += `${wrong}\n\n`;
      // One to six in a page, so that repairs meet.
      if (random() < 0.3) closePage();
    } else if (kinds === pages) {
      plant(`parts/f${n}.mdx`);
      files.set(`parts/f${n}.mdx`, wrong);
      listed.push(`parts/f${n}`);
    } else if (kinds === groups) {
      plant(`navigation/g${n}.json`);
      files.set(`navigation/g${n}.json`, wrong);
      files.set(`parts/g${n}.mdx`, `---\ntitle: Part ${n}\n---\n\nText.\n`);
      refs.push(`{ "$ref": "./navigation/g${n}.json" }`);
    } else {
      plant("docs.json");
      inSettings[kinds === redirects ? "redirects" : "links"].push(wrong);
    }
  }
  closePage();
  files.set(
    "docs.json",
    `{
  "theme": "mint",
  "name": "Planted",
  "colors": { "primary": "#16A34A" },
  "redirects": [
    ${inSettings.redirects.join(",\n    ")}
  ],
  "navbar": {
    "links": [
      ${inSettings.links.join(",\n      ")}
    ]
  },
  "navigation": {
    "groups": [
      { "group": "Pages", "pages": ${JSON.stringify(listed)} },
      ${refs.join(",\n      ")}
    ]
  }
}
`,
  );
  for (const [path, content] of files) writeAs(join(folder, path), content, random);
  return faults;
}

function writeAs(path: string, content: string, random: Random): void {
  mkdirSync(dirname(path), { recursive: true });
  const [hasMark, isWindows] = [random() < 0.2, random() < 0.2];
  // Marks a file that is to be in another encoding than UTF-8.
  if (content.startsWith("\u0000")) writeFileSync(path, content.slice(1), "latin1");
  else writeFileSync(path, `${hasMark ? "\ufeff" : ""}${isWindows ? content.replaceAll("\n", "\r\n") : content}`);
}
