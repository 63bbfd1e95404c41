import * as sample from "./sample-request.js";
import { formEncoded, indent, lines, quoted } from "./text.js";

/** A dollar sign would interpolate a value. */
const str = (text: string): string => quoted(text).replaceAll("$", () => "\\$");

/** A raw string has no escapes. JSON never has three quotes in a row. */
const block = (text: string): string =>
  `"""\n${indent(
    text.toWellFormed().replaceAll("$", () => "${'$'}"),
    4,
  )}\n""".trimIndent()`;

export const kotlin: sample.SampleLanguage["write"] = (request) => {
  const { method, url, headers, body } = request;
  const hasFile = sample.sendsFile(body);
  const imports = [
    hasFile && "java.io.File",
    "okhttp3.*",
    hasFile && "okhttp3.RequestBody.Companion.asRequestBody",
    body !== undefined &&
      (body.kind !== "multipart" || body.parts.some(sample.hasType)) &&
      "okhttp3.MediaType.Companion.toMediaType",
    (body === undefined ? isMethodWithBody(method) : writesText(body)) && "okhttp3.RequestBody.Companion.toRequestBody",
  ].filter((name) => name !== false);
  const { contentType = "application/octet-stream" } = sample.splitHeaders(request);
  const requestBody = body && bodyOf(body, str(contentType));
  const calls = [
    `.url(${str(url)})`,
    `.method(${str(method)}, ${requestBody === undefined ? (isMethodWithBody(method) ? "ByteArray(0).toRequestBody()" : "null") : "body"})`,
    ...headers.map(([name, value]) => `.addHeader(${str(name)}, ${str(value)})`),
    ".build()",
  ];
  return lines(
    imports.sort().map((name) => `import ${name}`),
    "",
    "val client = OkHttpClient()",
    requestBody !== undefined && ["", `val body = ${requestBody}`],
    "",
    `val request = Request.Builder()\n${indent(calls.join("\n"), 4)}`,
    "",
    "client.newCall(request).execute().use { response ->",
    "    println(response.body?.string())",
    "}",
  );
};

const writesText = (body: sample.SampleBody): boolean =>
  body.kind === "multipart"
    ? body.parts.some((part) => sample.hasType(part) && !part.isFile)
    : /^(?:json|text|form)$/.test(body.kind);

const bodyOf = sample.bodyWriter<string, [type: string]>({
  json: (body, type) => `${block(body.text)}.toRequestBody(${type}.toMediaType())`,
  text: (body, type) => `${str(body.text)}.toRequestBody(${type}.toMediaType())`,
  form: (body, type) => `${str(formEncoded(body.fields))}.toRequestBody(${type}.toMediaType())`,
  file: (body, type) => `File(${str(body.fileName)}).asRequestBody(${type}.toMediaType())`,
  multipart: (body) => {
    const parts = body.parts.map(({ name, value, isFile, contentType }) => {
      const type = contentType === undefined ? "" : `${str(contentType)}.toMediaType()`;
      if (isFile) return `.addFormDataPart(${str(name)}, ${str(value)}, File(${str(value)}).asRequestBody(${type}))`;
      return contentType === undefined
        ? `.addFormDataPart(${str(name)}, ${str(value)})`
        : `.addFormDataPart(${str(name)}, null, ${str(value)}.toRequestBody(${type}))`;
    });
    return `MultipartBody.Builder()\n${indent([".setType(MultipartBody.FORM)", ...parts, ".build()"].join("\n"), 4)}`;
  },
});

/** The library requires a body for these. */
const isMethodWithBody = (method: string): boolean => /^(?:POST|PUT|PATCH)$/.test(method);
