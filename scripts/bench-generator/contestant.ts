import type { Endpoint } from '../../lab/model/contract.ts';

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

/** What one run yielded. */
export interface Sample {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** User and system time of the generator's process; null where /proc is not there. */
  readonly cpuMicrosPerRequest: number | null;
}

/** A load generator that takes part. */
export interface Contestant {
  readonly name: string;
  /** What it does with a body. */
  readonly checks: string;
  /** Whether its process lives across runs: then it is warmed up first. */
  readonly livesOn: boolean;
  run(run: Run): Promise<Sample>;
  close(): Promise<void>;
}
