import type { SampleBody, SampleLanguage } from "./sample-request.js";
import { lines, quoted } from "./text.js";

/** `#{x}`, `#$x` and `#@x` would interpolate values. */
const str = (text: string): string => quoted(text).replace(/#(?=[{$@])/g, "\\#");

export const ruby: SampleLanguage = {
  name: "Ruby",
  keys: ["ruby", "rb"],
  grammar: "ruby",
  write({ method, url, headers, body }) {
    const known = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE)$/.test(method);
    const kind = `${method[0]}${method.slice(1).toLowerCase()}`;
    return lines(
      'require "net/http"',
      'require "uri"',
      "",
      `uri = URI(${str(url)})`,
      known
        ? `request = Net::HTTP::${kind}.new(uri)`
        : `request = Net::HTTPGenericRequest.new(${str(method)}, true, true, uri)`,
      headers.map(([name, value]) => `request[${str(name)}] = ${str(value)}`),
      body && bodyOf(body),
      "",
      'response = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == "https") do |http|',
      "  http.request(request)",
      "end",
      "",
      "puts response.body",
    );
  },
};

function bodyOf(body: SampleBody): string[] {
  switch (body.kind) {
    case "json":
      return [`request.body = <<~'JSON'\n${body.text}\nJSON`];
    case "text":
      return [`request.body = ${str(body.text)}`];
    case "file":
      return [`request.body = File.binread(${str(body.fileName)})`];
    case "form":
      return [
        `request.set_form_data([${body.fields.map(([name, value]) => `[${str(name)}, ${str(value)}]`).join(", ")}])`,
      ];
    case "multipart": {
      const parts = body.parts.map(({ name, value, isFile, contentType }) => {
        // Only a file can have a type of its own here.
        const own = isFile ? "" : ` filename: ${str(name)},`;
        const type = contentType === undefined ? "" : `, {${own} content_type: ${str(contentType)} }`;
        return `  [${str(name)}, ${isFile ? `File.open(${str(value)})` : str(value)}${type}],`;
      });
      return [`request.set_form([\n${parts.join("\n")}\n], "multipart/form-data")`];
    }
  }
}
