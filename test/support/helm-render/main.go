// Renders the templates of a chart as Helm does: with the same engine (text/template), the same function library
// (sprig), and Helm's include, tpl, required, fail, toYaml, fromYaml. Not supported: subcharts, hooks, .Files, lookup.
//
//	helm-render <chart folder> <release name> <values as JSON>
//
// Prints the documents, each after a line "---". Errors go to stderr with exit code 1.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

type object = map[string]interface{}

func main() {
	if len(os.Args) != 4 {
		stop(errors.New("helm-render <chart folder> <release name> <values as JSON>"))
	}
	out, err := render(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		stop(err)
	}
	fmt.Print(out)
}

func stop(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func render(chart, release, given string) (string, error) {
	about, values, overrides := object{}, object{}, object{}
	if err := readYaml(filepath.Join(chart, "Chart.yaml"), &about); err != nil {
		return "", err
	}
	if err := readYaml(filepath.Join(chart, "values.yaml"), &values); err != nil {
		return "", err
	}
	if err := json.Unmarshal([]byte(given), &overrides); err != nil {
		return "", err
	}
	top := object{
		"Values": merge(values, overrides),
		// Helm capitalizes the fields of Chart.yaml.
		"Chart":   object{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
		"Release": object{"Name": release, "Namespace": "docs", "Service": "Helm", "IsInstall": true, "Revision": 1},
	}
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return "", err
	}
	sort.Strings(paths)
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		if _, err := root.New(filepath.Base(path)).Parse(string(text)); err != nil {
			return "", err
		}
	}
	var out strings.Builder
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var buffer bytes.Buffer
		if err := root.ExecuteTemplate(&buffer, name, top); err != nil {
			return "", err
		}
		text := strings.ReplaceAll(buffer.String(), "<no value>", "")
		if filepath.Ext(name) == ".yaml" && strings.TrimSpace(text) != "" {
			fmt.Fprintf(&out, "---\n# %s\n%s\n", name, strings.TrimSpace(text))
		}
	}
	return out.String(), nil
}

func functions(root *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	// Helm removes these two.
	delete(all, "env")
	delete(all, "expandenv")
	all["include"] = func(name string, data interface{}) (string, error) {
		var buffer bytes.Buffer
		err := root.ExecuteTemplate(&buffer, name, data)
		return buffer.String(), err
	}
	all["tpl"] = func(text string, data interface{}) (string, error) {
		parsed, err := template.Must(root.Clone()).New("tpl").Parse(text)
		if err != nil {
			return "", err
		}
		var buffer bytes.Buffer
		err = parsed.Execute(&buffer, data)
		return buffer.String(), err
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	all["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	all["fromYaml"] = func(text string) (object, error) {
		value := object{}
		err := yaml.Unmarshal([]byte(text), &value)
		return value, err
	}
	return all
}

func readYaml(path string, value interface{}) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return yaml.Unmarshal(text, value)
}

// Merges like Helm: objects member by member, null removes a value, anything else replaces it.
func merge(base, over object) object {
	out := object{}
	for key, value := range base {
		out[key] = value
	}
	for key, value := range over {
		before, isObject := out[key].(object)
		after, areBoth := value.(object)
		switch {
		case value == nil:
			delete(out, key)
		case isObject && areBoth:
			out[key] = merge(before, after)
		default:
			out[key] = value
		}
	}
	return out
}
