import type { Endpoint } from '../../lab/model/contract.ts';
import type { LoadSample } from '../load-sample.ts';

/** What is loaded: an endpoint of the null server with its fixed body. */
export interface Target {
  readonly title: string;
  readonly baseUrl: string;
  readonly endpoint: Endpoint;
  readonly body: Buffer;
}

export interface Run {
  readonly target: Target;
  readonly seconds: number;
  readonly connections: number;
}

/** A load generator that takes part. */
export interface Contestant {
  readonly name: string;
  /** What it does with a body. */
  readonly checks: string;
  /** `cpuMicros` of the sample is the generator's own. */
  run(run: Run): Promise<LoadSample>;
  close(): Promise<void>;
}
