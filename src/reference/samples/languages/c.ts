import { bodyWriter, type SampleLanguage } from "./sample-request.js";
import { formEncoded, indent, lines, octal, quoted } from "./text.js";

/** C++ writes strings in the same way. */
export const octalQuoted = (text: string): string =>
  quoted(
    text,
    octal(0x7f, (code) => String.fromCharCode(Number.parseInt(code, 16))),
  );

/** Two question marks in a row would begin a trigraph. */
const str = (text: string): string => octalQuoted(text).replace(/\?(?=\?)/g, "?\\");

/** One string for each line, which the compiler joins. */
const block = (text: string): string =>
  text
    .split("\n")
    .map((line, i, all) => str(i < all.length - 1 ? `${line}\n` : line))
    .join("\n");

export const c: SampleLanguage["write"] = ({ method, url, headers, body, challenge }) => {
  const { before = [], after = [] } = body ? bodyOf(body) : {};
  const main = lines(
    "CURL *curl = curl_easy_init();",
    "if (!curl) return 1;",
    "",
    `curl_easy_setopt(curl, CURLOPT_URL, ${str(url)});`,
    // Other options would wait for a body, which never comes.
    method === "HEAD"
      ? "curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);"
      : `curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, ${str(method)});`,
    challenge !== undefined && [
      `curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_${challenge.toUpperCase()});`,
      'curl_easy_setopt(curl, CURLOPT_USERPWD, "<username>:<password>");',
    ],
    headers.length > 0 && [
      "",
      "struct curl_slist *headers = NULL;",
      ...headers.map(
        ([name, value]) =>
          `headers = curl_slist_append(headers, ${str(value === "" ? `${name};` : `${name}: ${value}`)});`,
      ),
      "curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);",
    ],
    before.length > 0 && ["", ...before],
    "",
    "CURLcode result = curl_easy_perform(curl);",
    "",
    after,
    headers.length > 0 && "curl_slist_free_all(headers);",
    "curl_easy_cleanup(curl);",
    "return (int)result;",
  );
  return lines(
    body?.kind === "file" ? "#include <stdio.h>" : undefined,
    "#include <curl/curl.h>",
    "",
    `int main(void) {\n${indent(main, 2)}\n}`,
  );
};

const textOf = ({ text }: { readonly text: string }) => ({
  before: [`const char *body =\n${indent(block(text), 2)};`, "curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);"],
});

const bodyOf = bodyWriter<{ readonly before: readonly string[]; readonly after?: readonly string[] }>({
  json: textOf,
  text: textOf,
  form: (body) => ({ before: [`curl_easy_setopt(curl, CURLOPT_POSTFIELDS, ${str(formEncoded(body.fields))});`] }),
  file: (body) => ({
    before: [
      `FILE *file = fopen(${str(body.fileName)}, "rb");`,
      "if (!file) return 1;",
      "curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);",
      "curl_easy_setopt(curl, CURLOPT_READDATA, file);",
    ],
    after: ["fclose(file);"],
  }),
  multipart: (body) => {
    const parts = body.parts.flatMap(({ name, value, isFile, contentType }) => [
      "part = curl_mime_addpart(form);",
      `curl_mime_name(part, ${str(name)});`,
      isFile
        ? `curl_mime_filedata(part, ${str(value)});`
        : `curl_mime_data(part, ${str(value)}, CURL_ZERO_TERMINATED);`,
      ...(contentType === undefined ? [] : [`curl_mime_type(part, ${str(contentType)});`]),
    ]);
    return {
      before: [
        "curl_mime *form = curl_mime_init(curl);",
        "curl_mimepart *part;",
        ...parts,
        "curl_easy_setopt(curl, CURLOPT_MIMEPOST, form);",
      ],
      after: ["curl_mime_free(form);"],
    };
  },
});
