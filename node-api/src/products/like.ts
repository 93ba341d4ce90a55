/** The LIKE pattern that matches `text` anywhere, literally. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
