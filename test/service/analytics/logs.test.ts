import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readLines } from "../../../src/service/analytics/logs/import-logs.js";
import type { LogFormat } from "../../../src/service/analytics/logs/log-formats.js";
import { logParser } from "../../../src/service/analytics/logs/log-formats.js";
import { temporaryFolder } from "../../support/cli.js";
import { withinCpu } from "../../support/machine-time.js";

const at = Date.UTC(2025, 9, 10, 11, 55, 36);
const entry = {
  at,
  method: "GET",
  path: "/guides/install?a=b",
  status: 200,
  address: "203.0.113.7",
  agent: "Mozilla/5.0 (X11)",
};
const combined = (head: string, rest: string) =>
  `${head} [10/Oct/2025:13:55:36 +0200] "GET /guides/install?a=b HTTP/1.1" 200 2326${rest}`;
const agent = ' "https://a.example/" "Mozilla/5.0 (X11)"';

interface Line {
  readonly what: string;
  readonly line: string;
  /** What differs from `entry`. */
  readonly more?: object;
}
type Row = readonly [what: string, line: string, more?: object];
const linesOf = (rows: readonly Row[]): readonly Line[] => rows.map(([what, line, more]) => ({ what, line, more }));

describe.each<[LogFormat, readonly Row[]]>([
  [
    "combined",
    [
      ["of Apache", combined("203.0.113.7 - -", agent)],
      ["with a user who has a blank", combined("203.0.113.7 - Ann Lee", agent)],
      ["with the host in front", combined("docs.example.com:443 203.0.113.7 - -", agent)],
      [
        "with forwarded addresses",
        combined("203.0.113.7 - -", `${agent} "198.51.100.1"`),
        { forwardedFor: "198.51.100.1" },
      ],
      ["of a name", combined("reader.example - -", agent), { address: "reader.example" }],
      ["in the common format", combined("203.0.113.7 - -", ""), { agent: undefined }],
      ["with quotation marks", combined("203.0.113.7 - -", ' "-" "a \\"b\\" \\x22c\\x22"'), { agent: 'a "b" "c"' }],
      [
        "of a client without HTTP",
        '203.0.113.7 - - [10/Oct/2025:11:55:36 +0000] "\\x16\\x03\\x01" 400 0 "-" "-"',
        { method: "", path: "", status: 400, agent: undefined },
      ],
    ],
  ],
  [
    "cloudfront",
    [
      [
        "in the order of standard logs",
        "2025-10-10\t11:55:36\tFRA2\t182\t203.0.113.7\tGET\td1.cloudfront.net\t/guides/install?a=b\t200\t-\tMozilla/5.0%20(X11)\t-",
      ],
      [
        "with an agent that is escaped twice",
        "2025-10-10\t11:55:36\tFRA2\t182\t203.0.113.7\tGET\td1\t/guides/install?a=b\t200\t-\tMozilla/5.0%2520(X11)",
      ],
    ],
  ],
  [
    "json",
    [
      [
        "of nginx",
        '{"time_iso8601":"2025-10-10T13:55:36+02:00","remote_addr":"203.0.113.7","request":"GET /guides/install?a=b HTTP/2.0","status":"200","http_user_agent":"Mozilla/5.0 (X11)"}',
      ],
      [
        "of Caddy",
        `{"ts":${at / 1000},"request":{"client_ip":"203.0.113.7","method":"GET","uri":"/guides/install?a=b","headers":{"User-Agent":["Mozilla/5.0 (X11)"]}},"status":200}`,
      ],
      [
        "of Traefik",
        '{"ClientHost":"203.0.113.7","RequestMethod":"GET","RequestPath":"/guides/install?a=b","DownstreamStatus":200,"StartUTC":"2025-10-10T11:55:36Z","request_User-Agent":"Mozilla/5.0 (X11)"}',
      ],
      [
        "of Cloudflare",
        `{"ClientIP":"203.0.113.7","ClientRequestMethod":"GET","ClientRequestURI":"/guides/install?a=b","ClientRequestUserAgent":"Mozilla/5.0 (X11)","EdgeResponseStatus":200,"EdgeStartTimestamp":${at}000000}`,
      ],
      [
        "of Google Cloud",
        '{"timestamp":"2025-10-10T11:55:36Z","httpRequest":{"requestMethod":"GET","requestUrl":"https://docs.example.com/guides/install?a=b","status":200,"userAgent":"Mozilla/5.0 (X11)","remoteIp":"203.0.113.7"}}',
      ],
      [
        "of CloudFront",
        '{"date":"2025-10-10","time":"11:55:36","c-ip":"203.0.113.7","cs-method":"GET","cs-uri-stem":"/guides/install?a=b","sc-status":"200","cs(User-Agent)":"Mozilla/5.0 (X11)"}',
      ],
    ],
  ],
])("a line in %s format", (format, lines) => {
  test.each(linesOf(lines))("$what is read", ({ line, more = {} }) => {
    const read = logParser(format)(line);
    if (typeof read !== "object") throw new Error(`not read: ${read}`);
    const { headers, ...rest } = read;
    expect({ ...rest, agent: headers["user-agent"] }).toEqual({ ...entry, ...more });
  });
});

