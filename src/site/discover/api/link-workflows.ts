import { posix } from "node:path";
import type { Diagnostic } from "../../../lib/diagnostic/index.js";
import { decodePercent, folderOf, isHttpAddress } from "../../../lib/url/index.js";
import { checkWorkflows, type SourceSpec, type SpecReader, sourceDescriptions } from "../../specs/index.js";
import type { CatalogSpec, SpecCatalog } from "./spec-catalog.js";

/** The most documents of workflows that are followed from document to document. */
const maxDocuments = 50;

/**
 * Opens the sources of documents of workflows, and checks their steps against them. The threads that make pages receive the
 * sources, too.
 *
 * @param documents is extended by documents that are sources of others.
 */
export async function linkWorkflows(
  documents: Set<CatalogSpec>,
  catalog: SpecCatalog,
  reader: SpecReader,
  signal?: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const document of documents) {
    const { spec } = document;
    const described = sourceDescriptions(spec.document).map((description) => ({
      ...description,
      source: addressOf(description.url, spec.source),
    }));
    await reader.prefetch(described.map(({ source }) => source).filter(isHttpAddress), signal);
    const sources = new Map<string, SourceSpec>([["", document]]);
    const missing = new Set<string>();
    for (const { name, source, format, pointer } of described) {
      const from = {
        get location() {
          return spec.locationOf(`${pointer}/url`);
        },
      };
      const sourceSpec = catalog.open(catalog.refOf(source, from), format);
      if (sourceSpec === undefined) {
        missing.add(name);
        continue;
      }
      catalog.use(sourceSpec);
      sources.set(name, sourceSpec);
      if (format === "arazzo" && documents.size < maxDocuments) documents.add(sourceSpec);
    }
    diagnostics.push(...checkWorkflows(spec, document.entries, sources, missing));
    const keys = [...sources].flatMap(([name, source]) => (name === "" ? [] : [[name, (source as CatalogSpec).key]]));
    catalog.link(document, Object.fromEntries(keys));
  }
  return diagnostics;
}

/** The address of a source, or its path in the site. */
function addressOf(url: string, source: string): string {
  if (isHttpAddress(url)) return url;
  if (isHttpAddress(source)) return URL.canParse(url, source) ? new URL(url, source).href : url;
  const path = decodePercent(url.replace(/[?#].*$/s, "")).replaceAll("\\", "/");
  return path.startsWith("/") ? posix.normalize(path.slice(1)) : posix.join(folderOf(source), path);
}
