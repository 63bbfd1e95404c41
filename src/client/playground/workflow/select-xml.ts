/** What an XPath 1.0 expression, the version that browsers have, gives for a text: a list for several nodes. */
export function selectXml(xml: string, path: string): string | number | boolean | string[] | undefined {
  const document = new DOMParser().parseFromString(xml, "application/xml");
  if (document.querySelector("parsererror")) throw new Error("XML");
  const found = document.evaluate(path, document, null, XPathResult.ANY_TYPE);
  if (found.resultType === XPathResult.BOOLEAN_TYPE) return found.booleanValue;
  if (found.resultType === XPathResult.NUMBER_TYPE) return found.numberValue;
  if (found.resultType === XPathResult.STRING_TYPE) return found.stringValue;
  const nodes: string[] = [];
  for (let node = found.iterateNext(); node; node = found.iterateNext()) nodes.push(node.textContent ?? "");
  return nodes.length > 1 ? nodes : nodes[0];
}
