/**
 * Runs on the overview of an API: follows the anchors that Redoc, Scalar and Swagger UI have for its parts, so that links to
 * the API's former documentation need only a new host. The table of the parts is loaded when an anchor needs it.
 */
import type { AnchorTable } from "../../reference/pages/anchor-table.js";
import { all, bundleRoot, fragmentTarget, idIn } from "../dom.js";
import { createPolicy, loadElement } from "../load-script.js";

declare global {
  interface Window {
    /** Output path of the table; set before this code in the same file. */
    offprintAnchorTable?: string;
    /** The script of the table calls it. */
    offprintAnchors?: (table: AnchorTable) => void;
  }
}

const source = `${bundleRoot()}${window.offprintAnchorTable}`;
/** `#operation/id`, `#tag/Name`, `#/Tag/id`; not the heading of a page. */
const isForeign = /^(?:\/|(?:[^/]+\/)?(?:tags?|operations?|paths|section|description|models?|schemas?|webhooks?)\/)./i;
let table: Promise<AnchorTable> | undefined;

const policy = createPolicy("offprint-anchors", {
  createScriptURL(url: string): string {
    if (url !== source) throw new TypeError(`${url} is not the table of anchors`);
    return url;
  },
});

function loadTable(): Promise<AnchorTable> {
  table ??= new Promise((resolve, reject) => {
    window.offprintAnchors = resolve;
    const script = document.createElement("script");
    loadElement(script, () => {
      script.src = policy.createScriptURL(source);
    }).catch(reject);
  });
  return table;
}

async function follow(): Promise<void> {
  const fragment = idIn(location.hash);
  if (fragmentTarget() || !isForeign.test(fragment)) return;
  const href = findPart(await loadTable(), fragment);
  if (href !== undefined) return location.replace(href);
  const name = lettersOf(fragment.slice(fragment.lastIndexOf("/") + 1));
  const heading = all(".content-area [id]").find(({ id }) => lettersOf(id) === name);
  if (heading) location.replace(`#${encodeURIComponent(heading.id)}`);
}

/** The address of the part that an anchor names: `tag/Trees/operation/list`, `tag/trees/GET/trees/{id}`, `/Trees/list`. */
function findPart({ operations, tags, schemas }: AnchorTable, fragment: string): string | undefined {
  const names = fragment
    .replace(/^\//, "")
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const named = (rows: readonly (readonly [name: string, href: string])[], name = ""): string | undefined =>
    (rows.find(([rowName]) => rowName === name) ??
      rows.find(([rowName]) => lettersOf(rowName) === lettersOf(name)))?.[1];
  if (names.length === 1) return named(tags, names[0]);
  const [kind = ""] = names.slice(-2);
  if (/^tags?$/i.test(kind)) return named(tags, names.at(-1));
  if (/^(?:models?|schemas?)$/i.test(kind)) return named(schemas, names.at(-1));
  if (/^(?:section|description)$/i.test(names[0]!)) return undefined;
  const exact = operations.find(([, id]) => id !== "" && id === names.at(-1));
  if (exact) return exact[0];
  const byLetters = new Map<string, string>();
  for (const [href, id, method, path] of operations)
    for (const letters of [lettersOf(id), lettersOf(method + path), lettersOf(path + method)])
      if (letters !== "" && !byLetters.has(letters)) byLetters.set(letters, href);
  // Try the longest name first: an operation may have the same name as the end of another one's path.
  for (let at = 0; at < names.length; at++) {
    const href = byLetters.get(lettersOf(names.slice(at).join("/")));
    if (href !== undefined) return href;
  }
  return undefined;
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

addEventListener("hashchange", () => void follow().catch(() => undefined));
void follow().catch(() => undefined);
