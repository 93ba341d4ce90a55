import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuiltinGenerator } from '../../lab/load/builtin/generator.ts';
import { createK6Generator } from '../../lab/load/k6/generator.ts';
import { LabError } from '../../lab/model/errors.ts';
import type { Generator, GeneratorRun, RunRequest } from '../../lab/model/generator.ts';
import type { CheckMode } from '../../lab/model/plan.ts';
import type { LoadSample } from '../load-sample.ts';
import type { Contestant, Run } from './contestant.ts';
import { cpuMicros, spent } from './process-cpu.ts';

const never = new AbortController().signal;

/** The lab's own two generators, driven through their port. */
export async function labGenerators(): Promise<{ builtin: Contestant; k6: Contestant | null }> {
  const rawDir = await mkdtemp(join(tmpdir(), 'loadlab-bench-'));
  const runWith = async (generator: Generator, check: CheckMode, run: Run, seconds: number): Promise<GeneratorRun> => {
    const request: RunRequest = {
      id: 'bench',
      baseUrl: run.target.baseUrl,
      stack: 'null-server',
      endpoint: run.target.endpoint,
      load: { executor: 'constant-vus', vus: run.connections },
      durationMs: Math.round(seconds * 1000),
      check,
      referenceBody: run.target.body,
      expectedCache: null,
      rawDir,
    };
    const done = await generator.run(request, never);
    assertGood(generator.name, done);
    return done;
  };
  const builtin = await BuiltinGenerator.open();
  const k6 = await k6IfThere();
  return {
    builtin: {
      name: 'builtin',
      checks: 'every byte',
      run: async (run) => {
        const pid = builtin.pid();
        const before = pid === null ? null : cpuMicros(pid);
        const { measurement } = await runWith(builtin, 'bytes', run, run.seconds);
        return {
          requestsInWindow: measurement.requests,
          windowMs: measurement.windowMs,
          requests: measurement.requests + measurement.requestsOutsideWindow,
          cpuMicros: spent(before, pid === null ? null : cpuMicros(pid)),
        };
      },
      close: async () => {
        await builtin.close();
        await rm(rawDir, { recursive: true, force: true });
      },
    },
    k6:
      k6 === null
        ? null
        : {
            name: 'k6',
            checks: 'CHECK=json',
            run: async (run) => {
              // k6 starts anew for every run; the difference of a long and a short run leaves the start's cost out.
              const short = await runWith(k6, 'json', run, 1);
              const long = await runWith(k6, 'json', run, 1 + run.seconds);
              return difference(long, short);
            },
            close: () => k6.close(),
          },
  };
}

/** The long run's rate, and what the requests that it made more have cost. */
function difference(long: GeneratorRun, short: GeneratorRun): LoadSample {
  const count = ({ measurement }: GeneratorRun): number => measurement.requests + measurement.requestsOutsideWindow;
  const cpu = ({ cpu: own }: GeneratorRun): number | null => (own === null ? null : (own.userMs + own.systemMs) * 1000);
  return {
    requestsInWindow: long.measurement.requests,
    windowMs: long.measurement.windowMs,
    requests: count(long) - count(short),
    cpuMicros: spent(cpu(short), cpu(long)),
  };
}

/** A figure of requests that failed, or were not checked, is no figure. */
function assertGood(name: string, { measurement }: GeneratorRun): void {
  const failedChecks = Object.values(measurement.checks).reduce((total, { failed }) => total + failed, 0);
  if (measurement.requests > 0 && measurement.failedRequests === 0 && failedChecks === 0) return;
  const [error] = Object.keys(measurement.errors);
  const why = error ?? measurement.failedCheckExamples[0] ?? 'no requests';
  throw new LabError('GENERATOR_FAILED', `${name}: not every request was good: ${why}`, 'Run it again.');
}

async function k6IfThere(): Promise<Generator | null> {
  try {
    return await createK6Generator();
  } catch (error) {
    if (error instanceof LabError && (error.code === 'TOOL_MISSING' || error.code === 'TOOL_TOO_OLD')) return null;
    throw error;
  }
}
