import { LabError } from '../model/errors.ts';
import type { SliceRecord, WarmUpRecord } from '../model/measurement.ts';
import { describeIssues } from './issues.ts';
import { RecordLine } from './record-line.ts';

export interface Records {
  readonly slices: SliceRecord[];
  readonly warmUps: WarmUpRecord[];
  readonly tornLine: string | null;
}

/**
 * Reads slices.jsonl. The text after the last newline was being written when the lab was killed: it is left out and
 * reported. Whatever else is wrong is an error: records do not disappear.
 * @param path is used in messages only.
 * @throws LabError BAD_RESULT_SET naming the line and the JSON path.
 */
export function readRecords(text: string, path: string): Records {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  const records = lines.map((line, index) => readLine(line, `${path}:${index + 1}`));
  return {
    slices: records.flatMap((record) => (record.kind === 'slice' ? [sliceOf(record)] : [])),
    warmUps: records.flatMap((record) => (record.kind === 'warm-up' ? [warmUpOf(record)] : [])),
    tornLine:
      rest === ''
        ? null
        : `${path}:${lines.length + 1}: the last line was cut off after ${rest.length} characters: that run is lost`,
  };
}

function readLine(line: string, where: string): RecordLine {
  const result = RecordLine.safeParse(parseJson(line, where));
  if (result.success) return result.data;
  throw badLine(where, describeIssues(result.error));
}

function parseJson(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw badLine(where, '$: not JSON');
  }
}

function badLine(where: string, what: string): LabError {
  return new LabError(
    'BAD_RESULT_SET',
    `${where}: ${what}`,
    'restore the file, or delete that line to do without the run',
  );
}

function sliceOf({ slice, measurement, failure, sample, work }: RecordLine & { kind: 'slice' }): SliceRecord {
  return { slice, measurement, failure, sample, work };
}

function warmUpOf({ warmUp, finished, measurement, failure }: RecordLine & { kind: 'warm-up' }): WarmUpRecord {
  return { warmUp, finished, measurement, failure };
}
