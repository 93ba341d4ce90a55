import type { CheckMode } from '../../model/plan.ts';

/** Bytes of a wrong body that are kept to say what is wrong with it. */
const maxKeptBytes = 4 * 1024 * 1024;

/** Takes one response body after another, chunk by chunk. One per virtual user, so that no request allocates one. */
export interface BodyReader {
  /** Begins a new body. */
  reset(): void;
  /** The bytes are valid during the call only. */
  chunk(bytes: Buffer): void;
  /** The body is complete: `equal` and `count` are final. */
  end(): void;
  /** Bytes of the body so far. */
  length: number;
  /** Whether the body is the reference body, where that is what is checked. */
  equal: boolean;
  /** The `count` of the JSON, where that is what is checked. */
  count: number | null;
  /** What is wrong with the last body, in one line; for a failed check only, so it may be slow. */
  explain(): string;
}

export function makeBodyReader(mode: CheckMode, reference: Buffer): BodyReader {
  switch (mode) {
    case 'bytes':
      return new Comparer(reference);
    case 'json':
      return new JsonReader();
    case 'none':
      return new Drain();
  }
}

/** Compares in place, chunk by chunk: nothing is copied or joined while the bodies are as they should be. */
class Comparer implements BodyReader {
  length = 0;
  equal = true;
  readonly count = null;
  private differsAt = 0;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private readonly reference: Buffer;

  constructor(reference: Buffer) {
    this.reference = reference;
  }

  reset(): void {
    this.length = 0;
    if (!this.equal) {
      this.equal = true;
      this.kept = [];
      this.keptBytes = 0;
    }
  }

  chunk(bytes: Buffer): void {
    const start = this.length;
    const end = start + bytes.length;
    this.length = end;
    if (this.equal) {
      if (start === 0 && end === this.reference.length) {
        if (bytes.equals(this.reference)) return;
      } else if (end <= this.reference.length && this.reference.compare(bytes, 0, bytes.length, start, end) === 0) {
        return;
      }
      this.differ(start, bytes);
    }
    this.keep(Buffer.from(bytes));
  }

  end(): void {
    if (this.equal && this.length !== this.reference.length) {
      this.equal = false;
      this.differsAt = this.length;
      this.keep(this.reference.subarray(0, this.length));
    }
  }

  explain(): string {
    const place = `body differs at byte ${this.differsAt}`;
    const lengths = `${this.length} bytes, reference ${this.reference.length}`;
    const kept = Buffer.concat(this.kept);
    const values = `${this.from(kept)} instead of ${this.from(this.reference)}`;
    return `${place} (${lengths}), ${values}: ${describe(kept, this.length > this.keptBytes)}`;
  }

  /** A few bytes from where the bodies part. */
  private from(bytes: Buffer): string {
    return JSON.stringify(bytes.toString('utf8', this.differsAt, this.differsAt + 12));
  }

  private differ(start: number, bytes: Buffer): void {
    this.equal = false;
    let offset = 0;
    while (offset < bytes.length && bytes[offset] === this.reference[start + offset]) offset += 1;
    this.differsAt = start + offset;
    // What came before equals the reference: take it from there.
    this.keep(this.reference.subarray(0, start));
  }

  private keep(bytes: Buffer): void {
    const part = bytes.subarray(0, maxKeptBytes - this.keptBytes);
    this.kept.push(part);
    this.keptBytes += part.length;
  }
}

/** The published way: the whole body is parsed. */
class JsonReader implements BodyReader {
  length = 0;
  readonly equal = false;
  count: number | null = null;
  private body: Buffer | null = null;
  private chunks: Buffer[] = [];

  reset(): void {
    this.length = 0;
    this.count = null;
    this.body = null;
    if (this.chunks.length > 0) this.chunks = [];
  }

  chunk(bytes: Buffer): void {
    this.length += bytes.length;
    this.chunks.push(Buffer.from(bytes));
  }

  end(): void {
    const [only] = this.chunks;
    this.body = this.chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.chunks);
    const parsed = parse(this.body);
    this.count = parsed.ok ? countOf(parsed.value) : null;
  }

  explain(): string {
    return `body of ${this.length} bytes: ${describe(this.body ?? Buffer.alloc(0), false)}`;
  }
}

class Drain implements BodyReader {
  length = 0;
  readonly equal = false;
  readonly count = null;

  reset(): void {
    this.length = 0;
  }

  chunk(bytes: Buffer): void {
    this.length += bytes.length;
  }

  end(): void {
    // Nothing is checked in this mode.
  }

  explain(): string {
    return `body of ${this.length} bytes, not read`;
  }
}

function describe(body: Buffer, cut: boolean): string {
  if (cut) return 'too long to be parsed';
  const parsed = parse(body);
  const excerpt = JSON.stringify(body.toString('utf8', 0, 80));
  if (!parsed.ok) return `not JSON: ${excerpt}`;
  const count = countOf(parsed.value);
  return count === null ? `JSON without a count: ${excerpt}` : `JSON, count ${count}`;
}

function parse(body: Buffer): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(body.toString('utf8')) };
  } catch {
    // Whatever the reason, also a body too long for a string: this is a failed check, never a failed run.
    return { ok: false };
  }
}

function countOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('count' in value)) return null;
  return typeof value.count === 'number' ? value.count : null;
}
