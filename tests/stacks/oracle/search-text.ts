/** What a query string asks for: nothing, something that is refused, or a text. */
export type Asked = 'none' | 'bad' | { readonly text: string };

const brokenEscape = /%(?![0-9A-Fa-f]{2})/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a raw query string (each char a byte) by the rules of docs/api.md. */
export function searchText(query: string, parameter: string, maxCodePoints: number): Asked {
  const values = query
    .split('&')
    .filter((part) => decode(part.split('=')[0] ?? '') === parameter)
    .map((part) => (part.includes('=') ? part.slice(part.indexOf('=') + 1) : ''));
  const [value] = values;
  if (value === undefined) return 'none';
  const text = values.length === 1 ? decode(value) : null;
  return text === null || text.includes('\0') || Array.from(text).length > maxCodePoints ? 'bad' : { text };
}

/** null: a broken escape, or bytes that are not UTF-8. */
function decode(text: string): string | null {
  if (brokenEscape.test(text)) return null;
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return null;
  }
}
