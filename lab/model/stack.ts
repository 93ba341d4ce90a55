import { z } from 'zod';

const command = z.array(z.string()).min(1);
const environment = z.record(z.string(), z.string());

/** <stack>/stack.json: how the lab builds and starts a stack. A third stack is a new folder with one of these. */
export const StackManifest = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  title: z.string().min(1),
  language: z.string().min(1),
  build: z.strictObject({ command, environment }),
  start: z.strictObject({ command, environment }),
  /** Tools that must be there: `pattern`'s first group in the output of `command` is the version. */
  requires: z.array(
    z.strictObject({
      command,
      pattern: z.string(),
      minimum: z.string().regex(/^\d+(\.\d+)*$/),
      hint: z.string().min(1),
    }),
  ),
  /** For use by hand. The lab itself takes free ports. */
  port: z.int().min(1).max(65535),
  image: z.string().min(1),
  endpoints: z.array(z.string()).min(1),
});
export type StackManifest = z.infer<typeof StackManifest>;

/** A stack as found on disk. */
export interface Stack {
  readonly manifest: StackManifest;
  /** Absolute path of its folder. */
  readonly folder: string;
}
