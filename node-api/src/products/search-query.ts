/** What a query string asks to search for; `bad`: it cannot be told. */
export type SearchQuery =
  { readonly kind: 'absent' } | { readonly kind: 'text'; readonly text: string } | { readonly kind: 'bad' };

const bad: SearchQuery = { kind: 'bad' };

// A byte order mark is a character of the search like any other.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the parameter `name` from a raw query string, in which every char is a byte, as Node's parser delivers it.
 * Split at `&`, each part at its first `=`; `+` is a space and `%XX` a byte, in names and values alike.
 */
export function readSearchQuery(query: string, name: string, maxCodePoints: number): SearchQuery {
  if (query === '') return { kind: 'absent' };
  const values = query
    .split('&')
    .map(splitPart)
    .filter((part) => percentDecode(part.name)?.toString('latin1') === name);
  const [first] = values;
  if (first === undefined) return { kind: 'absent' };
  if (values.length > 1) return bad;
  return readValue(first.value, maxCodePoints);
}

function splitPart(part: string): { name: string; value: string } {
  const at = part.indexOf('=');
  return at === -1 ? { name: part, value: '' } : { name: part.slice(0, at), value: part.slice(at + 1) };
}

function readValue(raw: string, maxCodePoints: number): SearchQuery {
  const bytes = percentDecode(raw);
  if (bytes === undefined) return bad;
  const text = decodeUtf8(bytes);
  // PostgreSQL's text cannot hold U+0000.
  if (text === undefined || text.includes('\0') || codePoints(text) > maxCodePoints) return bad;
  return { kind: 'text', text };
}

/** The bytes that `text` stands for; undefined where a percent escape is broken. */
function percentDecode(text: string): Buffer | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  const chars = text
    .replaceAll('+', ' ')
    .replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(chars, 'latin1');
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function codePoints(text: string): number {
  return Array.from(text).length;
}
