import {
  bodyWriter,
  type SampleLanguage,
  type SampleRequest,
} from "../../reference/samples/languages/sample-request.js";

const unknown = { httpVersion: "HTTP/1.1", cookies: [], headersSize: -1, bodySize: -1 };
const named = ([name, value]: readonly [string, string]) => ({ name, value });

/** The request as an HTTP archive (HAR 1.2), which tools for HTTP open. It was not sent, so its response is empty. */
export const har: SampleLanguage = {
  name: "HAR",
  keys: [],
  grammar: "json",
  write({ method, url, headers, body }) {
    const request = {
      ...unknown,
      method,
      url,
      headers: headers.map(named),
      queryString: [...new URLSearchParams(url.split(/\?(.*)/s)[1] ?? "")].map(named),
      ...(body && { postData: { mimeType: typeOf(headers, body.kind), ...postData(body) } }),
    };
    const response = {
      ...unknown,
      status: 0,
      statusText: "",
      headers: [],
      content: { size: 0, mimeType: "" },
      redirectURL: "",
    };
    const entry = {
      startedDateTime: new Date().toISOString(),
      time: 0,
      request,
      response,
      cache: {},
      timings: { send: 0, wait: 0, receive: 0 },
    };
    const log = { version: "1.2", creator: { name: "Offprint", version: "1" }, entries: [entry] };
    return JSON.stringify({ log }, undefined, 2);
  },
};

const typeOf = (headers: SampleRequest["headers"], kind: string): string =>
  headers.find(([name]) => /^content-type$/i.test(name))?.[1] ??
  (kind === "multipart" ? "multipart/form-data" : "application/octet-stream");

const postData = bodyWriter<object>({
  json: ({ text }) => ({ text }),
  text: ({ text }) => ({ text }),
  form: ({ fields }) => ({ params: fields.map(named) }),
  multipart: ({ parts }) => ({
    params: parts.map(({ name, value, isFile, contentType }) => ({
      name,
      ...(isFile ? { fileName: value } : { value }),
      ...(contentType && { contentType }),
    })),
  }),
  file: () => ({ text: "" }),
});
