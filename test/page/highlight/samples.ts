/** A few lines of the languages used most in documentation, with the hard cases of each. */
export const samples: readonly (readonly [language: string, code: string])[] = [
  [
    "typescript",
    `import { z } from "zod";

/** Größe ist wichtig. @param id the user's id */
export abstract class Users<T extends { id: string }> implements Store<T> {
  private readonly cache = new Map<string, T>();
  constructor(private readonly url: URL, public limit?: number) {}
  async get(id: string): Promise<T | undefined> {
    const found = this.cache.get(id) ?? (await fetch(\`\${this.url}/users/\${encodeURIComponent(id)}?x=\${1 + 0xff_ff}\`)).json();
    if (!/^[a-z]+(?:-\\d{2,})?$/i.test(id)) throw new TypeError("bad id: " + id);
    return found as unknown as T;
  }
}
const add = <A,>(a: A, b = 3.14e-10) => [a, b] as const;
type Keys<T> = { [K in keyof T as \`get\${Capitalize<K & string>}\`]-?: T[K] extends infer U ? U : never };
declare module "x" { export enum Color { Red = 1, Green } }
label: for (let i = 0n; i < 10n; i++) { continue label; }`,
  ],
  [
    "tsx",
    `export default function App({ items, ...rest }: Props) {
  const [open, setOpen] = useState<boolean>(false);
  return (
    <>
      {/* a comment */}
      <ul className="list" {...rest} onClick={() => setOpen((o) => !o)}>
        {items.map((item) => <li key={item.id} aria-label="x &amp; y">{item.name} – {item.price}</li>)}
      </ul>
    </>
  );
}`,
  ],
  [
    "mdx",
    `---
title: "Page"
---
import { Box } from "/snippets/box.jsx";
export const limit = 3;

# Title {limit}

<CardGroup cols={2}>
  <Card title="One" icon='rocket' href="/one" horizontal>
    Read **this** and {props.name ?? "that"}.
  </Card>
  <Box {...rest} onClick={() => open(\`\${limit}\`)} />
</CardGroup>

{/* a comment */}

\`\`\`ts
const a: number = 1;
\`\`\``,
  ],
  [
    "jsx",
    `export const Box = ({ className = "p-4", children }) => (
  <div className={className} style={{ color: "red" }}>{children} &amp; more</div>
);`,
  ],
  [
    "javascript",
    `const fs = require("node:fs");
async function* read(path, { encoding = "utf8" } = {}) {
  for await (const chunk of fs.createReadStream(path, encoding)) yield chunk.replace(/[\\s"']+/g, " ");
}
module.exports = { read, get size() { return 1_000; }, ["computed" + 1]: null };
console.log(\`total: \${[1, 2, 3].reduce((a, b) => a + b)}\`, new Date() instanceof Object, typeof undefined);`,
  ],
  [
    "json",
    `{
  "name": "x\\u00e9\\n",
  "list": [1, -2.5e10, true, false, null],
  // a comment
  "nested": { "a": { "b": {} } }
}`,
  ],
  [
    "bash",
    `#!/usr/bin/env bash
set -euo pipefail
export API_KEY="sk-\${USER:-nobody}" # a secret
curl -X POST https://api.example.com/v1/things?x=1 \\
  -H "Authorization: Bearer $API_KEY" \\
  -d '{"name": "thing"}' | jq -r '.items[] | .id' > out.txt 2>&1 &
for f in *.{md,mdx}; do [[ -f $f && $f =~ ^a.*$ ]] || continue; echo "$(basename "$f")" $((1 + 2)); done
cat <<EOF
Hello $USER
EOF
npm install --save-dev typescript@latest && npx tsc --init`,
  ],
  [
    "python",
    `from __future__ import annotations
import asyncio, os.path as p

@dataclass(frozen=True)
class Point(Base, metaclass=Meta):
    """A point: \`\`x\`\` and y."""
    x: float = 0.0
    def __add__(self, other: "Point") -> Point:
        return Point(x=self.x + other.x)  # sum

async def main(*args: str, **kwargs) -> None:
    names = [f"{n!r:>{10}} {n.upper()}" for n in args if n not in ("a", b"b") and n is not None]
    pattern = re.compile(r"^\\d+(?P<unit>[a-z]*)$", re.I)
    async with open(p.join("a", 'b')) as fh:
        print(0x1f, 1_000j, lambda x: x ** 2, ..., sep="\\t")

if __name__ == "__main__":
    asyncio.run(main())`,
  ],
  [
    "yaml",
    `# workflow
on: { push: { branches: [main, "release/*"] } }
jobs:
  build: &base
    runs-on: ubuntu-latest
    cron: "0 6 * * *" # daily
    env: { A: 1.5, B: true, C: ~, D: 2024-01-01 }
    steps:
      - uses: actions/checkout@v4
      - run: |
          echo "hi"
          npm test
      - <<: *base
        name: 'it''s'`,
  ],
  [
    "html",
    `<!doctype html>
<html lang="en">
  <head><style>body > p { color: #fff; margin: 0 auto !important }</style></head>
  <body data-x='1' hidden>
    <!-- comment -->
    <script type="module" src="/a.js">const x = "</" + 1;</script>
    <a href="https://example.com?a=1&amp;b=2">link &copy; ©</a>
  </body>
</html>`,
  ],
  [
    "css",
    `@import url("x.css") layer(base);
:root { --gap: calc(1rem + 2px); }
@media (min-width: 40em) and (hover) { .card:not(.open)::before, a[href^="http"] > b { content: "\\201C"; background: url(x.png) no-repeat; transition: color .2s ease-in-out } }
/* done */`,
  ],
  [
    "markdown",
    `# Title with \`code\`

Some *emphasis*, **bold**, ~~gone~~, [a link](https://example.com "t") and ![image](a.png).

- item
  1. nested

> quote

\`\`\`ts
const a: number = 1;
\`\`\`

<Card title="One" href='/one'>
  Read <b>this</b> &amp; that. <!-- comment -->
</Card>

| a | b |
|---|:-:|
| 1 | 2 |`,
  ],
  [
    "sql",
    `SELECT u.id, COUNT(*) AS "total" -- all of them
FROM users u LEFT JOIN orders o ON o.user_id = u.id AND o.price >= 10.5
WHERE u.name LIKE 'A%' AND created_at > NOW() - INTERVAL '1 day'
GROUP BY 1 HAVING COUNT(*) > 3 ORDER BY total DESC LIMIT 10;`,
  ],
  [
    "go",
    `package main

import ("fmt"; "net/http")

// Server serves.
type Server struct {
	mu       sync.Mutex
	handlers map[string]http.HandlerFunc \`json:"h"\`
}

func (s *Server) Handle(ctx context.Context, args ...interface{}) (err error) {
	defer func() { if r := recover(); r != nil { err = fmt.Errorf("panic: %v", r) } }()
	for i, a := range args { go s.run(i, a, 'x', 0x1F, 1.5e3, "\\n") }
	return nil
}`,
  ],
  [
    "rust",
    `use std::collections::HashMap;
#[derive(Debug, Clone)]
pub struct Config<'a, T: ?Sized> { name: &'a str, inner: Box<T> }
impl<'a> Config<'a, str> {
    pub async fn load(path: impl AsRef<Path>) -> Result<Self, Box<dyn Error>> {
        let text = tokio::fs::read_to_string(path).await?; // read
        println!("{text:?} {}", 1_000u64 << 2);
        match text.len() { 0..=9 => Err("short".into()), n if n > 10 => todo!(), _ => unreachable!() }
    }
}`,
  ],
  [
    "java",
    `package com.example;
import java.util.*;
/** Docs. {@link Foo} */
@RestController
public final class Api<T extends Comparable<T>> extends Base implements Runnable {
  private static final Map<String, List<? super T>> CACHE = new HashMap<>();
  @Override public void run() throws IOException {
    var list = List.of(1, 2L, 3.0f, 'c', "s\\n"); // list
    for (int i = 0; i < list.size(); i++) System.out.println(list.get(i) instanceof Integer n ? n : null);
  }
}`,
  ],
  [
    "ruby",
    `require "json"
module Api
  class Client < Base
    attr_reader :url
    def initialize(url:, **opts) = @url = url
    def get(path)
      res = Net::HTTP.get(URI("#{@url}/#{path}")) unless path.nil? # fetch
      JSON.parse(res, symbolize_names: true)[:items].map { |i| i[:name] =~ /^a+$/i ? :yes : %w[a b] }
    end
  end
end`,
  ],
  [
    "php",
    `<?php
declare(strict_types=1);
namespace App\\Http;
use Foo\\{Bar, Baz as Qux};
#[Route("/x")]
final class Controller extends Base {
    public function __construct(private readonly ?Client $client = null) {}
    public function show(int|string $id): array {
        // comment
        return ['id' => $id, 'name' => "User {$this->client->name($id)} $id", 'x' => fn($y) => $y ?? null];
    }
}`,
  ],
  [
    "csharp",
    `using System.Linq;
namespace App;
public record Person(string Name, int Age = 3);
public class Program {
    /// <summary>Main</summary>
    public static async Task<int> Main(string[] args) {
        var xs = from a in args where a.Length > 0x1F select $"{a,10:N2} {{x}}";
        await foreach (var x in Get<int>()) Console.WriteLine(@"c:\\temp" + x ?? nameof(x));
        return args switch { [] => 0, [var f, ..] => f.Length, _ => -1 };
    }
}`,
  ],
  [
    "toml",
    `title = "x" # c
[owner]
dob = 1979-05-27T07:32:00-08:00
ports = [ 8001, 0xFF, 1e6 ]
[[products]]
name = 'Ham"mer'`,
  ],
  ["diff", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old line of text\n+new line of text\n same line of text"],
  ["graphql", `query Get($id: ID! = "1") @cached { user(id: $id) { ...F name } }\nfragment F on User { id # c\n}`],
  [
    "dockerfile",
    `FROM node:22-alpine AS build\nARG X=1\nRUN npm ci && echo "$X" # no\nCOPY --from=build /a /b\nCMD ["node", "x.js"]`,
  ],
  ["http", `POST /v1/things?x=1 HTTP/1.1\nHost: example.com\nContent-Type: application/json\n\n{"a": [1, true]}`],
  ["xml", `<?xml version="1.0"?>\n<!-- c --><a:b xmlns:a="urn:x" c='1'>t &lt;<![CDATA[ <x> ]]></a:b>`],
  ["ini", `; c\n[section]\nkey = value\nother="x y"`],
  [
    "kotlin",
    `data class A<T>(val x: Int = 1, var y: String? = null) : B() {\n  suspend fun f(): List<T> = listOf("a $x \${y?.length}").map { it.trim() } // c\n}`,
  ],
  [
    "swift",
    `@MainActor struct V: View { @State private var n = 0\n  var body: some View { Text("Hi \\(n)").padding() /* c */ }\n  func f<T>(_ x: T) async throws -> [T] where T: Hashable { guard let y = x as? T else { return [] }; return [y] } }`,
  ],
  [
    "hcl",
    `resource "aws_s3_bucket" "b" {\n  bucket = "x-\${var.name}" # c\n  count  = var.n > 0 ? 1 : 0\n  tags   = { A = true }\n}`,
  ],
  [
    "console",
    `$ for f in *.txt; do echo "$f" | wc -l; done
user@host:~/site$ export NAME='a b' && ls -la
plain output of the command above`,
  ],
  [
    "coffee",
    `square = (x) -> x * x
list = (square num for num in [1..5] when num isnt 3)
hi = \`function () { return [1, "two"].join("-"); }\`
console.log "#{list} in all" if hi?`,
  ],
  [
    "objective-c",
    `#import <Foundation/Foundation.h>
#if 0
int never;
#endif
@interface Page : NSObject <NSCopying>
@property (nonatomic, strong) NSString *title;
- (void)show:(int)count with:(id)other;
@end
int main(void) { @autoreleasepool { NSLog(@"%d of %@\\n", 1, @"two"); } return 0; }`,
  ],
];
