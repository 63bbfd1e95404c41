import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";

/** The archive of an export with these files; only the manifest is real. */
export async function smallBundle(files: readonly string[], baseUrl: string): Promise<Buffer> {
  const archive = pack();
  const manifest = {
    formatVersion: 1,
    address: { baseUrl, trailingSlash: false },
    files: files.map((each) => ({ path: each, bytes: 1, sha256: "0" })),
  };
  archive.entry({ name: "offprint.json" }, JSON.stringify(manifest));
  archive.entry({ name: "index.html" }, "<p>");
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}
