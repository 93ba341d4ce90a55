/** What an event tells beside its name. */
export type Fields = Readonly<Record<string, string | number | boolean | null>>;

/** Writes events: one line of JSON each, never one for each request. */
export interface Log {
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
}

/**
 * A log whose lines look like `{"level":"info","event":"listening","url":"http://127.0.0.1:8081"}`.
 * No time: whoever collects the lines knows it.
 */
export function createLog(write: (line: string) => void): Log {
  const at = (level: string) => (event: string, fields?: Fields) => {
    write(`${JSON.stringify({ level, event, ...fields })}\n`);
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}