test("the columns of a CloudFront log are those that it names", async () => {
  const parse = logParser("cloudfront");
  expect(parse("#Version: 1.0")).toBe("comment");
  expect(parse("#Fields: date time cs-method sc-status cs-uri-stem cs(User-Agent) c-ip")).toBe("comment");
  expect(parse("2025-10-10\t11:55:36\tGET\t304\t/a\tcurl/8\t2001:db8::1")).toMatchObject({
    at,
    status: 304,
    path: "/a",
    address: "2001:db8::1",
    headers: { "user-agent": "curl/8" },
  });
});

test.each<[LogFormat, string]>([
  ["combined", "hello"],
  ["combined", '203.0.113.7 - - [10/Foo/2025:13:55:36 +0200] "GET / HTTP/1.1" 200 1'],
  ["combined", `${"a [".repeat(20_000)}"`],
  ["combined", `1.1.1.1 - - [10/Oct/2025:13:55:36 +0200] "${"\\".repeat(60_000)}`],
  ["cloudfront", "2025-10-10\t11:55:36"],
  ["json", '{"time":"2025-10-10T11:55:36Z"'],
  ["json", '{"time":"soon","method":"GET","path":"/","status":200}'],
  ["json", "[1]"],
])("a %s line that is no request cannot be read, however long it is", async (format, line) => {
  await withinCpu(1000, () => {
    expect(logParser(format)(line)).toBeUndefined();
  });
});

describe("a file", () => {
  const read = async (path: string, from = 0) => {
    const lines: string[] = [];
    let end = from;
    for await (const batch of readLines(path, { from })) {
      lines.push(...batch.lines);
      end = batch.end;
    }
    return { lines, end };
  };
  const write = (name: string, content: string | Buffer): string => {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, content);
    return path;
  };

  test("is read line by line, compressed or not, without an unfinished last line", async () => {
    const text = "one\r\nzwei ü\n\nthree";
    const expected = { lines: ["one", "zwei ü", ""], end: Buffer.byteLength("one\r\nzwei ü\n\n") };
    const plain = write("plain.log", text);
    expect(await read(plain)).toEqual(expected);
    expect(await read(write("packed.log", gzipSync(text)))).toEqual(expected);
    appendFileSync(plain, " more\nfour\n");
    expect(await read(plain, expected.end)).toMatchObject({ lines: ["three more", "four"] });
    expect(await read(write("grown", gzipSync(`${text} more\n`)), expected.end)).toMatchObject({
      lines: ["three more"],
    });
  });

  test("that is truncated in the middle of its gzip is read up to that point", async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `${at} ${Math.sin(at)}`);
    const packed = gzipSync(`${lines.join("\n")}\n`);
    const { lines: found } = await read(write("cut.gz", packed.subarray(0, packed.length / 2)));
    expect(found.length).toBeGreaterThan(1000);
    expect(found).toEqual(lines.slice(0, found.length));
  });

  test("with a line of many megabytes has one line that cannot be read", async () => {
    const path = write("long.log", `a\n${"x".repeat(5_000_000)}\nb\n`);
    const { lines, end } = await read(path);
    expect([lines.length, lines[0], lines.at(-1), end]).toEqual([3, "a", "b", 5_000_005]);
    expect(lines[1]!.length).toBeLessThan(100);
  });
});
