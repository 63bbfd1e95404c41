import assert from "node:assert/strict";
import { test } from "vitest";
import { decodeSvg, sanitizeSvg } from "../../../src/bundle/assets/svg.js";
import { startCpuTimer } from "../../support/machine-time.js";

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
  [
    "lets what is left out join nothing",
    "<svg><<script/>script>x()<<script/>/script></svg>",
    "<svg>&lt;script>x()&lt;/script></svg>",
  ],
  [
    "reads prefixes of any letters",
    '<svg xmlns:é="http://www.w3.org/2000/svg"><é:script>x()</é:script></svg>',
    '<svg xmlns:é="http://www.w3.org/2000/svg"></svg>',
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
  const spent = startCpuTimer();
  sanitizeSvg(`<svg>${'<g a="b">'.repeat(200_000)}`);
  sanitizeSvg("<".repeat(50_000));
  assert.ok(spent() < 3_000);
});

const script = "<svg><script/></svg>";
const encoded = [
  // decodeSvg reads …             bytes                                                                   isUtf8
  ["UTF-8", Buffer.from(script), true],
  ["UTF-8 that says so", Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${script}`), true],
  ["UTF-16", Buffer.from(`\ufeff${script}`, "utf16le"), false],
  ["UTF-16 without a mark", Buffer.from(`<?xml version="1.0"?>${script}`, "utf16le"), false],
  ["UTF-16 the other way round", Buffer.from(`<?xml version="1.0"?>${script}`, "utf16le").swap16(), false],
  ["UTF-16 that is none", Buffer.from(`<?xml version="1.0" encoding="utf-16"?>${script}`), false],
  ["other encodings", Buffer.from(`<?xml version="1.0" encoding="windows-1252"?>${script}`), false],
  [
    "an encoding named late",
    Buffer.from(`<?xml version="1.0"${" ".repeat(500)}encoding='iso-2022-jp'?>${script}`),
    false,
  ],
  ["encodings that nobody knows", Buffer.from(`<?xml version="1.0" encoding="utf-7"?>${script}`), false],
] as const;
for (const [rule, bytes, isUtf8] of encoded) {
  test(`decodeSvg reads ${rule}, so that nothing hides in it`, () => {
    const read = decodeSvg(bytes);
    assert.equal(read.isUtf8, isUtf8);
    assert.equal(isUtf8 ? read.text.replace(/^<\?.*?>/, "") : read.text, script);
  });
}
