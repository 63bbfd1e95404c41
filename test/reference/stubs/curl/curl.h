/* Stub of libcurl: prints the calls of samples, values in hexadecimal. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct CURL { int unused; } CURL;
typedef int CURLcode;
typedef struct curl_mime { int unused; } curl_mime;
typedef struct curl_mimepart { int unused; } curl_mimepart;
struct curl_slist { char *data; struct curl_slist *next; };
#define CURL_ZERO_TERMINATED ((size_t)-1)
enum { CURLOPT_URL, CURLOPT_CUSTOMREQUEST, CURLOPT_HTTPHEADER, CURLOPT_POSTFIELDS, CURLOPT_UPLOAD, CURLOPT_READDATA, CURLOPT_MIMEPOST };

static void say(const char *name, const char *value) {
  printf("%s ", name);
  for (; *value; value++) printf("%02x", (unsigned char)*value);
  printf("\n");
}
static CURL *curl_easy_init(void) { return calloc(1, sizeof(CURL)); }
static CURLcode curl_easy_setopt(CURL *curl, int option, ...) {
  va_list list;
  (void)curl;
  va_start(list, option);
  if (option == CURLOPT_URL) say("url", va_arg(list, char *));
  else if (option == CURLOPT_CUSTOMREQUEST) say("method", va_arg(list, char *));
  else if (option == CURLOPT_POSTFIELDS) say("body", va_arg(list, char *));
  else if (option == CURLOPT_HTTPHEADER)
    for (struct curl_slist *each = va_arg(list, struct curl_slist *); each; each = each->next) say("header", each->data);
  va_end(list);
  return 0;
}
static struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
  struct curl_slist *made = calloc(1, sizeof *made);
  struct curl_slist *last = list;
  made->data = strcpy(malloc(strlen(text) + 1), text);
  if (!list) return made;
  while (last->next) last = last->next;
  last->next = made;
  return list;
}
static void curl_slist_free_all(struct curl_slist *list) { (void)list; }
static CURLcode curl_easy_perform(CURL *curl) { (void)curl; return 0; }
static void curl_easy_cleanup(CURL *curl) { (void)curl; }
static curl_mime *curl_mime_init(CURL *curl) { (void)curl; return calloc(1, sizeof(curl_mime)); }
static curl_mimepart *curl_mime_addpart(curl_mime *form) { (void)form; return calloc(1, sizeof(curl_mimepart)); }
static void curl_mime_name(curl_mimepart *part, const char *name) { (void)part; say("name", name); }
static void curl_mime_data(curl_mimepart *part, const char *data, size_t size) { (void)part; (void)size; say("part", data); }
static void curl_mime_filedata(curl_mimepart *part, const char *name) { (void)part; say("file", name); }
static void curl_mime_type(curl_mimepart *part, const char *type) { (void)part; say("type", type); }
static void curl_mime_free(curl_mime *form) { (void)form; }
