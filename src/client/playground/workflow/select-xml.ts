function parseXml(xml: string): Document {
  const document = new DOMParser().parseFromString(xml, "application/xml");
  if (document.querySelector("parsererror")) throw new Error("XML");
  return document;
}

/** The text with another value in each element or attribute that an XPath leads to; as it is, if one cannot be read. */
export function replaceXml(xml: string, path: string, value: string): string {
  try {
    const document = parseXml(xml);
    const found = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
    for (let i = 0; i < found.snapshotLength; i++) found.snapshotItem(i)!.textContent = value;
    const [declaration] = /^\s*<\?xml\s.*?\?>\s*/s.exec(xml) ?? [""];
    return declaration + new XMLSerializer().serializeToString(document).replace(/^<\?xml\s.*?\?>\s*/s, "");
  } catch {
    return xml;
  }
}

/** What an XPath 1.0 expression, the version that browsers have, gives for a text: a list for several nodes. */
export function selectXml(xml: string, path: string): string | number | boolean | string[] | undefined {
  const document = parseXml(xml);
  const found = document.evaluate(path, document, null, XPathResult.ANY_TYPE);
  if (found.resultType === XPathResult.BOOLEAN_TYPE) return found.booleanValue;
  if (found.resultType === XPathResult.NUMBER_TYPE) return found.numberValue;
  if (found.resultType === XPathResult.STRING_TYPE) return found.stringValue;
  const nodes: string[] = [];
  for (let node = found.iterateNext(); node; node = found.iterateNext()) nodes.push(node.textContent ?? "");
  return nodes.length > 1 ? nodes : nodes[0];
}
