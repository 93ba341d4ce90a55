import type { GeneratorPlace } from '../../model/environment.ts';
import type { Containers } from './containers.ts';
import { exchangeFolder, generatorRoot, generatorService } from './project-file.ts';

/** The generator's container, which waits on the project's network for programs to run. */
export function generatorPlace(
  containers: Containers,
  exchange: string,
  expectEnd: <T>(services: readonly string[], work: () => Promise<T>) => Promise<T>,
): GeneratorPlace {
  const id = containers.id(generatorService);
  return {
    root: generatorRoot,
    exchange: { here: exchange, there: exchangeFolder },
    commandLine: (argv, environment) => [
      'docker',
      'exec',
      '--interactive',
      ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      id,
      ...argv,
    ],
    endAll: () =>
      expectEnd([generatorService], async () => {
        await containers.restart(generatorService, 0);
        containers.countLife(generatorService);
      }),
  };
}
