import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { writeHtml } from "../../lib/html/write-html.js";
import { flattenChildren, type JsxChild, type JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { builtFile } from "../../lib/package-root.js";
import { includesRole, type Role } from "../jobs/index.js";
import * as ui from "./components/index.js";
import type { ConsoleContext } from "./route.js";

export interface Shell {
  readonly title: string;
  readonly assets: ConsoleAssets;
  readonly mode?: "light" | "dark";
  /** Shown at the top of the page. */
  readonly notice?: string;
  /** Needed for the menus. Without it the page fills the window. */
  readonly context?: Pick<ConsoleContext, "person" | "organization" | "session" | "role" | "csrf">;
  /** Below `/console`. */
  readonly path: string;
  /** Paths below `/console` that have a page. */
  readonly pages: ReadonlySet<string>;
}

export function writePage(page: JsxChild, shell: Shell): string {
  const { title, assets, mode, notice, context } = shell;
  const notices = notice === undefined ? null : <ui.Notice kind="good">{notice}</ui.Notice>;
  const document = (
    <html lang="en" class={mode}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} - Offprint console`}</title>
        <link rel="icon" type="image/svg+xml" href={assets.icon} />
        <link rel="stylesheet" href={assets.style} />
        <script defer src={assets.script} />
      </head>
      {context ? (
        <body>
          <a class="skip-link" href="#main">
            Skip to the page
          </a>
          <Sidebar {...shell} context={context} />
          <main id="main" tabindex="-1">
            {notices}
            {page}
          </main>
        </body>
      ) : (
        <body class="full">
          <main id="main">
            <Brand />
            {notices}
            {page}
          </main>
        </body>
      )}
    </html>
  );
  return `<!doctype html>\n${writeHtml({ type: "root", children: flattenChildren(document) })}\n`;
}

const Brand = (): JsxNode => (
  <a class="brand" href="/console">
    <svg class="brand-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <rect class="brand-back" x="7" y="2" width="14" height="17" rx="3" />
      <rect class="brand-front" x="3" y="5" width="14" height="17" rx="3" />
      <path class="brand-lines" d="M7 11h6M7 15h4" />
    </svg>
    <span>Offprint</span>
  </a>
);

interface SidebarProps extends Omit<Shell, "context"> {
  readonly context: NonNullable<Shell["context"]>;
}

function Sidebar({ context, path, pages, mode }: SidebarProps): JsxNode {
  const { person, organization, session, role, csrf } = context;
  const entries = navigation.filter((entry) => pages.has(entry.path) && includesRole(role, entry.role));
  const current = entries.findLast(({ path: each }) => path === each || (each !== "" && path.startsWith(`${each}/`)));
  return (
    <header class="sidebar">
      <div class="topbar">
        <Brand />
        <a class="icon-button menu-open" href="#menu" aria-label="Menu">
          <ui.Icon name="menu" />
        </a>
      </div>
      <div class="drawer" id="menu">
        <a class="icon-button menu-close" href="#main" aria-label="Close the menu">
          <ui.Icon name="close" />
        </a>
        <div class="drawer-body">
          {session.memberships.length > 1 && (
            <details class="menu organization-menu">
              <summary>
                <span class="organization-name">{organization.organizationName}</span>
                <ui.Icon name="down" />
              </summary>
              <form class="menu-list" method="post" action="/console/organization">
                <input type="hidden" name="csrf" value={csrf} />
                {session.memberships.map(({ organizationId, organizationName }) => (
                  <button
                    type="submit"
                    name="organization"
                    value={organizationId}
                    aria-current={organizationId === organization.organizationId ? "true" : undefined}
                  >
                    {organizationName}
                  </button>
                ))}
              </form>
            </details>
          )}
          <nav class="navigation" aria-label="Console">
            {entries.map((entry) => [
              entry.group && <p class="navigation-group">{entry.group}</p>,
              <a href={`/console${entry.path}`} aria-current={entry === current ? "page" : undefined}>
                <ui.Icon name={entry.icon} />
                {entry.title}
              </a>,
            ])}
          </nav>
          <div class="sidebar-foot">
            <a class="person" href="/console/account" aria-current={path === "/account" ? "page" : undefined}>
              <span class="avatar" aria-hidden="true">
                {(person.name || person.email).trim().charAt(0).toUpperCase()}
              </span>
              <span class="person-text">
                <span class="person-name">{person.name || person.email}</span>
                <span class="person-role">
                  {role}, {organization.organizationName}
                </span>
              </span>
            </a>
            <form class="foot-actions" method="post" action="/console/mode">
              <input type="hidden" name="csrf" value={csrf} />
              <input type="hidden" name="to" value={`/console${path}`} />
              <ModeButton mode={mode} value="light" />
              <ModeButton mode={mode} value="dark" />
              <button
                class="icon-button"
                type="submit"
                formaction="/console/logout"
                aria-label="Log out"
                title="Log out"
              >
                <ui.Icon name="leave" />
              </button>
            </form>
          </div>
        </div>
      </div>
    </header>
  );
}

/** Chooses light or dark colours. A second press chooses those of the system. */
const ModeButton = ({ mode, value }: { readonly mode: Shell["mode"]; readonly value: "light" | "dark" }): JsxNode => (
  <button
    class="icon-button"
    type="submit"
    name="mode"
    value={mode === value ? "system" : value}
    aria-pressed={String(mode === value)}
    aria-label={`${value === "light" ? "Light" : "Dark"} colors`}
    title={`${value === "light" ? "Light" : "Dark"} colors`}
  >
    <ui.Icon name={value === "light" ? "sun" : "moon"} />
  </button>
);

interface NavigationEntry {
  /** Below `/console`. */
  readonly path: string;
  readonly title: string;
  readonly icon: ui.IconName;
  readonly role: Role;
  /** The heading above this entry. */
  readonly group?: string;
}

/** The menu, in order. */
const navigation: readonly NavigationEntry[] = [
  { path: "", title: "Overview", icon: "home", role: "reader" },
  { path: "/jobs", title: "Jobs", icon: "jobs", role: "reader" },
  { path: "/agent", title: "Agent", icon: "agent", role: "reader" },
  { path: "/sites", title: "Sites", icon: "sites", role: "reader" },
  { path: "/views", title: "Views", icon: "views", role: "reader", group: "Readers" },
  { path: "/questions", title: "Questions", icon: "questions", role: "editor" },
  { path: "/keys", title: "API keys", icon: "keys", role: "owner", group: "Settings" },
  { path: "/credentials", title: "Credentials", icon: "lock", role: "owner" },
  { path: "/people", title: "People", icon: "people", role: "owner" },
  { path: "/log", title: "Audit log", icon: "log", role: "owner" },
];

/** The style sheet, the script, the icon and the fonts of the console. */
export interface ConsoleAssets {
  /** The addresses contain a hash of the content. */
  readonly style: string;
  readonly script: string;
  readonly icon: string;
  /** Resolves with undefined if there is no such file. */
  answer(path: string): Promise<Response | undefined>;
}

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/** The logo, in colours that suit light and dark windows. */
const icon = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="#14b8a6">' +
    '<rect x="7" y="2" width="14" height="17" rx="3" opacity=".5"/><rect x="3" y="5" width="14" height="17" rx="3"/></g>' +
    '<path d="M7 11h6M7 15h4" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>',
);

/** Reads the files that `scripts/build-client.js` has written. */
export async function openAssets(folder = builtFile("client")): Promise<ConsoleAssets> {
  const [style, script] = await Promise.all(["console.css", "console.js"].map((name) => readFile(`${folder}/${name}`)));
  const named = new Map([
    [`console-${hashOf(style!)}.css`, style!],
    [`console-${hashOf(script!)}.js`, script!],
    [`icon-${hashOf(icon)}.svg`, icon],
  ]);
  const [styleName, scriptName, iconName] = [...named.keys()];
  return {
    style: `/console/assets/${styleName}`,
    script: `/console/assets/${scriptName}`,
    icon: `/console/assets/${iconName}`,
    async answer(path) {
      const font = /^fonts\/[\w-]+\.woff2$/.test(path) && (await readFile(`${folder}/${path}`).catch(() => undefined));
      const content = named.get(path) ?? (font || undefined);
      return (
        content &&
        new Response(new Uint8Array(content), {
          headers: {
            "Content-Type": types[path.replace(/^.*\./, "")]!,
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
          },
        })
      );
    },
  };
}

const hashOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex").slice(0, 12);
