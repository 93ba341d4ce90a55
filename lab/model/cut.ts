import stringWidth from 'string-width';

/** Cuts text to `width` columns of a terminal, the last one being …. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  if (width < 1) return '';
  let kept = '';
  for (const character of text) {
    if (stringWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
