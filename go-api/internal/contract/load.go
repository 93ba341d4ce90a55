package contract

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// FileName is the contract's file in its directory.
const FileName = "contract.json"

// Load reads contract.json and the SQL files it names from dir. Its error has
// one line for each thing that is wrong, with the file and the JSON path.
func Load(dir string) (*Contract, error) {
	text, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		return nil, fmt.Errorf("%s: $: %w", FileName, err)
	}
	parsed, err := parse(text)
	if err != nil {
		return nil, err
	}
	found := &problems{}
	parsed.validate(found)
	for i := range parsed.Endpoints {
		parsed.Endpoints[i].readSQL(dir, found)
	}
	return parsed, found.err()
}

func parse(text []byte) (*Contract, error) {
	var parsed Contract
	if err := json.Unmarshal(text, &parsed); err != nil {
		return nil, explain(err)
	}
	for i := range parsed.Endpoints {
		parsed.Endpoints[i].At = fmt.Sprintf("$.endpoints[%d]", i)
	}
	return &parsed, nil
}

// explain says where in the file, as a JSON path, the decoder stopped.
func explain(err error) error {
	if wrong, ok := errors.AsType[*json.SemanticError](err); ok {
		return fmt.Errorf("%s: %s: %s cannot be here; expected: %s",
			FileName, jsonPath(wrong.JSONPointer), kindOf(wrong.JSONKind), expected(wrong))
	}
	if broken, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Errorf("%s: %s: not valid JSON at byte %d: %w",
			FileName, jsonPath(broken.JSONPointer), broken.ByteOffset, broken.Err)
	}
	return fmt.Errorf("%s: $: %w", FileName, err)
}

func kindOf(kind jsontext.Kind) string {
	switch kind {
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "an array"
	default:
		return "a JSON " + kind.String()
	}
}

func expected(wrong *json.SemanticError) string {
	if wrong.GoType == nil {
		return "another type"
	}
	switch wrong.GoType.Kind().String() {
	case "int":
		return "a whole number"
	case "string":
		return "a string"
	case "slice":
		return "an array"
	default:
		return "an object"
	}
}

// jsonPath turns a JSON pointer (/endpoints/1/path) into the path that is used
// in every message of the lab ($.endpoints[1].path).
func jsonPath(pointer jsontext.Pointer) string {
	var path strings.Builder
	path.WriteString("$")
	for token := range pointer.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			path.WriteString("[" + token + "]")
		} else {
			path.WriteString("." + token)
		}
	}
	return path.String()
}

func (e *Endpoint) readSQL(dir string, found *problems) {
	if e.Query == nil || e.Query.File == "" {
		return
	}
	at := e.At + ".query.file"
	if !filepath.IsLocal(e.Query.File) {
		found.add(at, "%q leaves the contract's folder", e.Query.File)
		return
	}
	text, err := os.ReadFile(filepath.Join(dir, e.Query.File))
	if err != nil {
		found.add(at, "%v", err)
		return
	}
	if strings.TrimSpace(string(text)) == "" {
		found.add(at, "%s is empty", e.Query.File)
	}
	e.Query.SQL = string(text)
}
