import { expect, test } from "vitest";
import { openapi, readJson } from "../read-text.js";

const paths = { "/trees": { get: { responses: { 200: { description: "Done" } } } } };
const faultsOf = (document: object) => readJson(document).diagnostics.map(({ what, fix }) => [what, fix]);

test.each([
  ["https://https://api.acme.com", "has two schemes", "https://api.acme.com"],
  ["http//api.acme.com", 'needs "://" after its scheme', "http://api.acme.com"],
  ["https:/api.acme.com", 'needs "://" after its scheme', "https://api.acme.com"],
  ["wss:api.acme.com", 'needs "://" after its scheme', "wss://api.acme.com"],
  ["htps://api.acme.com", "has a misspelt scheme", "https://api.acme.com"],
  ["api.acme.co.uk/v1", "has no scheme, so requests would go to a path of the site", "https://api.acme.co.uk/v1"],
  ["10.0.0.1:8080", "has no scheme, so requests would go to a path of the site", "https://10.0.0.1:8080"],
  ["localhost:3000", "has no scheme, so requests would go to a path of the site", "http://localhost:3000"],
  [
    "//api.acme.com",
    "has no scheme, so it leads nowhere from a bundle that is opened as a file",
    "https://api.acme.com",
  ],
  ["https://api .acme.com", "has a space in its host", "https://api.acme.com"],
  ["https://me:secret@acme.com", "contains credentials, with which browsers send no request", "https://acme.com"],
  ["https://acme.com/{version", "has a brace that is not closed", "https://acme.com/{version}"],
  [
    "https://acme.com/v1?key=1",
    "has a query or a fragment, to which requests would add their path",
    "https://acme.com/v1",
  ],
])("the URL %s of a server is reported with the URL to write", (url, problem, right) => {
  expect(faultsOf(openapi({ servers: [{ url }], paths }))).toEqual([
    [`The URL of a server is "${url}", which ${problem}.`, `write "${right}".`],
  ]);
});

test("relative URLs, versions and other schemes are not reported", () => {
  const urls = [
    "/",
    "/v1",
    "api/v1",
    "v1.0/api",
    "index.php/api",
    "http://[::1]:80",
    "ftp://acme.com",
    "https://acme.com:8443/",
  ];
  expect(faultsOf(openapi({ servers: urls.map((url) => ({ url })), paths }))).toEqual([]);
});

test("a default of a server variable that its enum lacks is reported", () => {
  const variables = { region: { enum: ["eu", "us"], default: "ue" } };
  expect(faultsOf(openapi({ servers: [{ url: "https://{region}.acme.com", variables }], paths }))).toEqual([
    [
      'The default of the server variable "region" is "ue", which is not in its "enum".',
      'write "eu", or add "ue" to "enum".',
    ],
  ]);
});

test("a scheme in the host of Swagger 2.0 is reported with the host to write, and a base path gets its slash", () => {
  const swagger = (parts: object) => ({ swagger: "2.0", info: { title: "Trees", version: "1" }, ...parts, paths });
  expect(faultsOf(swagger({ host: "https://api.acme.com", basePath: "/v1" }))).toEqual([
    [
      'The URL of a server is "https://https://api.acme.com/v1", which has two schemes.',
      'write "host": "api.acme.com".',
    ],
  ]);
  const { spec } = readJson(swagger({ host: "api.acme.com", basePath: "v1", schemes: ["HTTPS"] }));
  expect(spec?.document["servers"]).toEqual([{ url: "https://api.acme.com/v1" }]);
});
