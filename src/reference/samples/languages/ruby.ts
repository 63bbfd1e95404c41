import { bodyWriter, capitalized, type SampleLanguage } from "./sample-request.js";
import { lines, quoted } from "./text.js";

/** `#{x}`, `#$x` and `#@x` would interpolate values. */
const str = (text: string): string => quoted(text).replace(/#(?=[{$@])/g, "\\#");

export const ruby: SampleLanguage["write"] = ({ method, url, headers, body }) => {
  const hasClass = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE)$/.test(method);
  return lines(
    'require "net/http"',
    'require "uri"',
    "",
    `uri = URI(${str(url)})`,
    hasClass
      ? `request = Net::HTTP::${capitalized(method)}.new(uri)`
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
};

const bodyOf = bodyWriter<string[]>({
  json: (body) => [`request.body = <<~'JSON'\n${body.text}\nJSON`],
  text: (body) => [`request.body = ${str(body.text)}`],
  file: (body) => [`request.body = File.binread(${str(body.fileName)})`],
  form: (body) => [
    `request.set_form_data([${body.fields.map(([name, value]) => `[${str(name)}, ${str(value)}]`).join(", ")}])`,
  ],
  multipart: (body) => {
    const parts = body.parts.map(({ name, value, isFile, contentType }) => {
      // Only a file can have a type of its own here.
      const fileName = isFile ? "" : ` filename: ${str(name)},`;
      const type = contentType === undefined ? "" : `, {${fileName} content_type: ${str(contentType)} }`;
      return `  [${str(name)}, ${isFile ? `File.open(${str(value)})` : str(value)}${type}],`;
    });
    return [`request.set_form([\n${parts.join("\n")}\n], "multipart/form-data")`];
  },
});
