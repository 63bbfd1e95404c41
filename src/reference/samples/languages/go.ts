import * as sample from "./sample-request.js";
import { formEncoded, lines, partDisposition, prefixLines, quoted as str } from "./text.js";

/** A raw string between backticks, which has no escapes and cannot contain a backtick. */
const raw = (text: string): string => (/[`\r\0\ufeff]/.test(text) ? str(text) : `\`${text}\``);

export const go: sample.SampleLanguage["write"] = ({ method, url, headers, body }) => {
  const { imports = [], before = undefined } = body ? bodyOf(body) : {};
  const reader = body === undefined ? "nil" : body.kind === "multipart" ? "&payload" : "payload";
  const all = [...new Set(["fmt", "io", "net/http", ...imports])].sort();
  const main = lines(
    `url := ${str(url)}`,
    before && ["", ...before],
    "",
    `req, err := http.NewRequest(${str(method)}, url, ${reader})`,
    "if err != nil {\n\tpanic(err)\n}",
    headers.map(([name, value]) => `req.Header.Set(${str(name)}, ${str(value)})`),
    body?.kind === "multipart" && `req.Header.Set("Content-Type", form.FormDataContentType())`,
    "",
    "res, err := http.DefaultClient.Do(req)",
    "if err != nil {\n\tpanic(err)\n}",
    "defer res.Body.Close()",
    "",
    "data, err := io.ReadAll(res.Body)",
    "if err != nil {\n\tpanic(err)\n}",
    "fmt.Println(string(data))",
  );
  return lines(
    "package main",
    "",
    `import (\n${all.map((name) => `\t"${name}"`).join("\n")}\n)`,
    "",
    `func main() {\n${tabbed(main, body)}\n}`,
  );
};

/** Lines of a raw string must not be indented. */
function tabbed(main: string, body: sample.SampleRequest["body"]): string {
  const text = body?.kind === "json" || body?.kind === "text" ? raw(body.text) : undefined;
  const tabs = (part: string): string => prefixLines(part, "\t");
  if (text === undefined || !text.includes("\n")) return tabs(main);
  const at = main.indexOf(text);
  // Code after the raw string is on its last line.
  return tabs(main.slice(0, at)) + text + main.slice(at + text.length).replace(/\n(?=.)/g, "\n\t");
}

const fromString = (literal: string) => ({
  imports: ["strings"],
  before: [`payload := strings.NewReader(${literal})`],
});

const bodyOf = sample.bodyWriter<{ readonly imports: readonly string[]; readonly before: readonly string[] }>({
  json: ({ text }) => fromString(raw(text)),
  text: ({ text }) => fromString(raw(text)),
  form: ({ fields }) => fromString(str(formEncoded(fields))),
  file: (body) => ({
    imports: ["os"],
    before: [`payload, err := os.Open(${str(body.fileName)})`, "if err != nil {\n\tpanic(err)\n}"],
  }),
  multipart: (body) => {
    const parts = body.parts.flatMap((part, i) => {
      const { name, value, isFile } = part;
      if (isFile)
        return [
          `file${i}, err := os.Open(${str(value)})`,
          "if err != nil {\n\tpanic(err)\n}",
          `part${i}, _ := form.${sample.hasType(part) ? typedPart(part) : `CreateFormFile(${str(name)}, ${str(value)})`}`,
          `io.Copy(part${i}, file${i})`,
        ];
      return sample.hasType(part)
        ? [`part${i}, _ := form.${typedPart(part)}`, `io.WriteString(part${i}, ${str(value)})`]
        : [`form.WriteField(${str(name)}, ${str(value)})`];
    });
    return {
      imports: [
        "bytes",
        "mime/multipart",
        ...(body.parts.some(sample.hasType) ? ["net/textproto"] : []),
        ...(sample.sendsFile(body) ? ["os"] : []),
      ],
      before: ["var payload bytes.Buffer", "form := multipart.NewWriter(&payload)", ...parts, "form.Close()"],
    };
  },
});

const typedPart = (part: sample.SamplePart): string =>
  [
    "CreatePart(textproto.MIMEHeader{",
    `\t"Content-Disposition": {${str(partDisposition(part))}},`,
    `\t"Content-Type":        {${str(part.contentType!)}},`,
    "})",
  ].join("\n");
