import { expect, test } from 'vitest';
import { makeBodyReader, type BodyReader } from './body-reader.ts';

const reference = Buffer.from('{"count":2,"products":["a","b"]}');

/** Reads one body that arrives in these pieces. */
function read(reader: BodyReader, ...pieces: (string | Buffer)[]): BodyReader {
  reader.reset();
  for (const piece of pieces) reader.chunk(Buffer.from(piece));
  reader.end();
  return reader;
}

/** Cuts a body at every place into two pieces. */
function cuts(body: Buffer): [Buffer, Buffer][] {
  return Array.from({ length: body.length + 1 }, (_, at) => [body.subarray(0, at), body.subarray(at)]);
}

test('bytes: wherever the reference is cut, it equals itself', () => {
  const reader = makeBodyReader('bytes', reference);
  for (const pieces of cuts(reference)) expect(read(reader, ...pieces).equal).toBe(true);
  expect(read(reader, ...reference.toString().split('')).equal).toBe(true);
});

test('bytes: wherever one byte differs and wherever the body is cut, the place is named', () => {
  const reader = makeBodyReader('bytes', reference);
  for (let at = 0; at < reference.length; at += 1) {
    const wrong = Buffer.from(reference);
    wrong[at] = 0x7e;
    for (const pieces of cuts(wrong)) {
      expect(read(reader, ...pieces).equal).toBe(false);
      expect(reader.explain()).toContain(`differs at byte ${at} (32 bytes, reference 32)`);
    }
  }
});

test('bytes: every prefix and every longer body differs, at its end', () => {
  const reader = makeBodyReader('bytes', reference);
  for (let length = 0; length < reference.length; length += 1) {
    expect(read(reader, reference.subarray(0, length)).equal).toBe(false);
    expect(reader.explain()).toContain(`differs at byte ${length} (${length} bytes`);
  }
  for (const pieces of cuts(reference)) {
    expect(read(reader, ...pieces, '\n').equal).toBe(false);
    expect(reader.explain()).toContain('differs at byte 32 (33 bytes, reference 32)');
  }
});

test('bytes: the explanation sees the whole body, whatever came before', () => {
  const reader = makeBodyReader('bytes', reference);
  expect(read(reader, '{"count":2,', '"products":["a","c"]}').explain()).toMatch(/JSON, count 2$/);
  expect(read(reader, '{"count":2,', '"products":[').explain()).toContain('not JSON');
  expect(read(reader, reference).equal).toBe(true);
  expect(read(reader, '{"count":', '7}').explain()).toMatch(/JSON, count 7$/);
  expect(read(reader, '{"message":1}').explain()).toContain('JSON without a count');
});

test('json: the count of a body in pieces, anew for each body', () => {
  const reader = makeBodyReader('json', reference);
  for (const pieces of cuts(reference)) expect(read(reader, ...pieces).count).toBe(2);
  expect(read(reader, '{"count":2').count).toBeNull();
  expect(read(reader).count).toBeNull();
  expect(read(reader, '{"count":5}').count).toBe(5);
});

test('none: counts bytes and judges nothing', () => {
  const reader = makeBodyReader('none', reference);
  expect(read(reader, 'abc', 'de')).toMatchObject({ length: 5, equal: false, count: null });
});
