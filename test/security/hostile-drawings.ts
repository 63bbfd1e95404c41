import type { SiteContents } from "./site-folder.js";

const ns = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const html = 'xmlns:h="http://www.w3.org/1999/xhtml"';
const script = "<script>alert(1)</script>";
const wide = `<?xml version="1.0"?><svg ${ns}>${script}</svg>`;

/** Drawings that run something when a reader opens them by their own address. */
const drawings: readonly (string | Uint8Array)[] = [
  `<svg ${ns}>${script}</svg>`,
  `<svg ${ns} onload="alert(1)"/>`,
  `<svg ${ns} ONLOAD='alert(1)' onload='alert(1)'/>`,
  `<svg ${ns}\nonload\n=\n"alert(1)"/>`,
  `<svg ${ns}><g onclick="alert(1)"><text y="20">x</text></g></svg>`,
  `<svg ${ns}><a href="javascript:alert(1)"><text y="20">x</text></a></svg>`,
  `<svg ${ns}><a xlink:href="java&#x09;script&colon;alert(1)"><text y="20">x</text></a></svg>`,
  `<svg ${ns}><a xlink:href="&#106;avascript:alert(1)"><text y="20">x</text></a></svg>`,
  `<svg ${ns}><a href=" &#1;javascript:alert(1)"><text y="20">x</text></a></svg>`,
  `<svg ${ns} xmlns:y="http://www.w3.org/1999/xlink"><a y:href="javascript:alert(1)"><text y="20">x</text></a></svg>`,
  `<svg ${ns}><a><animate attributeName="href" values="x;javascript:alert(1)" dur="1s"/><text y="20">x</text></a></svg>`,
  `<svg ${ns}><a><set attributeName="href" to="javascript:alert(1)"/><text y="20">x</text></a></svg>`,
  `<svg ${ns}><set attributeName="onload" to="alert(1)"/><animate onbegin="alert(1)" attributeName="x" dur="1s"/></svg>`,
  `<svg ${ns}><script href="data:text/javascript,alert(1)"/></svg>`,
  `<svg ${ns}><script xlink:href="data:text/javascript,alert(1)"></script></svg>`,
  `<svg ${ns}><SCRIPT>alert(1)</SCRIPT><Script/></svg>`,
  `<svg ${ns}><script><![CDATA[alert(1)]]></script></svg>`,
  `<svg ${ns}><script>/*<script>*/alert(1)/*</script>*/</script></svg>`,
  `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>`,
  `<é:svg xmlns:é="http://www.w3.org/2000/svg"><é:script>alert(1)</é:script></é:svg>`,
  `<𐀀:svg xmlns:𐀀="http://www.w3.org/2000/svg"><𐀀:script>alert(1)</𐀀:script></𐀀:svg>`,
  `<svg ${ns} ${html}><h:script>alert(1)</h:script></svg>`,
  `<svg ${ns} ${html}><foreignObject width="9" height="9"><h:img src="x" onerror="alert(1)"/></foreignObject></svg>`,
  `<svg ${ns} ${html}><foreignObject><h:iframe srcdoc="&lt;script&gt;parent.alert(1)&lt;/script&gt;"/></foreignObject></svg>`,
  `<svg ${ns} ${html}><foreignObject><h:iframe src="javascript:alert(1)"/><h:embed src="javascript:alert(1)"/></foreignObject></svg>`,
  `<svg ${ns} ${html}><foreignObject><h:form action="javascript:alert(1)"><h:button>x</h:button></h:form></foreignObject></svg>`,
  `<svg ${ns} ${html}><foreignObject><h:button formaction="javascript:alert(1)">x</h:button></foreignObject></svg>`,
  `<svg ${ns} ${html}><foreignObject><h:body onload="alert(1)"/><h:details open="" ontoggle="alert(1)">x</h:details></foreignObject></svg>`,
  `<svg ${ns} ${html}><h:meta http-equiv="refresh" content="0;url=javascript:alert(1)"/></svg>`,
  `<svg ${ns} ${html}><h:base href="javascript:alert(1)//"/><a href="x"><text y="20">x</text></a></svg>`,
  `<svg ${ns} ${html}><h:link rel="stylesheet" href="javascript:alert(1)"/></svg>`,
  `<svg ${ns}><<script/>script>alert(1)<<script/>/script></svg>`,
  `<svg ${ns}><<script></script>script>alert(1)<<script></script>/script></svg>`,
  `<svg ${ns}><scr<script/>ipt>alert(1)</scr<script/>ipt></svg>`,
  `<svg ${ns}><!-- > ${script} --><!--><script>alert(1)</script>--></svg>`,
  `<svg ${ns}><![CDATA[><script>alert(1)</script>]]></svg>`,
  `<svg ${ns}><text title="<script>">x</text>${script}</svg>`,
  `<svg ${ns}><text title='">'>x</text><g title="'"/>${script}</svg>`,
  `<!DOCTYPE svg [<!ENTITY x "<script xmlns='http://www.w3.org/2000/svg'>alert(1)</script>">]><svg ${ns}>&x;</svg>`,
  `<!DOCTYPE svg [<!ENTITY lt2 "&#38;#60;"><!ENTITY x "&lt2;script>alert(1)&lt2;/script>">]><svg ${ns}>&x;</svg>`,
  `<!DOCTYPE svg [<!ENTITY x "javascript:alert(1)">]><svg ${ns}><a href="&x;"><text y="20">x</text></a></svg>`,
  `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]><svg ${ns}/>`,
  `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg ${ns}><text y="20">&x;</text></svg>`,
  `<!DOCTYPE svg [<!-- " --><!ENTITY x "]>">]><svg ${ns}>${script}</svg>`,
  `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><svg ${ns}><a href="javascript&colon;alert(1)"><text y="20">x</text></a></svg>`,
  `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><svg ${ns}><xsl:stylesheet id="s" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><h:script ${html}>alert(1)</h:script></xsl:template></xsl:stylesheet></svg>`,
  `<?xml version="1.0"?><?xml-stylesheet href="javascript:alert(1)"?><svg ${ns}/>`,
  `<svg ${ns}><handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">alert(1)</handler></svg>`,
  `<svg ${ns}><use href="data:image/svg+xml,&lt;svg id='x' xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/&gt;#x"/></svg>`,
  `<svg ${ns}><image href="javascript:alert(1)" width="9" height="9"/><feImage href="javascript:alert(1)"/></svg>`,
  `<svg ${ns}><style>@import "javascript:alert(1)"; g { background: url("javascript:alert(1)"); }</style></svg>`,
  `<html xmlns="http://www.w3.org/1999/xhtml"><body onload="alert(1)">${script}</body></html>`,
  Buffer.from(`\ufeff${wide}`, "utf16le"),
  Buffer.from(wide, "utf16le"),
  Buffer.from(wide, "utf16le").swap16(),
  Buffer.from(`\ufeff${wide}`),
  Buffer.from(wide.replace("?>", ' encoding="utf-16"?>')),
  Buffer.from(wide.replace("?>", ' encoding="utf-7"?>').replace("<script", "+ADw-script")),
  Buffer.concat([
    Buffer.from(`<?xml version="1.0"${" ".repeat(300)}encoding="iso-2022-jp"?><svg ${ns}><a title="\u001b$B`),
    Buffer.from(`"\u001b(B"/>${script}<a title="\u001b$B"`),
    Buffer.from('\u001b(B"/></svg>'),
  ]),
];

/** A site that shows and links to each of them, and has them as its logo and favicon. */
export function hostileDrawings(): SiteContents {
  const names = drawings.map((_, i) => `drawings/d${i}.${i % 2 === 0 ? "svg" : "SVG"}`);
  return {
    "docs.json": {
      theme: "mint",
      name: "Drawings",
      colors: { primary: "#0f766e" },
      logo: `/${names[0]}`,
      favicon: `/${names[1]}`,
      navigation: { pages: ["index"] },
    },
    "index.mdx": names
      .map((name) => `![](/${name}) [open](/${name})\n\n<Card img="/${name}" icon="/${name}" title="x" />`)
      .join("\n\n"),
    ...Object.fromEntries(names.map((name, i) => [name, drawings[i]])),
  };
}
