/** A table as data: the terminal and Markdown print the same ones. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly TableCell[])[];
}

export interface Column {
  /** A heading over neighbouring columns that share it. */
  readonly group?: string;
  readonly title: string;
  readonly align: 'left' | 'right';
  /** May be cut with … when the table is too wide. */
  readonly shrinks?: boolean;
  /** A value equal to the one above it is left blank where people read from top to bottom. */
  readonly repeats?: boolean;
}

/** How much a value matters, or what is wrong with it; the terminal turns it into colour. */
export type Style = 'plain' | 'strong' | 'dim' | 'good' | 'warn' | 'bad';

export interface TableCell {
  readonly text: string;
  readonly style: Style;
}

export function cell(text: string, style: Style = 'plain'): TableCell {
  return { text, style };
}
