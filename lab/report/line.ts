/** A labelled line of a report. */
export interface Line {
  readonly label: string;
  readonly text: string;
}
