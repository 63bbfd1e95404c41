/** Runs on pages that refer to pages of models: shows the fields of these where they belong. */

import { all, bundleRoot, fragmentTarget, idIn } from "../dom.js";
import { addControls } from "./code-blocks.js";

declare global {
  interface Window {
    /** Called by the script of a model with its page's content. */
    offprintModel?: (html: string) => void;
  }
}

const folded = "details.expandable[data-prefix]";
/** The content of pages of models, by the address of their script. */
const arrived = new Map<string, string>();
const loading = new Map<string, Promise<void>>();

/** Follows the address to a field that the page does not have yet. */
async function goToField(): Promise<void> {
  const id = idIn(location.hash);
  if (id === "" || fragmentTarget()) return;
  const tried = new Set<HTMLElement>();
  for (;;) {
    const details = candidates(id).find((each) => !tried.has(each));
    if (!details) return;
    tried.add(details);
    await showModel(details).catch(() => undefined);
    if (idIn(location.hash) !== id) return;
    if (fragmentTarget() || anchorOf(id)) break;
  }
  // The page opens and finds the element as after every other change of the address.
  dispatchEvent(new Event("hashchange"));
}

/**
 * What may contain the element, the most probable first. Ids in a section start with `param-`; a second field of a name
 * has the section in front: `param-200-`. Anchors of another system have hyphens only: `body-customer-name`.
 */
function candidates(id: string): HTMLElement[] {
  const open = all(folded);
  const path = lettersOf(foreign.exec(id)?.[1] ?? id);
  const isAround = ({ dataset }: HTMLElement): boolean =>
    path.startsWith(lettersOf(dataset["prefix"]!.replace(sectionStart, "")));
  const around = open.filter(isAround);
  around.sort((a, b) => b.dataset["prefix"]!.length - a.dataset["prefix"]!.length);
  return around;
}
const foreign = /^(?:body|response|parameter)-(.+)$/i;
/** Of the fields of a section; those of a field keep its name. */
const sectionStart = /^param-(?:[^:]*-$)?/;
const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^param-/, "")
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Whether the page has a field that an anchor of another system means. */
const anchorOf = (id: string): boolean => {
  const path = foreign.exec(id)?.[1];
  return path !== undefined && all('.field[id^="param-"]').some((field) => lettersOf(field.id) === lettersOf(path));
};

/** Replaces the link by the fields. Fails if the script cannot be loaded. */
async function showModel(details: HTMLElement): Promise<void> {
  const content = details.querySelector<HTMLElement>(".expandable-content")!;
  const page = content.querySelector("a")!.href;
  const source = scriptOf(page);
  window.offprintModel = (html) => arrived.set((document.currentScript as HTMLScriptElement).src, html);
  const load = loading.get(source) ?? loadScript(source);
  loading.set(source, load);
  await load.catch((reason: unknown) => {
    loading.delete(source);
    throw reason;
  });
  const { prefix } = details.dataset;
  // Another call may have been faster.
  if (prefix === undefined) return;
  delete details.dataset["prefix"];
  content.replaceChildren(fieldsOf(arrived.get(source)!, prefix, page));
}

/** The fields of the page of a model, with ids and links that fit this page. */
function fieldsOf(html: string, prefix: string, page: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = policy.createHTML(html);
  const { content } = template;
  const section = content.querySelector(".api-section")!;
  section.querySelector(".api-section-heading")?.remove();
  const ids = new Map(all("[id]", content).map(({ id }) => [id, freeId(idBelow(prefix, id))]));
  for (const element of all("[id]", content)) element.id = ids.get(element.id)!;
  for (const name of ["aria-controls", "aria-labelledby"])
    for (const element of all(`[${name}]`, content))
      element.setAttribute(name, ids.get(element.getAttribute(name)!) ?? "");
  for (const element of all("[data-prefix]", content))
    element.dataset["prefix"] = idBelow(prefix, element.dataset["prefix"]!);
  for (const link of all<HTMLAnchorElement>("a[href]", content)) {
    const href = link.getAttribute("href")!;
    const id = href.startsWith("#") ? decodeURIComponent(href.slice(1)) : undefined;
    link.href = id === undefined ? new URL(href, page).href : `#${encodeURIComponent(ids.get(id) ?? idAbove(prefix))}`;
  }
  for (const image of all<HTMLImageElement>("img[src]", content))
    image.src = new URL(image.getAttribute("src")!, page).href;
  content.replaceChildren(...section.childNodes);
  addControls(content);
  return content;
}

/** `param-name` and `attributes:option` of the model, `tab::` included, below a field or in a section of this page. */
const idBelow = (prefix: string, id: string): string =>
  id.startsWith("tab::")
    ? `tab::${idBelow(prefix, id.slice(5))}`
    : prefix + id.replace(/^(?:param-(?:body-$)?|attributes:)/, "");

/** The field that the fields of a model belong to. */
const idAbove = (prefix: string): string => prefix.replace(/[:-]$/, "");

function freeId(wanted: string): string {
  let id = wanted;
  for (let count = 2; document.getElementById(id); count++) id = `${wanted}-${count}`;
  return id;
}

/** On hosts that require trusted types: scripts of the bundle that are pages of models too, and what they contain. */
const { trustedTypes } = window as unknown as {
  trustedTypes?: { createPolicy<T>(name: string, rules: T): T };
};
const rules = {
  createHTML: (html: string): string => html,
  createScriptURL(url: string): string {
    const root = new URL(bundleRoot() || "./", document.baseURI).href;
    if (!url.startsWith(root) || !all<HTMLAnchorElement>(`${folded} a`).some(({ href }) => scriptOf(href) === url))
      throw new TypeError(`${url} is not a model of the bundle`);
    return url;
  },
};
const policy = trustedTypes?.createPolicy("offprint-models", rules) ?? rules;

const scriptOf = (page: string): string => page.replace(/(?:\.html)?(?:[?#].*)?$/, ".js");

function loadScript(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = policy.createScriptURL(source);
    script.onload = () => resolve();
    script.onerror = reject;
    document.head.append(script);
  });
}

document.addEventListener(
  "toggle",
  (event) => {
    const details = event.target as HTMLDetailsElement;
    // If the script cannot be loaded, the link stays.
    if (details.open && details.matches(folded)) showModel(details).catch(() => undefined);
  },
  true,
);
addEventListener("hashchange", () => void goToField());
void goToField();
