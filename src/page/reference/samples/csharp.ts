import {
  contentTypeOf,
  hasType,
  isCommonMethod,
  type SampleLanguage,
  type SampleRequest,
  withoutContentType,
} from "./sample-request.js";
import { formEncoded, indent, lines, quoted } from "./text.js";

const str = (text: string): string => quoted(text);

/** A raw string: the lines lose the blanks that stand before the closing quotes. JSON never holds three in a row. */
const block = (text: string): string => `"""\n${indent(`${text.toWellFormed()}\n"""`, 4)}`;

export const csharp: SampleLanguage = {
  name: "C#",
  keys: ["csharp", "c#", "cs"],
  grammar: "csharp",
  write(request) {
    const { method, url } = request;
    return lines(
      "using RestSharp;",
      "",
      `var client = new RestClient(${str(url)});`,
      `var request = new RestRequest("", ${restMethod(method)});`,
      withoutContentType(request).map(([name, value]) => `request.AddHeader(${str(name)}, ${str(value)});`),
      restBody(request),
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

function restBody(request: SampleRequest): string[] {
  const { body } = request;
  const type = str(contentTypeOf(request));
  switch (body?.kind) {
    case undefined:
      return [];
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
          // Only a file has a type of its own here.
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
    return lines(
      body !== undefined && (body.kind !== "multipart" || body.parts.some(hasType))
        ? "using System.Net.Http.Headers;\n"
        : undefined,
      "using var client = new HttpClient();",
      `using var request = new HttpRequestMessage(new HttpMethod(${str(method)}), ${str(url)});`,
      withoutContentType(request).map(
        ([name, value]) => `request.Headers.TryAddWithoutValidation(${str(name)}, ${str(value)});`,
      ),
      httpBody(request),
      "",
      "using var response = await client.SendAsync(request);",
      "Console.WriteLine(await response.Content.ReadAsStringAsync());",
    );
  },
};

function httpBody(request: SampleRequest): string[] {
  const { body } = request;
  const type = `request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${str(contentTypeOf(request))});`;
  switch (body?.kind) {
    case undefined:
      return [];
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
