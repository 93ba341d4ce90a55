/** Reads k6's log (one JSON object a line) for what a summary cannot hold: why requests failed, and what broke. */

export interface LogFindings {
  /** Kind of failed request -> one example. */
  readonly requestExamples: ReadonlyMap<string, string>;
  /** Why responses failed their checks: distinct lines, at most 5. */
  readonly failedChecks: readonly string[];
  /** Exceptions of the script, first line each, at most 5. */
  readonly scriptErrors: readonly string[];
  /** Last lines, for an error message; k6's line for each failed request is left out. */
  readonly tail: readonly string[];
}

const mostExamples = 5;
const tailLength = 20;
const longestLine = 500;

interface LogLine {
  readonly level?: unknown;
  readonly msg?: unknown;
  readonly error?: unknown;
  readonly source?: unknown;
}

function parsed(line: string): LogLine | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    // Not every line is k6's own (a Go panic is not JSON): then the text itself is what there is.
    return null;
  }
}

/** Collects findings line by line. Its memory is bounded however long the log is. */
export function createLogReader(): { add(line: string): void; findings(): LogFindings } {
  const requestExamples = new Map<string, string>();
  const failedChecks: string[] = [];
  const scriptErrors: string[] = [];
  const tail: string[] = [];

  function addOnce(list: string[], line: string): void {
    if (list.length < mostExamples && !list.includes(line)) list.push(line);
  }

  function add(line: string): void {
    // One for every failed request: thousands a second when a server is away.
    if (line === '' || line.includes('"msg":"Request Failed"')) return;
    const entry = parsed(line);
    const message = typeof entry?.msg === 'string' ? entry.msg.trim() : line;
    const text = typeof entry?.error === 'string' ? `${message}: ${entry.error}` : message;
    tail.push(text.slice(0, longestLine));
    if (tail.length > tailLength) tail.shift();
    if (entry?.source === 'stacktrace') addOnce(scriptErrors, text.split('\n')[0] ?? text);
    if (entry?.source !== 'console') return;
    const request = /^failed request: ((?:status )?\w+): (.*)$/s.exec(message);
    const [, kind, detail] = request ?? [];
    if (kind !== undefined && detail !== undefined && !requestExamples.has(kind)) {
      requestExamples.set(kind, detail.slice(0, longestLine));
    }
    const check = /^failed check: (.*)$/s.exec(message)?.[1];
    if (check !== undefined) addOnce(failedChecks, check.slice(0, longestLine));
  }

  return {
    add,
    findings: () => ({ requestExamples, failedChecks, scriptErrors, tail }),
  };
}
