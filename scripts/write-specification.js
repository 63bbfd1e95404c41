// Writes the specification of the service's API, as the API itself serves it, into the handbook, which shows it.
import { writeFile } from "node:fs/promises";
import { createApi } from "offprint/service";

const store = {
  jobs: {},
  agents: {},
  accounts: {},
  people: {},
  threads: {},
  views: {},
  erasures: {},
  credentials: {},
  objects: {},
};
const assistant = { indexes: {}, answerer: {} };
const api = createApi({
  store,
  assistant,
  collector: {},
  options: { publicUrl: "http://127.0.0.1:7070", adminToken: "-".repeat(32) },
});
const response = await api.fetch(new Request("http://127.0.0.1:7070/openapi.json"));
const specification = JSON.stringify(await response.json(), null, 2);
await writeFile(new URL("../fixtures/handbook/service/openapi.json", import.meta.url), `${specification}\n`);
