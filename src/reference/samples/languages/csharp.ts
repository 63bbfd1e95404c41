import * as sample from "./sample-request.js";
import { formEncoded, indent, lines, quoted as str } from "./text.js";

const binary = "application/octet-stream";

/** A raw string loses the indentation of its closing quotes. JSON never has three quotes in a row. */
const block = (text: string): string => `"""\n${indent(`${text.toWellFormed()}\n"""`, 4)}`;

export const csharp: sample.SampleLanguage["write"] = (request) => {
  const { method, url, body, challenge } = request;
  const { others, contentType = binary } = sample.splitHeaders(request);
  const options = `new RestClientOptions(${str(url)}) { Credentials = ${credential} }`;
  return lines(
    "using RestSharp;",
    "",
    `var client = new RestClient(${challenge === undefined ? str(url) : options});`,
    `var request = new RestRequest("", ${restMethod(method)});`,
    others.map(([name, value]) => `request.AddHeader(${str(name)}, ${str(value)});`),
    body && restBody(body, str(contentType)),
    "",
    "var response = await client.ExecuteAsync(request);",
    "Console.WriteLine(response.Content);",
  );
};

/** The library answers any challenge of the server with it. */
const credential = 'new System.Net.NetworkCredential("<username>", "<password>")';

const restMethod = (method: string): string =>
  sample.isCommonMethod(method) ? `Method.${sample.capitalized(method)}` : `Enum.Parse<Method>(${str(method)}, true)`;

const restBody = sample.bodyWriter<string[], [type: string]>({
  json: (body, type) => [`request.AddStringBody(${block(body.text)}, ${type});`],
  text: (body, type) => [`request.AddStringBody(${str(body.text)}, ${type});`],
  form: (body) => body.fields.map(([name, value]) => `request.AddParameter(${str(name)}, ${str(value)});`),
  file: (body, type) => [`request.AddBody(File.ReadAllBytes(${str(body.fileName)}), ${type});`],
  multipart: (body) => [
    "request.AlwaysMultipartFormData = true;",
    ...body.parts.map(({ name, value, isFile, contentType }) => {
      const typed = contentType === undefined ? "" : `, ${str(contentType)}`;
      if (isFile) return `request.AddFile(${str(name)}, ${str(value)}${typed});`;
      // Only a file can have a type of its own here.
      return contentType === undefined
        ? `request.AddParameter(${str(name)}, ${str(value)});`
        : `request.AddFile(${str(name)}, System.Text.Encoding.UTF8.GetBytes(${str(value)}), ${str(name)}${typed});`;
    }),
  ],
});

export const dotnet: sample.SampleLanguage["write"] = (request) => {
  const { method, url, body, challenge } = request;
  const { others, contentType = binary } = sample.splitHeaders(request);
  const handler = challenge === undefined ? "" : `new HttpClientHandler { Credentials = ${credential} }`;
  return lines(
    body !== undefined && (body.kind !== "multipart" || body.parts.some(sample.hasType))
      ? "using System.Net.Http.Headers;\n"
      : undefined,
    `using var client = new HttpClient(${handler});`,
    `using var request = new HttpRequestMessage(new HttpMethod(${str(method)}), ${str(url)});`,
    others.map(([name, value]) => `request.Headers.TryAddWithoutValidation(${str(name)}, ${str(value)});`),
    body && `request.Content = new ${httpContent(body)};`,
    body &&
      body.kind !== "multipart" &&
      `request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${str(contentType)});`,
    "",
    "using var response = await client.SendAsync(request);",
    "Console.WriteLine(await response.Content.ReadAsStringAsync());",
  );
};

/** The content of a request. The content of a form sets its own type. */
const httpContent = sample.bodyWriter<string>({
  json: ({ text }) => `StringContent(${block(text)})`,
  text: ({ text }) => `StringContent(${str(text)})`,
  form: ({ fields }) => `StringContent(${str(formEncoded(fields))})`,
  file: ({ fileName }) => `StreamContent(File.OpenRead(${str(fileName)}))`,
  multipart: (body) => {
    const parts = body.parts.map(({ name, value, isFile, contentType }) => {
      const type = contentType && `MediaTypeHeaderValue.Parse(${str(contentType)})`;
      return isFile
        ? `    { new StreamContent(File.OpenRead(${str(value)}))${type ? ` { Headers = { ContentType = ${type} } }` : ""}, ${str(name)}, ${str(value)} },`
        : `    { new StringContent(${str(value)}${type ? `, ${type}` : ""}), ${str(name)} },`;
    });
    return `MultipartFormDataContent\n{\n${parts.join("\n")}\n}`;
  },
});
