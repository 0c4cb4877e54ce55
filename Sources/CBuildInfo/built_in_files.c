#include "build_info.h"

#include <string.h>

// Swift takes half a minute for what `embedInCode` makes of these files, and C no time at all.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct {
  const char *name;
  const char *text;
} files[] = {
  {"bench.schema.json", (const char[]){
#embed "../../docs/bench.schema.json" suffix(, 0)
  }},
  {"capture.schema.json", (const char[]){
#embed "../../docs/capture.schema.json" suffix(, 0)
  }},
  {"check.schema.json", (const char[]){
#embed "../../docs/check.schema.json" suffix(, 0)
  }},
  {"compare.schema.json", (const char[]){
#embed "../../docs/compare.schema.json" suffix(, 0)
  }},
  {"crash.schema.json", (const char[]){
#embed "../../docs/crash.schema.json" suffix(, 0)
  }},
  {"diff.schema.json", (const char[]){
#embed "../../docs/diff.schema.json" suffix(, 0)
  }},
  {"explain.schema.json", (const char[]){
#embed "../../docs/explain.schema.json" suffix(, 0)
  }},
  {"init.schema.json", (const char[]){
#embed "../../docs/init.schema.json" suffix(, 0)
  }},
  {"inspect.schema.json", (const char[]){
#embed "../../docs/inspect.schema.json" suffix(, 0)
  }},
  {"list.schema.json", (const char[]){
#embed "../../docs/list.schema.json" suffix(, 0)
  }},
  {"lock.schema.json", (const char[]){
#embed "../../docs/lock.schema.json" suffix(, 0)
  }},
  {"migrate.schema.json", (const char[]){
#embed "../../docs/migrate.schema.json" suffix(, 0)
  }},
  {"model.schema.json", (const char[]){
#embed "../../docs/model.schema.json" suffix(, 0)
  }},
  {"mutate.schema.json", (const char[]){
#embed "../../docs/mutate.schema.json" suffix(, 0)
  }},
  {"predicate.schema.json", (const char[]){
#embed "../../docs/predicate.schema.json" suffix(, 0)
  }},
  {"project.schema.json", (const char[]){
#embed "../../docs/project.schema.json" suffix(, 0)
  }},
  {"reduce.schema.json", (const char[]){
#embed "../../docs/reduce.schema.json" suffix(, 0)
  }},
  {"report.schema.json", (const char[]){
#embed "../../docs/report.schema.json" suffix(, 0)
  }},
  {"scenario.schema.json", (const char[]){
#embed "../../Scenarios/scenario.schema.json" suffix(, 0)
  }},
  {"smoke.schema.json", (const char[]){
#embed "../../docs/smoke.schema.json" suffix(, 0)
  }},
  {"explanations.md", (const char[]){
#embed "../Commands/Resources/explanations.md" suffix(, 0)
  }},
  {"exported.txt", (const char[]){
#embed "../Commands/Resources/exported.txt" suffix(, 0)
  }},
  {"page.css", (const char[]){
#embed "../Commands/Resources/page.css" suffix(, 0)
  }},
  {"page.js", (const char[]){
#embed "../Commands/Resources/page.js" suffix(, 0)
  }},
};

const char *heavyweight_built_in_file(const char *name) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (strcmp(files[i].name, name) == 0) return files[i].text;
  }
  return NULL;
}
