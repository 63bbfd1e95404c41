import { componentDefinitions } from "../../src/page/components/index.js";
import { sweeping } from "../quality/bundle.js";
import { markupPayloads, payloads } from "./payloads.js";
import type { SiteContents } from "./site-folder.js";

/**
 * A site whose pages hold every payload in every place of a page that takes text: `pages/` has one page for each payload
 * in all places, `raw/` one for each as the page's own markup, `named/` files that are called like them, and `together/`
 * has many payloads on a page, for browsers, which take long to open one.
 *
 * In a sweep, all payloads are together, and a page has all components; otherwise every sixth group of pages and every third
 * of lists, and a page has every sixth component, so that each component meets a sixth of the payloads.
 */
export function hostilePages(): SiteContents {
  const pages = payloads.map((payload, i) => [`pages/p${i}.mdx`, pageWith(payload)] as const);
  // A frame that leads to its own page would open it again and again.
  const others = payloads.filter((payload) => !/^[#?]/.test(payload));
  const together = groupsOf(others, 8)
    .filter((_, i) => sweeping || i % 6 === 0)
    .map((group, i) => [`together/t${i}.mdx`, pageOf(group)] as const);
  const lists = groupsOf(markupPayloads, 12)
    .filter((_, i) => sweeping || i % 3 === 0)
    .flatMap((group, i) => {
      const list = group.map((payload) => `- ${payload.replaceAll("\n", " ")}\n`).join("\n");
      return [[`together/list${i}.mdx`, list] as const, [`together/md${i}.md`, list] as const];
    });
  const raw = markupPayloads.map(
    (payload, i) =>
      [`raw/md${i}.md`, `---\ntitle: Raw ${i}\n---\n\n# Raw\n\n${payload}\n\nAfter: a ${payload} b\n`] as const,
  );
  // Each sidebar holds the titles of a few pages, and is in their documents alone; browsers see it next to the others.
  const listed = [...pages, ...together].map(([path]) => path.replace(/\.mdx$/, ""));
  const tabCount = Math.ceil(listed.length / 20);
  const tabs = Array.from({ length: tabCount }, (_, tab) => ({
    tab: `Tab ${tab}`,
    pages: listed.filter((_, i) => i % tabCount === tab),
  }));
  return {
    "docs.json": {
      theme: "mint",
      name: "Hostile pages",
      colors: { primary: "#0f766e" },
      navigation: { tabs },
      variables: Object.fromEntries(payloads.map((payload, i) => [`v${i}`, payload])),
    },
    "snippets/shown.mdx": [
      "{value} and <span title={value} className={value} id={value}>{value}</span> and <a href={value}>link</a>",
      "<img src={value} alt={value} />",
      "<Card title={value} href={value} icon={value} img={value}>{value}</Card>",
    ].join("\n\n"),
    ...Object.fromEntries(pages),
    ...Object.fromEntries(raw),
    ...Object.fromEntries(together),
    ...Object.fromEntries(lists),
    "together/diagrams.mdx": diagrams.map((source) => `\`\`\`mermaid\n${source}\n\`\`\``).join("\n\n"),
    "together/formulas.mdx": formulas.map((source) => `$$\n${source}\n$$`).join("\n\n"),
    ...fileNames(),
  };
}

/** Pages and pictures whose own names are payloads, as far as a file system takes them. */
function fileNames(): SiteContents {
  const names = payloads
    .map((payload) => payload.replace(/[/\0\\\p{Cc}]/gu, ""))
    .filter((name, i) => i % 4 === 0 && name.trim() !== "" && Buffer.byteLength(name) < 180);
  return Object.fromEntries(
    names.flatMap((name, i) => [
      [`named/${i}${name}.mdx`, `![${i}](<./${i}${name.replace(/[<>\\]/g, "\\$&")}.svg>)\n`],
      [`named/${i}${name}.svg`, '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ]),
  );
}

function pageWith(payload: string): string {
  const text = JSON.stringify(payload);
  const turn = payloads.indexOf(payload);
  const parts = [markdownWith(payload, turn), elementsWith(text, turn), componentsWith(text, turn)];
  return [frontmatterWith(payload), constants(text), ...parts].join("\n\n").concat("\n");
}

const attack = "<img src=x onerror=alert(1)>";

/** The markup, links, calls, styles and settings that the languages of diagrams allow. */
const diagrams: readonly string[] = [
  `flowchart LR\n  a["${attack}"] --> b["<a href='javascript:alert(1)'>x</a>"]\n  b -->|"${attack}"| c`,
  'flowchart LR\n  a --> b\n  click a href "javascript:alert(1)" "x"\n  click b call alert(1)',
  'flowchart LR\n  a --> b\n  click a "java\\tscript:alert(1)" _blank\n  click b href "data:text/html,<script>alert(1)</script>"',
  "flowchart LR\n  a[x]:::c --> b\n  classDef c fill:url(javascript:alert(1)),stroke:red;}</style><img src=x onerror=alert(1)>",
  "flowchart LR\n  a --> b\n  style a fill:#f00,background:url('javascript:alert(1)')\n  linkStyle 0 stroke:red\"onload=alert(1)",
  `%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "</style>${attack}"}}%%\nflowchart LR\n  a["${attack}"]`,
  `%%{init: {"theme": "base", "themeVariables": {"primaryColor": "red;}</style>${attack}", "fontFamily": "x\\"onload=\\"alert(1)"}}}%%\nflowchart LR\n  a --> b`,
  `---\ntitle: "${attack}"\nconfig:\n  securityLevel: loose\n---\nflowchart LR\n  a --> b`,
  `sequenceDiagram\n  participant A as ${attack}\n  A->>B: ${attack}\n  Note over A: ${attack}\n  link A: x @ javascript:alert(1)\n  links B: {"x": "javascript:alert(1)"}`,
  `classDiagram\n  class A["${attack}"]\n  A : +${attack}\n  click A href "javascript:alert(1)"\n  link A "javascript:alert(1)"\n  callback A "alert"`,
  `gantt\n  title ${attack}\n  section ${attack}\n  ${attack} :a1, 2024-01-01, 3d\n  click a1 href "javascript:alert(1)"\n  click a1 call alert(1)`,
  `pie title ${attack}\n  "${attack}" : 1`,
  `erDiagram\n  A ||--o{ B : "${attack}"`,
  `stateDiagram-v2\n  s : ${attack}\n  [*] --> s : ${attack}`,
  `gitGraph\n  commit id: "${attack}" tag: "${attack}"`,
  `mindmap\n  root((${attack}))\n    <svg onload=alert(1)>\n    ::icon(fa fa-x" onload="alert(1))`,
  `journey\n  title ${attack}\n  section ${attack}\n    ${attack}: 5: ${attack}`,
  `timeline\n  title ${attack}\n  2020 : ${attack}`,
  `quadrantChart\n  title ${attack}\n  x-axis "${attack}" --> "b"`,
  'flowchart LR\n  a@{ img: "javascript:alert(1)", label: "x" }\n  b@{ icon: "x\\" onload=\\"alert(1)" }',
  'flowchart LR\n  a["`**x** [y](javascript:alert(1))`"] --> b["$$\\\\href{javascript:alert(1)}{x}$$"]',
];

/** What formulas can contain in addition to mathematics. */
const formulas: readonly string[] = [
  "\\href{javascript:alert(1)}{x}",
  "\\url{javascript:alert(1)}",
  "\\includegraphics{javascript:alert(1)}",
  '\\htmlStyle{background:url(javascript:alert(1))}{x}\\htmlClass{"onload=alert(1)}{x}\\htmlId{x}{y}\\htmlData{x=y}{z}',
  `\\text{${attack}}\\textcolor{red"onload=alert(1)}{x}`,
  `\\def\\x{${attack}}\\x \\unicode{x3c}img`,
  `\\color{"><script>alert(1)</script>}x`,
  "\\verb|<img src=x onerror=alert(1)>|",
];

/** A few payloads in fewer places. */
function pageOf(group: readonly string[]): string {
  const parts = group.map((payload, i) => {
    const text = JSON.stringify(payload);
    const names = [...componentDefinitions.keys()].filter((_, at) => (at + i) % (sweeping ? 4 : 16) === 0);
    const components = names.map((name) => element(name, "{hostile}"));
    const all = [markdownWith(payload, payloads.indexOf(payload)), elementsWith(text, i), ...components];
    return [`export const hostile = ${text};`, ...all].join("\n\n").replaceAll("hostile", `hostile${i}`);
  });
  return [frontmatterWith(group[0]!), constants(JSON.stringify(group[0])), ...parts].join("\n\n").concat("\n");
}

function groupsOf<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

const textFields =
  "title sidebarTitle description tag icon iconType version author canonical robots og:title og:description og:image " +
  "og:url og:type twitter:title twitter:image twitter:card article:tag fb:app_id lastUpdatedDate openapi api";

/** JSON texts are YAML texts too. */
function frontmatterWith(payload: string): string {
  const text = JSON.stringify(payload);
  const fields = textFields.split(" ").map((name) => `${JSON.stringify(name)}: ${text}`);
  fields.push(`keywords: [${text}, "b"]`, `${JSON.stringify(`og:${payload}`)}: ${text}`, `${text}: ${text}`);
  return `---\n${fields.join("\n")}\n---`;
}

const constants = (text: string): string =>
  [
    'import Shown from "/snippets/shown.mdx";',
    `export const hostile = ${text};`,
    `export const held = { href: ${text}, list: [${text}], inner: { src: ${text} } };`,
  ].join("\n");

/** Everything that Markdown lets a writer type a text into. */
function markdownWith(payload: string, turn: number): string {
  const line = payload.replace(/[\n\r\0]/g, " ");
  const escaped = line.replace(/[!-/:-@[-`{-~]/g, "\\$&");
  const target = line.replace(/[<>\\]/g, "\\$&");
  const attribute = line.replace(/"/g, "&quot;");
  const fence = "`".repeat(5);
  return [
    `# ${escaped}`,
    `## {hostile} {#${line.replace(/[{}\s]/g, "")}}`,
    `### ${escaped} \`${line.replaceAll("`", "")}\``,
    "{hostile}",
    `{\`a \${hostile} b\`} {held.inner.src} {{v${turn}}}`,
    `[{hostile}](<${target}> "${escaped}")`,
    `![${escaped}](<${target}> "${escaped}")`,
    `[${escaped}][a${turn}] ![x][a${turn}]`,
    `[a${turn}]: <${target}> "${escaped}"`,
    `| ${escaped} | {hostile} |\n| - | - |\n| ${escaped} | {hostile} |`,
    `- ${escaped}\n- [ ] ${escaped}`,
    `> ${escaped}`,
    `A note[^${turn}].\n\n[^${turn}]: ${escaped} {hostile}`,
    `${fence}js ${line}\n${payload}\n${fence}`,
    `${fence}html title="${attribute}" icon="${attribute}" lines highlight={1}\n${payload}\n${fence}`,
    `${fence}${line.replace(/[\s`]/g, "")}\n${payload}\n${fence}`,
    `${fence}diff\n- ${line}\n+ ${line}\n${fence}`,
    `$\\text{${escaped}}$ and $\\href{${line.replace(/[{}$\\%#]/g, "")}}{x}$`,
    `$$\n\\htmlData{x=${line.replace(/[{}$\\%#]/g, "")}}{y} ${line.replace(/[$\\]/g, "")}\n$$`,
    `<Latex>{${JSON.stringify(`\\url{${payload}}\\includegraphics{${payload}}\\htmlClass{${payload}}{x}`)}}</Latex>`,
    `<Shown value={hostile} />`,
    `<Shown value=${JSON.stringify(line).includes("\\") ? "{hostile}" : `"${attribute}"`} />`,
  ].join("\n\n");
}

const attributeNames =
  "id className class title lang dir role style href src srcSet alt target rel name value type placeholder action " +
  "formAction data poster cite background ping download label xlinkHref data-x aria-label color face usemap slot is " +
  "allow sandbox srcDoc onClick onclick ONLOAD onError dangerouslySetInnerHTML key ref attributeName values to from by begin";
const elementNames =
  "a area img iframe embed object video audio source track form button input textarea select option div span p table td " +
  "th ol li blockquote q ins meter progress details summary dialog label map svg g path rect text use image animate set " +
  "animateMotion foreignObject linearGradient feImage math mi mtext maction annotation-xml custom-element body html title " +
  "style link meta base template noscript xmp h2 h6 hr br wbr marquee slot font";

/**
 * Every element with every attribute, as one expression each, as a spread, and around text and markup. A page has each
 * twentieth of the elements, in a sweep each tenth; those that lead somewhere are on all.
 */
function elementsWith(text: string, turn: number): string {
  const attributes = attributeNames
    .split(" ")
    .map((name) => `${name}={hostile}`)
    .join(" ");
  const all = elementNames.split(" ").filter((_, i) => (i + turn) % (sweeping ? 10 : 20) === 0);
  const out = all.map((name) =>
    inDrawings.test(name)
      ? `<svg><a><${name} ${attributes}>{hostile}</${name}></a></svg>`
      : `<${name} ${attributes}>{hostile}</${name}>`,
  );
  const addresses = ["href", "src", "action", "formAction", "data", "poster", "xlinkHref", "srcSet"];
  const few = ["a", "img", "iframe", "form", "button", "object", "embed", "video", "source", "input", "area", "link"];
  out.push(...few.map((name) => `<${name} ${addresses.map((each) => `${each}=${asAttribute(text)}`).join(" ")} />`));
  out.push(
    "<div {...{ onclick: hostile, href: hostile, style: { background: hostile, color: hostile } }}>spread</div>",
    "<a {...held}>spread</a>",
    "<div style={{ backgroundImage: `url(${hostile})`, [hostile]: hostile }}>style</div>",
    '<svg><a><animate attributeName="href" values={hostile} to={hostile} from={hostile} /><text>x</text></a></svg>',
    '<svg><set attributeName="href" to={hostile} /><set attributeName="onclick" to={hostile} /></svg>',
  );
  return out.join("\n\n");
}

const inDrawings = /^(?:animate|set|animateMotion|use|image|path|rect|g|text|linearGradient|feImage|foreignObject)$/;

/** The value of an attribute as a text between quotes, where it can be written so. */
function asAttribute(text: string): string {
  const value = JSON.parse(text) as string;
  return `"${value.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/\0/g, "").replace(/\n/g, "&#10;")}"`;
}

/** Components with all of their properties, with each second one alone in one of three forms, and as their parent holds them. */
function componentsWith(text: string, turn: number): string {
  const out: string[] = [];
  for (const { name, props, items, id } of [...componentDefinitions.values()].filter(
    (_, i) => sweeping || (i + turn) % 6 === 0,
  )) {
    // Diagrams are rendered one after the other, and most payloads are not diagrams.
    if (name === "Mermaid" && turn % 10 !== 0) continue;
    const children = (items ?? []).map((item) => (item === "code" ? fence : element(item, "{hostile}"))).join("");
    out.push(element(name, `${children}{hostile}`));
    const alone = Object.keys(props).filter((prop) => !/^(?:number|boolean)$/.test(props[prop] ?? ""));
    alone.forEach((prop, i) => {
      if ((i + turn) % 2 !== 0) return;
      const forms = ["{hostile}", asAttribute(text), "{<b title={hostile}>{hostile}</b>}"];
      out.push(`<${name} ${prop}=${forms[Math.floor(turn / 3) % forms.length]}>${children}x</${name}>`);
    });
    if (id) out.push(`<${name} ${id.from.map((prop) => `${prop}={hostile}`).join(" ")} id={hostile}>x</${name}>`);
  }
  return out.join("\n\n");
}

const fence = "\n\n```js title\nx\n```\n\n";
const shared = ["id", "className", "icon", "iconType", "iconLibrary", "href", "img", "color"];

/** A component with everything that it, or any other, reads. */
function element(name: string, children: string): string {
  const names = new Set([...Object.keys(componentDefinitions.get(name)?.props ?? {}), ...shared]);
  return `<${name} ${[...names].map((prop) => `${prop}={hostile}`).join(" ")}>${children}</${name}>`;
}
