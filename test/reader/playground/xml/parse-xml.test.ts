import assert from "node:assert/strict";
import { test } from "vitest";
import { parseXml, type XmlElement } from "../../../../src/reader/playground/xml/parse-xml.js";

/** `{namespace}name[attributes](children)"text"` */
const shown = ({ namespace, name, attributes, children, text }: XmlElement): string => {
  const named = (uri: string, local: string): string => (uri === "" ? local : `{${uri}}${local}`);
  const own = attributes.map(([uri, local, value]) => `${named(uri, local)}=${value}`);
  return `${named(namespace, name)}${own.length > 0 ? `[${own}]` : ""}${children.length > 0 ? `(${children.map(shown)})` : ""}${text.trim() === "" ? "" : JSON.stringify(text.trim())}`;
};

const documents = [
  ["<a/>", "a"],
  ['\ufeff<?xml version="1.0"?>\n<!-- c --><a >x</a >\n', 'a"x\\u0000"'],
  [`<a b='1' c = "&lt;&#65;&#x42;&amp;"><d/>t<d>u</d></a>`, 'a[b=1,c=<AB&](d,d"u")"t"'],
  ["<a><![CDATA[<b>&amp;]]></a>", 'a"<b>&amp;"'],
  ['<p:a xmlns:p="u" xmlns="v" p:x="1" y="2"><b/><c xmlns=""/></p:a>', "{u}a[{u}x=1,y=2]({v}b,c)"],
  ['<a xml:lang="en"/>', "a[{http://www.w3.org/XML/1998/namespace}lang=en]"],
] as const;
for (const [text, expected] of documents) test(`reads ${text}`, () => assert.equal(shown(parseXml(text)), expected));

const faulty = [
  ["", ""],
  ["a", "a"],
  ["<a>", "<a>"],
  ["<a></b>", "</b>"],
  ["<a/><b/>", "<b/>"],
  ["<a/>b", "b"],
  ["<a b=1/>", "<a b=1/>"],
  ['<a b="1" b="2"/>', '<a b="1" b="2"/>'],
  ["<a>&b;</a>", "&b;"],
  ["<a>&constructor;</a>", "&constructor;"],
  ["<a>&</a>", "&"],
  ["<a>&#x110000;</a>", "&#x110000;"],
  ["<p:a/>", "<p:a/>"],
  ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', '<!DOCTYPE a [<!ENTITY b "c">]><a/>'],
  ["<a>".repeat(300), "<a>"],
] as const;
for (const [text, fault] of faulty)
  test(`refuses ${text.slice(0, 60)}`, () =>
    assert.throws(
      () => parseXml(text),
      (error) => error instanceof SyntaxError && error.message === fault,
    ));
