import stringWidth from 'string-width';

/**
 * Text as it can be shown on one line: control characters, which could steer a terminal, become visible. Texts in a
 * set may quote what a server sent.
 */
export function plainText(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll(/\p{Cc}/gu, '�');
}

/** A number and its unit stay on one line. */
const beforeUnit = /(?<=\d) (?=(%|ms|s|VUs|MB|more|rounds?|cores?|UTC)(\W|$))/gu;

/** Breaks text at spaces into lines of at most `width` columns; a longer word is cut into pieces. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  const words = plainText(text).replaceAll(beforeUnit, noBreakSpace).split(' ');
  for (const word of words.flatMap((long) => pieces(long, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (stringWidth(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].map((each) => each.replaceAll(noBreakSpace, ' '));
}

const noBreakSpace = '\u00a0';

function pieces(word: string, width: number): string[] {
  if (stringWidth(word) <= width) return [word];
  const all: string[] = [];
  let piece = '';
  for (const character of word) {
    if (stringWidth(piece + character) > width) {
      all.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...all, piece];
}
