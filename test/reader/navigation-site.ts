import type { SiteContents } from "../security/site-folder.js";

const filler = "Some words to fill the page, so that it has to be scrolled. ".repeat(40);
const text = `${filler}

## First

${filler}

### Deeper

${filler}

## Second

\`\`\`bash install.sh
acme ./deploy
\`\`\`

${filler}
`;

/** A group with enough pages to make the sidebar scroll. */
const longGroup = (folder: string) =>
  Array.from({ length: 40 }, (_, at) => `${folder}/many/page-${String(at + 1).padStart(2, "0")}`);

const tabsOf = (folder: string) => [
  {
    tab: "Guides",
    groups: [
      {
        group: "Start",
        pages: [
          `${folder}/guides/install`,
          `${folder}/guides/tune`,
          { group: "Advanced", pages: [`${folder}/guides/deep`] },
          { group: "Rarely needed", pages: [`${folder}/guides/rare`] },
        ],
      },
      { group: "Many", pages: longGroup(folder) },
    ],
  },
  ...["Status", "Community", "Partners", "Security", "Compliance", "Marketplace", "Academy", "Roadmap"].map((tab) => ({
    tab,
    href: `https://acme.example/${tab}`,
  })),
  {
    tab: "Libraries",
    menu: [
      { item: "JavaScript", description: "For Node and browsers", pages: [`${folder}/js`] },
      { item: "Python", description: "3.9 and newer", pages: [`${folder}/py`] },
    ],
  },
];

const pagesOf = (folder: string): string[] => [
  ...["guides/install", "guides/tune", "guides/deep", "guides/rare", "js", "py"].map((page) => `${folder}/${page}`),
  ...longGroup(folder),
];

const versionsOf = (language: string) => [
  { version: "v2", tag: "New", default: true, tabs: tabsOf(`${language}/v2`) },
  { version: "v1", tabs: tabsOf(`${language}/v1`) },
];

const languages = ["en", "ar"].flatMap((language) => [`${language}/v2`, `${language}/v1`]);
const pages = [...languages.flatMap(pagesOf), "de/guides/install", "de/guides/tune"];

/** Two languages with versions, one of them right-to-left, and one without; a home page outside the navigation. */
export const navigationSite: SiteContents = {
  ...Object.fromEntries(pages.map((page) => [`${page}.mdx`, `---\ntitle: ${page}\n---\n${text}`])),
  "index.mdx": "---\ntitle: Home\n---\nWelcome.\n",
  "docs.json": {
    theme: "mint",
    name: "Acme",
    colors: { primary: "#0f766e" },
    banner: { content: "Version 2 is here", dismissible: true },
    navbar: { links: [{ label: "Support", href: "https://acme.example/support" }] },
    footer: { socials: { github: "https://github.com/acme", "hacker-news": "https://news.example/acme" } },
    navigation: {
      languages: [
        { language: "en", default: true, versions: versionsOf("en") },
        { language: "ar", versions: versionsOf("ar") },
        { language: "de", groups: [{ group: "Anfang", pages: ["de/guides/install", "de/guides/tune"] }] },
      ],
    },
  },
};
