/** A request target, as sent: nothing is decoded. Every char is a byte. */
export interface Target {
  readonly path: string;
  /** Without the `?`. */
  readonly query: string;
}

const absoluteForm = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/**
 * A request target without the scheme and host of absolute form (`http://host/path`), in which only the path counts.
 * `*` stays as it is; undefined: no target at all, such as a port that is no number.
 */
export function originForm(raw: string): string | undefined {
  if (raw.startsWith('/') || raw === '*') return raw;
  if (!URL.canParse(raw)) return undefined;
  const rest = raw.replace(absoluteForm, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Splits a target in origin form at its first `?`. */
export function readTarget(origin: string): Target {
  const at = origin.indexOf('?');
  return at === -1 ? { path: origin, query: '' } : { path: origin.slice(0, at), query: origin.slice(at + 1) };
}

/** Whether a path has a percent sign without two hexadecimal digits behind it. */
export function hasBrokenEscape(path: string): boolean {
  return /%(?![0-9A-Fa-f]{2})/.test(path);
}
