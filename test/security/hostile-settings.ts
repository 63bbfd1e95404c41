import { languageCodes, navLists } from "../../src/site/config/read-navigation.js";
import { sweeping } from "../quality/bundle.js";
import { payloads, urlPayloads } from "./payloads.js";
import type { SiteContents } from "./site-folder.js";

/** A site of a few plain pages whose docs.json holds payloads. */
export interface HostileSettings {
  readonly name: string;
  readonly contents: SiteContents;
}

const pages = ["one", "two", "three"];
const plainPages: SiteContents = Object.fromEntries(
  pages.map((name) => [`${name}.mdx`, `---\ntitle: Page ${name}\n---\n\n## First\n\nText.\n\n## Second\n\nText.\n`]),
);

/**
 * One site for each container of the navigation, with every payload as the name, tag, icon and description of one of
 * them. The links of the top bar hold all payloads in each site, the other lists in a sweep. Of settings that take one
 * text, each site has others.
 */
export function hostileSettings(): readonly HostileSettings[] {
  return navLists.map(({ list, label }, turn) => ({
    name: list,
    contents: {
      ...plainPages,
      "docs.json": {
        ...settingsWith(turn),
        navigation: { [list]: payloads.map((text, i) => container(label, text, i)) },
      },
    },
  }));
}

/** A container with the payload as everything it is called; each second one leads to a payload instead of to pages. */
function container(label: string, payload: string, index: number): object {
  const page = pages[index % pages.length]!;
  const name = label === "language" && index % 3 === 0 ? languageCodes[index % languageCodes.length] : payload;
  const called = { [label]: name, name: payload, tag: payload, icon: payload, description: payload };
  const holds =
    index % 2 === 0
      ? { href: payload }
      : {
          root: page,
          banner: { content: payload, dismissible: true },
          // The first container with pages shows its own top bar on them, in place of the one of the site.
          navbar: {
            links: (index === 1 ? payloads : [payload]).map(topBarLink),
            primary: { label: payload, href: payload },
          },
          footer: { socials: { x: payload }, links: [{ header: payload, items: [{ label: payload, href: payload }] }] },
          groups: [
            {
              group: payload,
              tag: payload,
              icon: { name: payload, style: payload, library: "lucide" },
              pages: [page, payload, { group: payload, pages: pages }],
            },
          ],
        };
  return { ...called, ...holds };
}

const topBarLink = (text: string): object => ({ label: text, href: text, icon: text, type: "link" });

/** A site whose sidebar is too large for every page, so that the client builds parts of it. */
export function hostileSidebar(): HostileSettings {
  const names = payloads.map((_, i) => `pages/p${i}`);
  const fields = (payload: string): string =>
    `---\ntitle: ${JSON.stringify(payload)}\nsidebarTitle: ${JSON.stringify(payload)}\ntag: ${JSON.stringify(payload)}\n---\n\nText.\n`;
  const links = payloads.map((payload, i) => [
    `links/l${i}.mdx`,
    `---\nurl: ${JSON.stringify(payload)}\ntitle: ${JSON.stringify(payload)}\n---\n`,
  ]);
  const group = (payload: string, i: number): object => ({
    group: payload,
    pages: [names[i], { group: payload, pages: [`links/l${i}`] }],
  });
  return {
    name: "a large sidebar",
    contents: {
      "docs.json": {
        theme: "mint",
        name: "Large",
        colors: { primary: "#0f766e" },
        navigation: { groups: payloads.map(group) },
      },
      ...Object.fromEntries(payloads.map((payload, i) => [`pages/p${i}.mdx`, fields(payload)])),
      ...Object.fromEntries(links),
    },
  };
}

/** Every setting that takes a text. `turn` from 0 to 7 chooses the payloads where only one fits. */
function settingsWith(turn: number): object {
  const texts = payloads.filter((_, i) => i % navLists.length === turn);
  const listed = sweeping ? payloads : texts;
  const all = texts.join(" ");
  const url = urlPayloads[(turn * 5) % urlPayloads.length]!;
  const markup = texts.find((text) => text.startsWith("<")) ?? all;
  return {
    $schema: url,
    theme: turn === 7 ? all : "mint",
    name: all,
    description: all,
    colors: { primary: "#0f766e", light: all, dark: all },
    logo: turn % 2 === 0 ? { light: url, dark: markup, href: url } : { light: `/${all}.svg`, dark: url, href: markup },
    favicon: turn % 2 === 0 ? url : { light: url, dark: markup },
    appearance: { default: all },
    fonts: { family: all, source: url, heading: { family: all, source: all }, body: { family: markup } },
    icons: { library: all },
    background: { decoration: all, color: { light: all }, image: { light: url, dark: markup } },
    styling: { eyebrows: "breadcrumbs", codeblocks: all },
    thumbnails: { background: all, fonts: { family: all } },
    banner: { content: `${all} [x](${url}) {${JSON.stringify(all)}}`, dismissible: true, color: all },
    navbar: {
      links: payloads.map(topBarLink),
      primary: { type: "button", label: all, href: url },
    },
    footer: {
      socials: Object.fromEntries(listed.map((text) => [text, text])),
      links: listed.map((text) => ({ header: text, items: [{ label: text, href: text }] })),
    },
    contextual: {
      options: listed.map((text) => ({ title: text, description: text, icon: text, href: text })),
    },
    redirects: listed.flatMap((text, i) => [
      { source: `/from-${i}`, destination: text },
      { source: `/from/${text}`, destination: "/one" },
      { source: `/via-${i}/:path*`, destination: `${text}/:path*` },
    ]),
    variables: Object.fromEntries(listed.map((text, i) => [`v${i}`, text])),
    errors: { "404": { redirect: false, title: all, description: `${all} [x](${url})` } },
    markdown: { instructions: listed },
    seo: {
      metatags: Object.fromEntries([
        ...listed.map((text) => [text, text]),
        ...["canonical", "robots", "og:image", "og:url", "twitter:image", "refresh", "og:title"].map((tag) => [
          tag,
          url,
        ]),
      ]),
      paths: listed.map((text) => ({ path: text, metatags: { [text]: text, canonical: text } })),
      organization: { id: all, name: all, legalName: all, url, logo: url, sameAs: urlPayloads },
    },
    search: { prompt: all },
    variations: { options: listed.map((text) => ({ id: text, label: text })) },
    integrations: {
      ga4: { measurementId: all },
      gtm: { tagId: all },
      plausible: { domain: url },
      posthog: { apiKey: all },
    },
    api: { openapi: url, playground: { display: "interactive" }, mdx: { server: url, auth: { name: all } } },
    [all]: all,
  };
}
