import { availableParallelism } from 'node:os';
import { chooseEnvironment, cpuQuotaOf, type EnvironmentSite } from '../environment/index.ts';
import { pickGenerator, type GeneratorChoice } from '../load/index.ts';
import { LabError } from '../model/errors.ts';
import type { BenchOptions, Inputs } from './inputs.ts';
import { refuseShortSlices } from './refuse-short-slices.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * Where the servers run and what makes the load, before either is started.
 * @throws LabError as the two choices say, BAD_ARGUMENT for options that do not fit them, or the signal's reason
 */
export async function chooseWhere(
  inputs: Inputs,
  options: Pick<BenchOptions, 'env' | 'keep'>,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<{ readonly site: EnvironmentSite; readonly generatorChoice: GeneratorChoice }> {
  const site = await untilAborted(chooseEnvironment(options.env, inputs.remote), signal);
  if (options.keep === true && site.name !== 'compose') {
    const what = `--keep is for containers, and this would be ${site.name}`;
    throw new LabError('BAD_ARGUMENT', what, 'Take --env compose.');
  }
  const { lookForK6, sameHost } = site;
  const generatorChoice = await pickGenerator(inputs.wantedGenerator, {
    sameHost,
    cores: await usableCores(),
    ...(lookForK6 === undefined ? {} : { lookForK6: () => lookForK6(report, signal) }),
  });
  refuseShortSlices(inputs.plan.sliceMs, generatorChoice.name);
  return { site, generatorChoice };
}

/** Cores that generator and servers share here, a CPU quota on the lab considered. */
async function usableCores(): Promise<number> {
  return Math.min(availableParallelism(), (await cpuQuotaOf('self')) ?? Infinity);
}
