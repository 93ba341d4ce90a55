import { z } from 'zod';
import { Contract, Endpoint, Thresholds } from '../model/contract.ts';
import {
  ErrorCounts,
  Measurement,
  Percentiles,
  Sample,
  SliceRecord,
  WarmUpRecord,
  WorkDone,
} from '../model/measurement.ts';
import { Cell, Plan, Slice, WarmUp } from '../model/plan.ts';
import {
  Comparison,
  ParityResult,
  Provenance,
  Reason,
  ResultSet,
  ServerFingerprint,
  Summary,
  Verdict,
} from '../model/result.ts';
import { StackManifest } from '../model/stack.ts';
import { Load, Study, Variant } from '../model/study.ts';

/** Types that get a name of their own under `$defs`; whatever is not here is written where it is used. */
const named = {
  Cell,
  Comparison,
  Endpoint,
  ErrorCounts,
  Load,
  Measurement,
  ParityResult,
  Percentiles,
  Plan,
  Provenance,
  Reason,
  Sample,
  ServerFingerprint,
  Slice,
  SliceRecord,
  Summary,
  Variant,
  Verdict,
  WarmUp,
  WarmUpRecord,
  WorkDone,
};

interface Published {
  readonly type: z.ZodType;
  readonly name: string;
  readonly title: string;
  readonly version: number;
  /** `input`: what people write, with defaults left out; `output`: what the lab writes, everything there. */
  readonly io: 'input' | 'output';
}

/** File name in contract/ -> what it describes. */
const published: Readonly<Record<string, Published>> = {
  'contract.schema.json': { type: Contract, name: 'contract', title: 'contract', version: 1, io: 'input' },
  'thresholds.schema.json': { type: Thresholds, name: 'thresholds', title: 'thresholds', version: 1, io: 'input' },
  'study.schema.json': { type: Study, name: 'study', title: 'study', version: 1, io: 'input' },
  'stack.schema.json': { type: StackManifest, name: 'stack', title: 'stack manifest', version: 1, io: 'input' },
  'result-set.schema.json': {
    type: ResultSet,
    name: 'result-set',
    title: 'result set',
    version: ResultSet.shape.schemaVersion.value,
    io: 'output',
  },
};

/** The JSON Schemas (draft 2020-12) of everything that the lab reads or writes: file name in contract/ -> text. */
export function schemaFiles(): Record<string, string> {
  return Object.fromEntries(Object.entries(published).map(([file, entry]) => [file, schemaText(entry)]));
}

function schemaText({ type, name, title, version, io }: Published): string {
  const { $schema, ...rest } = z.toJSONSchema(type, {
    target: 'draft-2020-12',
    io,
    metadata: registryWithout(type),
    override: ({ jsonSchema }) => {
      // zod's own, beside the pattern that says the same; a strict validator refuses formats that no standard knows.
      if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
    },
  });
  const head = {
    $schema,
    // A name, not an address: nothing is fetched to validate a file.
    $id: `urn:loadlab:schema:${name}:${version}`,
    title: `loadlab ${title}, version ${version}`,
    $comment: 'Made from the types in lab/model by `npm run schemas`; do not edit.',
  };
  return `${JSON.stringify({ ...head, ...rest }, null, 2)}\n`;
}

/** zod moves what has an id to `$defs`; the document itself must stay at the top. */
function registryWithout(root: z.ZodType): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>();
  for (const [id, type] of Object.entries(named)) if (type !== root) registry.add(type, { id });
  return registry;
}
