// The code of the handbook that verifies a webhook, in each language that this machine has.
import { spawnSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/cli.js";
import { goCache } from "../support/helm-render/render.js";

const page = readFileSync("fixtures/handbook/service/webhooks.mdx", "utf8");
const key = randomBytes(32);
const secret = `whsec_${key.toString("base64")}`;
const body = '{"type":"static_export.completed","data":{"title":"Grüße"}}';
const [id, timestamp] = ["evt_1", "1780293600"];
const signature = `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;

/** Valid, valid while a secret is rotated, changed, and signed with another secret. */
const messages: readonly (readonly [signature: string, body: string, isOurs: boolean])[] = [
  [signature, body, true],
  [`v1,b3RoZXI= ${signature}`, body, true],
  [signature, `${body} `, false],
  [signature.replace(/.{5}$/, "AAAA="), body, false],
  ["", body, false],
];

interface Language {
  /** Files of a program that prints `true` or `false` for each signature and body of its arguments, which the secret precedes. */
  files(snippet: string): Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

const languages: Readonly<Record<string, Language>> = {
  js: {
    files: (snippet) => ({
      "verify.mjs": `${snippet}
const [secret, ...texts] = process.argv.slice(2);
for (let at = 0; at < texts.length; at += 2) {
  const headers = { "webhook-id": "${id}", "webhook-timestamp": "${timestamp}", "webhook-signature": texts[at] };
  console.log(isOurs(headers, texts[at + 1], secret));
}`,
    }),
    command: ["node", "verify.mjs"],
  },
  python: {
    files: (snippet) => ({
      "verify.py": `${snippet}
import sys
for signature, body in zip(sys.argv[2::2], sys.argv[3::2]):
    headers = {"webhook-id": "${id}", "webhook-timestamp": "${timestamp}", "webhook-signature": signature}
    print(str(is_ours(headers, body, sys.argv[1])).lower())`,
    }),
    command: ["python3", "verify.py"],
  },
  go: {
    files: (snippet) => ({
      "verify.go": snippet,
      "main.go": `package main
import ("fmt"; "os")
func main() {
	for at := 2; at < len(os.Args); at += 2 {
		headers := map[string]string{"webhook-id": "${id}", "webhook-timestamp": "${timestamp}", "webhook-signature": os.Args[at]}
		fmt.Println(isOurs(headers, os.Args[at+1], os.Args[1]))
	}
}`,
    }),
    command: ["go", "run", "main.go", "verify.go"],
  },
  java: {
    files: (snippet) => ({
      "Main.java": `${snippet.replace("class Webhooks", `class Main {\n  public static void main(String[] args) throws Exception {\n    for (int at = 1; at < args.length; at += 2)\n      System.out.println(Webhooks.isOurs(Map.of("webhook-id", "${id}", "webhook-timestamp", "${timestamp}", "webhook-signature", args[at]), args[at + 1], args[0]));\n  }\n}\nclass Webhooks`)}`,
    }),
    command: ["java", "-Dfile.encoding=UTF-8", "Main.java"],
  },
  ruby: {
    files: (snippet) => ({
      "verify.rb": `${snippet}
secret, *texts = ARGV
texts.each_slice(2) do |signature, body|
  headers = { "webhook-id" => "${id}", "webhook-timestamp" => "${timestamp}", "webhook-signature" => signature }
  puts ours?(headers, body, secret)
end`,
    }),
    command: ["ruby", "verify.rb"],
  },
};

const versionOf: Readonly<Record<string, string>> = { go: "version", java: "-version" };

describe("the handbook verifies a webhook", () => {
  for (const [language, { files, command }] of Object.entries(languages)) {
    const snippet = new RegExp(`^\`\`\`${language} .*\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page)?.[1];
    const [program = "", ...args] = command;
    const isInstalled = spawnSync(program, [versionOf[language] ?? "--version"]).status === 0;
    test.runIf(isInstalled)(`in ${language}`, () => {
      expect(snippet).toBeDefined();
      const folder = temporaryFolder();
      for (const [name, text] of Object.entries(files(snippet!))) writeFileSync(join(folder, name), text);
      const env = {
        ...process.env,
        LC_ALL: "C.UTF-8",
        GOFLAGS: "-mod=mod",
        GO111MODULE: "off",
        GOCACHE: goCache,
      };
      const texts = messages.flatMap((each) => each.slice(0, 2) as string[]);
      const { stdout, stderr } = spawnSync(program, [...args, secret, ...texts], { cwd: folder, env });
      expect([stdout.toString().trim().split(/\r?\n/), stderr.toString()]).toEqual([
        messages.map(([, , isOurs]) => String(isOurs)),
        "",
      ]);
    });
  }
});
