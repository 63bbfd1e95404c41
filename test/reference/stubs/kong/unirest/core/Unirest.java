package kong.unirest.core;

import java.io.File;
import java.nio.charset.StandardCharsets;

/** Stub of the library of this name: prints the calls of samples, values in hexadecimal. */
public class Unirest {
  static void say(String name, String value) {
    StringBuilder out = new StringBuilder(name).append(' ');
    for (byte each : value.getBytes(StandardCharsets.UTF_8)) out.append(String.format("%02x", each));
    System.out.println(out);
  }

  public static class Request {
    public Request header(String name, String value) {
      say("header", name + ": " + value);
      return this;
    }

    public Request body(String text) {
      say("body", text);
      return this;
    }

    public Request body(File file) {
      say("file", file.getPath());
      return this;
    }

    public Request multiPartContent() {
      return this;
    }

    public Request field(String name, String value) {
      say("name", name);
      say("part", value);
      return this;
    }

    public Request field(String name, String value, String type) {
      field(name, value);
      say("type", type);
      return this;
    }

    public Request field(String name, File file) {
      say("name", name);
      say("file", file.getPath());
      return this;
    }

    public Request field(String name, File file, String type) {
      field(name, file);
      say("type", type);
      return this;
    }

    public HttpResponse<String> asString() {
      return new HttpResponse<>();
    }
  }

  public static Request request(String method, String url) {
    say("method", method);
    say("url", url);
    return new Request();
  }

  public static Request get(String url) {
    return request("GET", url);
  }

  public static Request post(String url) {
    return request("POST", url);
  }
}
