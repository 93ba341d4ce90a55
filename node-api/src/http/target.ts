/** A request target, as sent: nothing is decoded. Every char is a byte. */
export interface Target {
  readonly path: string;
  /** Without the `?`. */
  readonly query: string;
}

const absoluteForm = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/** Splits a request target at its first `?`. In absolute form (`http://host/path`) it counts by its path. */
export function readTarget(raw: string): Target {
  const origin = raw.startsWith('/') ? raw : raw.replace(absoluteForm, '');
  const at = origin.indexOf('?');
  return at === -1 ? { path: origin, query: '' } : { path: origin.slice(0, at), query: origin.slice(at + 1) };
}

/** Whether a path has a percent sign without two hexadecimal digits behind it. */
export function hasBrokenEscape(path: string): boolean {
  return path.includes('%') && /%(?![0-9A-Fa-f]{2})/.test(path);
}
