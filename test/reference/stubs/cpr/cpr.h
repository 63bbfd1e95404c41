// Stub of C++ Requests: prints the calls of samples, values in hexadecimal.
#pragma once
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace cpr {
inline void say(const char *name, const std::string &value) {
  std::printf("%s ", name);
  for (unsigned char each : value) std::printf("%02x", each);
  std::printf("\n");
}
struct Url { std::string text; };
struct File { std::string path; };
struct Body {
  std::string text;
  bool isFile = false;
  Body(const char *text) : text(text) {}
  Body(File file) : text(file.path), isFile(true) {}
};
struct Header { std::vector<std::pair<std::string, std::string>> all; Header(std::initializer_list<std::pair<std::string, std::string>> all) : all(all) {} };
struct Part {
  std::string name, value, type;
  bool isFile = false;
  Part(const char *name, const char *value, const char *type = "") : name(name), value(value), type(type) {}
  Part(const char *name, File file, const char *type = "") : name(name), value(file.path), type(type), isFile(true) {}
};
struct Multipart { std::vector<Part> parts; Multipart(std::initializer_list<Part> parts) : parts(parts) {} };
struct Response { std::string text; };
inline void tell(const Url &url) { say("url", url.text); }
inline void tell(const Body &body) { say(body.isFile ? "file" : "body", body.text); }
inline void tell(const Header &header) { for (auto &each : header.all) say("header", each.first + ": " + each.second); }
inline void tell(const Multipart &form) { for (auto &each : form.parts) { say("name", each.name); say(each.isFile ? "file" : "part", each.value); if (!each.type.empty()) say("type", each.type); } }
template <typename... All> Response send(const char *method, const All &...all) { say("method", method); (tell(all), ...); return {}; }
template <typename... All> Response Get(const All &...all) { return send("GET", all...); }
template <typename... All> Response Post(const All &...all) { return send("POST", all...); }
template <typename... All> Response Put(const All &...all) { return send("PUT", all...); }
template <typename... All> Response Patch(const All &...all) { return send("PATCH", all...); }
template <typename... All> Response Delete(const All &...all) { return send("DELETE", all...); }
template <typename... All> Response Head(const All &...all) { return send("HEAD", all...); }
template <typename... All> Response Options(const All &...all) { return send("OPTIONS", all...); }
}  // namespace cpr
