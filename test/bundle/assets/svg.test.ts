import assert from "node:assert/strict";
import { test } from "vitest";
import { decodeSvg, sanitizeSvg } from "../../../src/bundle/assets/svg.js";
import { withinCpu } from "../../support/machine-time.js";

const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';
const cases = [
  // sanitizeSvg …                          source                                           result
  ["leaves a drawing unchanged", drawing, drawing],
  ["keeps comments and data", "<svg><!-- a > b --><![CDATA[ <script> ]]></svg>", undefined],
  ["removes scripts with their content", "<svg><script>if (a < b) x()</script><g/></svg>", "<svg><g/></svg>"],
  ["removes scripts with another prefix", '<s:svg><s:SCRIPT href="x"/><g/></s:svg>', "<s:svg><g/></s:svg>"],
  ["removes nested elements at once", "<svg><object><object>a</object></object>b</svg>", "<svg>b</svg>"],
  ["removes event handlers", '<svg onload="x()" width="1"><a onClick = "y()"/></svg>', '<svg  width="1"><a /></svg>'],
  ["removes links to scripts", '<svg><a xlink:href="javascript:x()">t</a></svg>', "<svg><a >t</a></svg>"],
  ["decodes character references", '<svg><a href="java&#115;cript&colon;x()">t</a></svg>', "<svg><a >t</a></svg>"],
  ["ignores white space in links", '<svg><a href=" java\nscript:x()">t</a></svg>', "<svg><a >t</a></svg>"],
  [
    "removes dangerous values of animations",
    '<svg><animate attributeName="href" values="a;javascript:x()"/></svg>',
    '<svg><animate attributeName="href" /></svg>',
  ],
  ["removes embedded documents", '<svg><iframe src="https://x.example"></iframe></svg>', "<svg></svg>"],
  ["removes documents in data URLs", '<svg><use href="data:text/html,x"/></svg>', "<svg><use /></svg>"],
  ["keeps images in data URLs", '<svg><image href="data:image/png;base64,AA=="/></svg>', undefined],
  ["keeps images whose type is misspelt", '<svg><image href="data:img/png;base64,AA=="/></svg>', undefined],
  ["removes external style sheets", '<?xml-stylesheet href="x"?><svg/>', "<svg/>"],
  [
    "expands internal entities",
    '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;">&ns;</svg>',
    '<svg xmlns="http://www.w3.org/2000/svg">http://www.w3.org/2000/svg</svg>',
  ],
  [
    "ignores external entities",
    '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
    "<svg></svg>",
  ],
  [
    "drops entities that contain elements",
    '<!DOCTYPE svg [<!ENTITY x "<script>y()</script>">]><svg>&x;</svg>',
    "<svg></svg>",
  ],
  [
    "creates no markup by a removal",
    "<svg><<script/>script>x()<<script/>/script></svg>",
    "<svg>&lt;script>x()&lt;/script></svg>",
  ],
  [
    "reads prefixes in any script",
    '<svg xmlns:é="http://www.w3.org/2000/svg"><é:script>x()</é:script></svg>',
    '<svg xmlns:é="http://www.w3.org/2000/svg"></svg>',
  ],
  ["removes a script that is not closed", "<svg><script>x()", "<svg>"],
] as const;

for (const [rule, source, result] of cases) {
  test(`sanitizeSvg ${rule}`, () => assert.equal(sanitizeSvg(source).text, result ?? source));
}

test("sanitizeSvg lists each removed part once", () => {
  const { removed } = sanitizeSvg('<svg onload="a"><script/><script/></svg>');
  assert.deepEqual(removed, ["onload", "<script>"]);
});

test("sanitizeSvg reads a large file in linear time", async () => {
  await withinCpu(3_000, () => {
    sanitizeSvg(`<svg>${'<g a="b">'.repeat(200_000)}`);
    sanitizeSvg("<".repeat(50_000));
  });
});

const script = "<svg><script/></svg>";
const encoded = [
  // decodeSvg reads …             bytes                                                                   isUtf8
  ["UTF-8", Buffer.from(script), true],
  ["declared UTF-8", Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${script}`), true],
  ["UTF-16", Buffer.from(`\ufeff${script}`, "utf16le"), false],
  ["UTF-16 without a mark", Buffer.from(`<?xml version="1.0"?>${script}`, "utf16le"), false],
  ["big-endian UTF-16", Buffer.from(`<?xml version="1.0"?>${script}`, "utf16le").swap16(), false],
  ["UTF-8 declared as UTF-16", Buffer.from(`<?xml version="1.0" encoding="utf-16"?>${script}`), false],
  ["other encodings", Buffer.from(`<?xml version="1.0" encoding="windows-1252"?>${script}`), false],
  [
    "an encoding at the end of a long declaration",
    Buffer.from(`<?xml version="1.0"${" ".repeat(500)}encoding='iso-2022-jp'?>${script}`),
    false,
  ],
  ["unknown encodings", Buffer.from(`<?xml version="1.0" encoding="utf-7"?>${script}`), false],
] as const;
for (const [rule, bytes, isUtf8] of encoded) {
  test(`decodeSvg reads ${rule}, so that scripts are found`, () => {
    const read = decodeSvg(bytes);
    assert.equal(read.isUtf8, isUtf8);
    assert.equal(isUtf8 ? read.text.replace(/^<\?.*?>/, "") : read.text, script);
  });
}
