/** An export runs no code of the site, reads nothing outside the site's folder, and opens no connection. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, test } from "vitest";
import { filesIn, newFolder, writeSite } from "./site-folder.js";

const project = fileURLToPath(new URL("../..", import.meta.url));
const cli = join(project, "dist/cli/main.js");
const folder = newFolder("canary");
const site = join(folder, "site");
const log = join(folder, "log.txt");
const threads = join(folder, "threads.txt");

/** What must not be found anywhere, however it might have been written out. */
const canaries = ["kestrel-in-the-environment", "kestrel-in-a-file", "kestrel-in-a-global"] as const;
const [environmentCanary, fileCanary, globalCanary] = canaries;

/** Stands in every thread: a global to find, and a witness for requests and for changes to what all objects inherit. */
const preload = `
import { appendFileSync } from "node:fs";
import dns from "node:dns";
import net from "node:net";
import { isMainThread } from "node:worker_threads";
appendFileSync(${JSON.stringify(threads)}, isMainThread ? "main " : "page ");
globalThis.kestrel = ${JSON.stringify(globalCanary)};
globalThis.witness = (what) => appendFileSync(${JSON.stringify(log)}, what + "\\n");
net.Socket.prototype.connect = function (...to) {
  globalThis.witness("connect " + JSON.stringify(to));
  throw new Error("no network");
};
dns.lookup = (name) => globalThis.witness("lookup " + name);
globalThis.fetch = (address) => globalThis.witness("fetch " + address);
process.on("exit", () => {
  for (const key of Reflect.ownKeys(Object.prototype))
    if (Object.getOwnPropertyDescriptor(Object.prototype, key).enumerable) globalThis.witness("inherited " + String(key));
});
`;

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are code of pages
const escapes: readonly string[] = [
  "process.env.KESTREL",
  "globalThis.kestrel",
  "global.kestrel",
  "kestrel",
  "this.kestrel",
  'globalThis["kestrel"]',
  "witness('called')",
  "globalThis.witness('called')",
  "globalThis.witness`called`",
  'eval("kestrel")',
  '(0, eval)("kestrel")',
  'new Function("return kestrel")()',
  'Function("return kestrel")()',
  '"".constructor.constructor("return kestrel")()',
  '[].constructor.constructor("return process.env.KESTREL")()',
  '[]["flat"]["constructor"]("return kestrel")()',
  '(() => {}).constructor("return kestrel")()',
  '`${[].map.constructor("return kestrel")()}`',
  "({}).constructor.constructor('witness(1)')()",
  '({}).__proto__.polluted = "yes"',
  "Object.prototype.polluted = 1",
  'Object.assign(Object.prototype, { polluted: "yes" })',
  "Reflect.construct(Function, ['return kestrel'])()",
  'require("node:fs").readFileSync("../secret.txt", "utf8")',
  'process.mainModule.require("fs").readFileSync("../secret.txt")',
  'process.binding("fs")',
  'process.getBuiltinModule("node:fs").readFileSync("../secret.txt", "utf8")',
  'await import("node:fs")',
  'import("node:fs").then(({ readFileSync }) => readFileSync("../secret.txt"))',
  "import.meta.url",
  "import.meta.dirname",
  "module.constructor._load('fs')",
  "arguments.callee.caller",
  "new Proxy({}, { get: () => witness(1) }).x",
  "({ get x() { return witness(1); } }).x",
  "({ toString() { return witness(1); } }) + ''",
  "({ [Symbol.toPrimitive]: () => witness(1) }) + ''",
  "`${{ toString: () => witness(1) }}`",
  "(function () { return witness(1); })()",
  "(async () => witness(1))()",
  "[1].map(() => witness(1))",
  "(class { static x = witness(1); }).x",
  "String.raw`${witness(1)}`",
  "delete Object.prototype.toString",
  "fetch('http://ADDRESS/expression')",
  "new WebSocket('ws://ADDRESS/expression')",
  "new XMLHttpRequest()",
  "setTimeout(() => witness(1))",
  "new (class { constructor() { witness(1); } })()",
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are code of pages

/** Ways from a page or a setting to a file outside the site's folder. */
const waysOut: readonly string[] = [
  "../secret.txt",
  "../../secret.txt",
  "/../secret.txt",
  "..%2fsecret.txt",
  "%2e%2e/secret.txt",
  "%2e%2e%2fsecret.txt",
  "..%252fsecret.txt",
  "..\\secret.txt",
  "..%5csecret.txt",
  "....//secret.txt",
  "snippets/../../secret.txt",
  "./snippets/../../secret.txt",
  "/snippets/../../secret.txt",
  "linked/secret.txt",
  "/linked/secret.txt",
  "linked.txt",
  "/linked.txt",
  "/linked.mdx",
  "linked.json",
  "~/secret.txt",
  "FOLDER/secret.txt",
  "FOLDER/secret.mdx",
  "file://FOLDER/secret.txt",
  "file:FOLDER/secret.txt",
  "FILE://localhostFOLDER/secret.txt",
  "../secret.mdx",
  "../secret.json",
  "../secret.jsx",
  "../secret.css",
  "../secret.svg",
  "../secret\0.txt",
  "http://ADDRESS/way",
  "//ADDRESS/way",
  "http:ADDRESS/way",
];

function contents(address: string): Record<string, unknown> {
  const filled = (text: string): string => text.replaceAll("ADDRESS", address).replaceAll("FOLDER", folder);
  const ways = waysOut.map(filled);
  const expressions = escapes.map(filled);
  const attribute = (way: string): string => way.replaceAll("\0", "");
  const pages: Record<string, string> = {};
  expressions.forEach((expression, i) => {
    pages[`code/e${i}.mdx`] = [
      `export const held = ${expression};`,
      `{${expression}}`,
      `<Card title={${expression}} {...${expression}}>{held}</Card>`,
      `<div style={${expression}} className={${expression}}>{(${expression})}</div>`,
      `## {${expression}} {{${expression}}}`,
    ].join("\n\n");
    pages[`code/s${i}.mdx`] =
      `import { Part } from "/snippets/part${i}.jsx";\n\n<Part />\n\n<Part>{${expression}}</Part>\n`;
    pages[`snippets/part${i}.jsx`] =
      `${expression};\nexport const Part = () => <b>{${expression}}</b>;\nexport default ${expression};\n`;
    pages[`code/f${i}.mdx`] =
      `---\ntitle: "{${expression.replace(/["\\]/g, "\\$&")}}"\ndescription: ${JSON.stringify(`{${expression}}`)}\n---\n\nText.\n`;
  });
  ways.forEach((way, i) => {
    const text = JSON.stringify(way);
    pages[`ways/w${i}.mdx`] = [
      `---\nicon: ${text}\nopenapi: ${JSON.stringify(`${way} GET /x`)}\n"og:image": ${text}\n---`,
      `![x](<${attribute(way)}>) [x](<${attribute(way)}>)`,
      `<img src={${text}} srcSet={${text}} /> <Card img={${text}} icon={${text}} href={${text}} title="x" />`,
      `<Snippet file={${text}} />`,
      `<Snippet file="${attribute(way)}" />`,
      `<iframe src={${text}} /> <video src={${text}} poster={${text}} /> <object data={${text}} /> <embed src={${text}} />`,
      `<Icon icon={${text}} /> <Frame><img src={${text}} /></Frame>`,
      `\`\`\`js file=${attribute(way)} title="${attribute(way)}"\nx\n\`\`\``,
      `$$\n\\input{${attribute(way)}} \\includegraphics{${attribute(way)}}\n$$`,
      `<script src={${text}} /> <link rel="stylesheet" href={${text}} />`,
      `<style>{\`@import ${text}; p { background: url(${text}) }\`}</style>`,
    ].join("\n\n");
    pages[`ways/i${i}.mdx`] =
      `import Way from ${text};\nimport * as all from ${text};\nexport * from ${text};\n\n<Way /> {all} {Way}\n`;
  });
  return {
    ...pages,
    "front/js.mdx": `---js\n{ title: witness("called"), description: process.env.KESTREL }\n---\n\nText.\n`,
    "front/javascript.mdx": `---javascript\nmodule.exports = { title: kestrel }\n---\n\nText.\n`,
    "front/json.mdx": `---json\n{ "title": "x" }\n---\n\nText.\n`,
    "front/tags.mdx": `---\ntitle: !!js/function "function () { witness(1) }"\ndescription: !!js/undefined ""\ntag: !!js/eval "kestrel"\n__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }\n---\n\nText.\n`,
    "style.css": ways
      .map((way) => `@import "${attribute(way)}"; .a { background: url("${attribute(way)}"); }`)
      .join("\n"),
    "run.js": `document.title = ${JSON.stringify("run in the browser only")};\n`,
    "part.json": { $ref: "./linked.json" },
    "docs.json": {
      theme: "mint",
      name: { $ref: "../secret.json" },
      description: { $ref: "linked.json" },
      colors: { primary: "#0f766e" },
      logo: { light: ways[0], dark: `file://${folder}/secret.svg` },
      favicon: "../secret.svg",
      fonts: { family: "x", source: `${folder}/secret.txt` },
      background: { image: `http://${address}/background.png` },
      styling: { codeblocks: { languages: { custom: ["../secret.json", "linked.json"] } } },
      navigation: {
        $ref: "./linked.json",
        groups: [
          { $ref: `${folder}/secret.json` },
          { $ref: `file://${folder}/secret.json` },
          { $ref: `http://${address}/ref.json` },
          { $ref: "./linked/secret.json" },
          { group: "Ways", openapi: `http://${address}/openapi.json`, pages: ways },
          { group: "File", openapi: "../secret.json", asyncapi: `${folder}/secret.json`, pages: ["code/e0"] },
        ],
      },
      api: { openapi: [`http://${address}/api.json`, "../secret.json"], asyncapi: `http://${address}/async.json` },
      seo: { metatags: { "og:image": `http://${address}/image.png` } },
      __proto__x: {},
    },
  };
}

interface Run {
  readonly output: string;
  readonly printed: string;
  readonly code: number | null;
}

function runExport(name: string, flags: readonly string[]): Promise<Run> {
  const output = join(folder, "exports", name);
  const report = `${output}.json`;
  const options = [
    "export",
    site,
    "--output",
    output,
    "--report",
    report,
    "--json",
    "--no-cache",
    "--concurrency",
    "2",
  ];
  const child = spawn(process.execPath, [...flags, cli, ...options], {
    cwd: site,
    env: { PATH: process.env["PATH"], KESTREL: environmentCanary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (chunk) => (printed += chunk));
  child.stderr.on("data", (chunk) => (printed += chunk));
  return new Promise((resolve) =>
    child.on("close", (code) => {
      if (existsSync(report)) printed += readFileSync(report, "utf8");
      resolve({ output, printed, code });
    }),
  );
}

describe("an export of a site that tries everything", () => {
  let server: Server;
  let connections = 0;
  let run: Run;

  beforeAll(async () => {
    server = createServer((socket) => {
      connections++;
      socket.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeSite(site, contents(address));
    const secret = { title: fileCanary, name: fileCanary, group: fileCanary, pages: [], openapi: "3.1.0" };
    writeSite(folder, {
      "secret.txt": `${fileCanary}\n`,
      "secret.mdx": `---\ntitle: ${fileCanary}\n---\n\n${fileCanary}\n`,
      "secret.json": secret,
      "secret.jsx": `export default () => <b>${fileCanary}</b>;\n`,
      "secret.css": `.x::after { content: "${fileCanary}" }\n`,
      "secret.svg": `<svg xmlns="http://www.w3.org/2000/svg"><text>${fileCanary}</text></svg>`,
      "outside/secret.txt": `${fileCanary}\n`,
      "outside/secret.json": secret,
      "outside/index.mdx": `# ${fileCanary}\n`,
    });
    for (const extension of ["txt", "mdx", "json", "svg", "css", "jsx"])
      symlinkSync(`../secret.${extension}`, join(site, `linked.${extension}`));
    symlinkSync("../outside", join(site, "linked"));
    symlinkSync(join(folder, "outside"), join(site, "snippets/linked"));
    symlinkSync("..", join(site, "up"));
    mkdirSync(join(site, ".git"));
    writeFileSync(join(site, ".git/config"), fileCanary);
    symlinkSync(".git/config", join(site, "config.txt"));
    writeFileSync(join(folder, "preload.mjs"), preload);
    mkdirSync(join(folder, "exports"));
    run = await runExport("out", ["--import", join(folder, "preload.mjs")]);
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("is complete, with its pages", () => {
    assert.equal(run.code, 0, run.printed.slice(-2000));
    for (let i = 0; i < escapes.length; i++) assert.ok(existsSync(join(run.output, `code/e${i}.html`)), escapes[i]);
    assert.doesNotMatch(run.printed, /PAGE_FAILED/);
  });

  test("holds no canary in any byte, nor in what it says", () => {
    for (const path of filesIn(run.output)) {
      const bytes = readFileSync(join(run.output, path));
      for (const canary of canaries) assert.ok(!bytes.includes(canary), `${canary} in ${path}`);
    }
    for (const canary of canaries) assert.ok(!run.printed.includes(canary), canary);
  });

  test("has run nothing of the site, and changed nothing that all objects inherit", () => {
    assert.match(readFileSync(threads, "utf8"), /main page page /);
    assert.equal(existsSync(log) ? readFileSync(log, "utf8") : "", "");
  });

  test("has opened no connection", () => assert.equal(connections, 0));

  test("gives the same pages if only the site can be read, and leaves live components to the browser", async () => {
    const readable = [site, join(folder, "exports"), project].map((path) => `--allow-fs-read=${path}`);
    const flags = [
      "--permission",
      ...readable,
      `--allow-fs-write=${join(folder, "exports")}`,
      "--allow-worker",
      "--allow-addons",
    ];
    const locked = await runExport("locked", flags);
    assert.equal(locked.code, 0, locked.printed.slice(-2000));
    const pages = filesIn(locked.output).filter((path) => path.endsWith(".html"));
    const text = (path: string): string => readFileSync(join(locked.output, path), "utf8");
    const others = pages.filter((path) => !/data-island|live-code/.test(text(path)));
    assert.ok(others.length > 50 && others.length < pages.length);
    for (const path of others) assert.equal(text(path), readFileSync(join(run.output, path), "utf8"), path);
  });

  test("is refused where docs.json itself is a link that leads out", async () => {
    const other = newFolder("linked-config");
    symlinkSync(join(folder, "secret.json"), join(other, "docs.json"));
    writeSite(other, { "index.mdx": "# A\n" });
    const child = spawn(process.execPath, [cli, "export", other, "--output", join(folder, "other"), "--json"]);
    let printed = "";
    child.stdout.on("data", (chunk) => (printed += chunk));
    child.stderr.on("data", (chunk) => (printed += chunk));
    const code = await new Promise((resolve) => child.on("close", resolve));
    rmSync(other, { recursive: true, force: true });
    assert.equal(code, 1);
    assert.ok(!printed.includes(fileCanary));
    assert.ok(!existsSync(join(folder, "other")));
  });
});
