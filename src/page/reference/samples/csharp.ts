import { hasType, isCommonMethod, type SampleBody, type SampleLanguage, splitHeaders } from "./sample-request.js";
import { formEncoded, indent, lines, quoted } from "./text.js";

const str = (text: string): string => quoted(text);
const binary = "application/octet-stream";

/** A raw string loses the indentation of its closing quotes. JSON never has three quotes in a row. */
const block = (text: string): string => `"""\n${indent(`${text.toWellFormed()}\n"""`, 4)}`;

export const csharp: SampleLanguage = {
  name: "C#",
  keys: ["csharp", "c#", "cs"],
  grammar: "csharp",
  write(request) {
    const { method, url, body } = request;
    const { others, contentType = binary } = splitHeaders(request);
    return lines(
      "using RestSharp;",
      "",
      `var client = new RestClient(${str(url)});`,
      `var request = new RestRequest("", ${restMethod(method)});`,
      others.map(([name, value]) => `request.AddHeader(${str(name)}, ${str(value)});`),
      body && restBody(body, str(contentType)),
      "",
      "var response = await client.ExecuteAsync(request);",
      "Console.WriteLine(response.Content);",
    );
  },
};

const restMethod = (method: string): string =>
  isCommonMethod(method)
    ? `Method.${method[0]}${method.slice(1).toLowerCase()}`
    : `Enum.Parse<Method>(${str(method)}, true)`;

function restBody(body: SampleBody, type: string): string[] {
  switch (body.kind) {
    case "json":
      return [`request.AddStringBody(${block(body.text)}, ${type});`];
    case "text":
      return [`request.AddStringBody(${str(body.text)}, ${type});`];
    case "form":
      return body.fields.map(([name, value]) => `request.AddParameter(${str(name)}, ${str(value)});`);
    case "file":
      return [`request.AddBody(File.ReadAllBytes(${str(body.fileName)}), ${type});`];
    case "multipart":
      return [
        "request.AlwaysMultipartFormData = true;",
        ...body.parts.map(({ name, value, isFile, contentType }) => {
          const typed = contentType === undefined ? "" : `, ${str(contentType)}`;
          if (isFile) return `request.AddFile(${str(name)}, ${str(value)}${typed});`;
          // Only a file can have a type of its own here.
          return contentType === undefined
            ? `request.AddParameter(${str(name)}, ${str(value)});`
            : `request.AddFile(${str(name)}, System.Text.Encoding.UTF8.GetBytes(${str(value)}), ${str(name)}${typed});`;
        }),
      ];
  }
}

export const dotnet: SampleLanguage = {
  name: ".NET",
  keys: ["dotnet", ".net", "dot-net"],
  grammar: "dotnet",
  write(request) {
    const { method, url, body } = request;
    const { others, contentType = binary } = splitHeaders(request);
    return lines(
      body !== undefined && (body.kind !== "multipart" || body.parts.some(hasType))
        ? "using System.Net.Http.Headers;\n"
        : undefined,
      "using var client = new HttpClient();",
      `using var request = new HttpRequestMessage(new HttpMethod(${str(method)}), ${str(url)});`,
      others.map(([name, value]) => `request.Headers.TryAddWithoutValidation(${str(name)}, ${str(value)});`),
      body && httpBody(body, str(contentType)),
      "",
      "using var response = await client.SendAsync(request);",
      "Console.WriteLine(await response.Content.ReadAsStringAsync());",
    );
  },
};

function httpBody(body: SampleBody, contentType: string): string[] {
  const type = `request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${contentType});`;
  switch (body.kind) {
    case "json":
      return [`request.Content = new StringContent(${block(body.text)});`, type];
    case "text":
      return [`request.Content = new StringContent(${str(body.text)});`, type];
    case "form":
      return [`request.Content = new StringContent(${str(formEncoded(body.fields))});`, type];
    case "file":
      return [`request.Content = new StreamContent(File.OpenRead(${str(body.fileName)}));`, type];
    case "multipart": {
      const parts = body.parts.map(({ name, value, isFile, contentType }) => {
        const type = contentType && `MediaTypeHeaderValue.Parse(${str(contentType)})`;
        return isFile
          ? `    { new StreamContent(File.OpenRead(${str(value)}))${type ? ` { Headers = { ContentType = ${type} } }` : ""}, ${str(name)}, ${str(value)} },`
          : `    { new StringContent(${str(value)}${type ? `, ${type}` : ""}), ${str(name)} },`;
      });
      return [`request.Content = new MultipartFormDataContent\n{\n${parts.join("\n")}\n};`];
    }
  }
}
