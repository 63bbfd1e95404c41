import { expect, test } from "vitest";
import { isBelowPrefix, parsePrefix, SourceFault } from "../../../src/service/git/checkout/index.js";

const below: readonly (readonly [url: string, prefix: string])[] = [
  ["https://git.example/acme/docs.git", "https://git.example/acme/"],
  ["https://GIT.example:443/acme/docs.git", "https://git.example/acme/"],
  ["https://git.example/acme/docs.git", "https://git.example/"],
  ["https://git.example/acme/docs.git", "https://git.example/acme/docs.git/"],
  ["https://git.example/acme/docs.git", "https://git.example/acme/docs/"],
  ["https://git.example/a%20b/docs", "https://git.example/a%20b/"],
  ["https://git.example/%61cme/docs", "https://git.example/acme/"],
  ["https://git.example:8443/acme/docs", "https://git.example:8443/acme/"],
  ["https://git.example/x/../acme/docs", "https://git.example/acme/"],
  ["ssh://git@Git.example/team/docs.git", "ssh://git@git.example/team/"],
  ["ssh://git@git.example:22/team/docs.git", "ssh://git@git.example/team/"],
  ["ssh://git@[2001:db8::1]:2222/~me/docs.git", "ssh://git@[2001:db8::1]:2222/~me/"],
];
for (const [url, prefix] of below)
  test(`${url} is below ${prefix}`, () => expect(isBelowPrefix(url, parsePrefix(prefix))).toBe(true));

const elsewhere: readonly (readonly [url: string, prefix: string])[] = [
  ["https://git.example/acme-evil/docs", "https://git.example/acme/"],
  ["https://git.example/acmeevil", "https://git.example/acme/"],
  ["https://git.example/acme.git/docs", "https://git.example/acme/"],
  ["https://git.example/", "https://git.example/acme/"],
  ["https://git.example/ACME/docs", "https://git.example/acme/"],
  ["https://git.example/acme/../evil/docs", "https://git.example/acme/"],
  ["https://git.example/acme/%2e%2e/evil/docs", "https://git.example/acme/"],
  ["https://git.example/acme/..%2fevil/docs", "https://git.example/acme/"],
  ["https://git.example/acme%2fdocs", "https://git.example/acme/"],
  ["https://git.example/acme/%252e%252e/evil", "https://git.example/acme/"],
  ["https://git.example/acme/%5c..%5cevil", "https://git.example/acme/"],
  ["https://git.example/acme/..;/evil", "https://git.example/acme/"],
  ["https://git.example/acme//docs", "https://git.example/acme/"],
  ["https://git.example//acme/docs", "https://git.example/acme/"],
  ["https://git.example/acme/%00docs", "https://git.example/acme/"],
  ["https://git.example/acme/%ff", "https://git.example/acme/"],
  ["https://git.example/acme/docs?x", "https://git.example/acme/"],
  ["https://git.example.evil.example/acme/docs", "https://git.example/acme/"],
  ["https://git.example./acme/docs", "https://git.example/acme/"],
  ["https://evil.example/git.example/acme/docs", "https://git.example/acme/"],
  ["https://git.example@evil.example/acme/docs", "https://git.example/acme/"],
  ["https://me@git.example/acme/docs", "https://git.example/acme/"],
  ["https://git.example:8443/acme/docs", "https://git.example/acme/"],
  ["http://git.example/acme/docs", "https://git.example/acme/"],
  ["ssh://git.example/acme/docs", "https://git.example/acme/"],
  ["ssh://other@git.example/team/docs", "ssh://git@git.example/team/"],
  ["ssh://git.example/team/docs", "ssh://git@git.example/team/"],
  ["ssh://git@git.example:2222/team/docs", "ssh://git@git.example/team/"],
  ["ssh://git@git.example/team/../evil/docs", "ssh://git@git.example/team/"],
  ["ssh://git@git.example/teams/docs", "ssh://git@git.example/team/"],
  ["file:///acme/docs", "https://git.example/acme/"],
  ["not an address", "https://git.example/acme/"],
];
for (const [url, prefix] of elsewhere)
  test(`${url} is not below ${prefix}`, () => expect(isBelowPrefix(url, parsePrefix(prefix))).toBe(false));

const written: readonly (readonly [text: string, prefix: string])[] = [
  ["https://GitHub.com/acme", "https://github.com/acme/"],
  ["https://github.com:443/acme/", "https://github.com/acme/"],
  ["https://git.example", "https://git.example/"],
  ["https://git.example/a%20b", "https://git.example/a%20b/"],
  ["ssh://git@Host.example:22/team", "ssh://git@host.example/team/"],
  ["ssh://git@host.example:2222/~me/docs.git", "ssh://git@host.example:2222/~me/docs.git/"],
];
for (const [text, prefix] of written)
  test(`the prefix ${text} is ${prefix}`, () => {
    expect(parsePrefix(text)).toBe(prefix);
    expect(parsePrefix(prefix)).toBe(prefix);
  });

const refused: readonly (readonly [text: string, message: RegExp])[] = [
  ["", /start it with https:\/\/ or ssh:\/\//],
  ["github.com/acme", /start it with https/],
  ["http://git.example/acme/", /start it with https/],
  ["file:///srv/git/", /start it with https/],
  ["https://git.example\\acme/", /start it with https/],
  ["https://me@git.example/", /remove the user name and password/],
  ["https://me:secret@git.example/", /remove the user name and password/],
  ["ssh://git:secret@git.example/", /remove the user name and password/],
  ["https://git.example/acme?x", /remove the query and the fragment/],
  ["https://git.example/acme#x", /remove the query and the fragment/],
  ["https://git.example/a/../b/", /write its path without "\.\."/],
  ["https://git.example/a/%2E%2e/b/", /write its path without "\.\."/],
  ["https://git.example/a%2fb/", /write its path without/],
  ["https://git.example/a//b/", /write its path without/],
  ["ssh:///team/", /write the host/],
];
for (const [text, message] of refused)
  test(`${text || "an empty text"} is not a prefix`, () => {
    expect(() => parsePrefix(text)).toThrow(message);
    expect(() => parsePrefix(text)).toThrow(SourceFault);
    expect(() => parsePrefix(text)).not.toThrow(/secret/);
  });
