import assert from "node:assert/strict";
import { test } from "vitest";
import { decodeSvg, sanitizeSvg } from "../../src/assets/svg.js";

const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';
const cases = [
  // sanitizeSvg …                          source                                           result
  ["leaves a drawing as it is", drawing, drawing],
  ["keeps comments and data", "<svg><!-- a > b --><![CDATA[ <script> ]]></svg>", undefined],
  ["takes out scripts with what they hold", "<svg><script>if (a < b) x()</script><g/></svg>", "<svg><g/></svg>"],
  ["takes out scripts by another prefix", '<s:svg><s:SCRIPT href="x"/><g/></s:svg>', "<s:svg><g/></s:svg>"],
  ["takes out nested ones as one", "<svg><object><object>a</object></object>b</svg>", "<svg>b</svg>"],
  ["takes out handlers", '<svg onload="x()" width="1"><a onClick = "y()"/></svg>', '<svg  width="1"><a /></svg>'],
  ["takes out links to scripts", '<svg><a xlink:href="javascript:x()">t</a></svg>', "<svg><a >t</a></svg>"],
  ["sees through references", '<svg><a href="java&#115;cript&colon;x()">t</a></svg>', "<svg><a >t</a></svg>"],
  ["sees through white space", '<svg><a href=" java\nscript:x()">t</a></svg>', "<svg><a >t</a></svg>"],
  [
    "takes out what an animation would set",
    '<svg><animate attributeName="href" values="a;javascript:x()"/></svg>',
    '<svg><animate attributeName="href" /></svg>',
  ],
  ["takes out documents inside", '<svg><iframe src="https://x.example"></iframe></svg>', "<svg></svg>"],
  ["takes out page documents as data", '<svg><use href="data:text/html,x"/></svg>', "<svg><use /></svg>"],
  ["keeps pictures as data", '<svg><image href="data:image/png;base64,AA=="/></svg>', undefined],
  ["takes out style sheets named from outside", '<?xml-stylesheet href="x"?><svg/>', "<svg/>"],
  [
    "puts in entities of its own",
    '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;">&ns;</svg>',
    '<svg xmlns="http://www.w3.org/2000/svg">http://www.w3.org/2000/svg</svg>',
  ],
  [
    "never reads entities from elsewhere",
    '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
    "<svg></svg>",
  ],
  [
    "lets no entity bring in elements",
    '<!DOCTYPE svg [<!ENTITY x "<script>y()</script>">]><svg>&x;</svg>',
    "<svg></svg>",
  ],
  ["ends with an open script", "<svg><script>x()", "<svg>"],
] as const;

for (const [rule, source, result] of cases) {
  test(`sanitizeSvg ${rule}`, () => assert.equal(sanitizeSvg(source).text, result ?? source));
}

test("sanitizeSvg names what it took out, each once", () => {
  const { removed } = sanitizeSvg('<svg onload="a"><script/><script/></svg>');
  assert.deepEqual(removed, ["onload", "<script>"]);
});

test("sanitizeSvg reads a large file in linear time", () => {
  const start = performance.now();
  sanitizeSvg(`<svg>${'<g a="b">'.repeat(200_000)}`);
  sanitizeSvg("<".repeat(50_000));
  assert.ok(performance.now() - start < 3_000);
});

test("decodeSvg reads UTF-16, so that nothing hides in it", () => {
  const bytes = Buffer.from("\ufeff<svg><script/></svg>", "utf16le");
  assert.equal(decodeSvg(bytes).text, "<svg><script/></svg>");
});
