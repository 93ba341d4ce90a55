import { readFile } from 'node:fs/promises';
import type Docker from 'dockerode';
import type { ContainerInspectInfo } from 'dockerode';
import { execa } from 'execa';
import { LabError, messageOf } from '../../model/errors.ts';
import type { AskedHandle, UsageReading } from '../../model/environment.ts';
import type { Image, Limits } from '../../model/result.ts';
import { controlGroupIn, readControlGroup, type ControlGroup } from './control-group.ts';
import type { Engine } from './engine.ts';
import { limitsOf } from './limits.ts';
import { usageOf } from './usage.ts';
import { within } from './within.ts';

const answerLimitMs = 10_000;
const readingLimitMs = 2_000;
const tailLines = 20;

/** The containers of one project, by the names of their services. */
export class Containers {
  readonly #engine: Pick<Engine, 'docker' | 'cores'>;
  readonly #project: string;
  readonly #idByService = new Map<string, string>();

  constructor(engine: Pick<Engine, 'docker' | 'cores'>, project: string) {
    this.#engine = engine;
    this.#project = project;
  }

  /** Reads which containers there are. Throws a LabError ENVIRONMENT_FAILED when the engine does not answer. */
  async refresh(): Promise<void> {
    const found = await this.ask('list containers', (docker) =>
      docker.listContainers({
        all: true,
        filters: { label: [`com.docker.compose.project=${this.#project}`] },
      }),
    );
    this.#idByService.clear();
    for (const { Id, Labels } of found) {
      const service = Labels['com.docker.compose.service'];
      if (service !== undefined) this.#idByService.set(service, Id);
    }
  }

  get services(): string[] {
    return [...this.#idByService.keys()];
  }

  serviceOf(id: string): string | null {
    for (const [service, known] of this.#idByService) if (known === id) return service;
    return null;
  }

  id(service: string): string {
    const id = this.#idByService.get(service);
    if (id !== undefined) return id;
    throw new LabError('ENVIRONMENT_FAILED', `there is no container of ${service}`, 'See compose.log of this set.');
  }

  /** Throws a LabError ENVIRONMENT_FAILED when the engine does not answer. */
  async inspect(service: string): Promise<ContainerInspectInfo> {
    const id = this.id(service);
    return this.ask(`inspect ${service}`, (docker) => docker.getContainer(id).inspect());
  }

  /** The port of this machine behind which a container's port is; null: the container does not run. */
  async publishedPort(service: string, port: number): Promise<number | null> {
    const published = portsOf(await this.inspect(service))[`${port}/tcp`]?.[0]?.HostPort;
    return published === undefined ? null : Number(published);
  }

  /** The first of its ports that is published; null: none, or the container does not run. */
  async anyPublishedPort(service: string): Promise<number | null> {
    const [published] = Object.values(portsOf(await this.inspect(service))).flatMap((bindings) => bindings ?? []);
    return published === undefined ? null : Number(published.HostPort);
  }

  /** Removes a container, running or not. */
  async remove(service: string): Promise<void> {
    const id = this.id(service);
    await this.ask(`remove ${service}`, (docker) => docker.getContainer(id).remove({ force: true }));
    this.#idByService.delete(service);
  }

  /** Stops a container's process, after `graceMs` by force, and starts it anew. */
  async restart(service: string, graceMs: number): Promise<void> {
    const id = this.id(service);
    const limitMs = graceMs + answerLimitMs;
    await this.ask(
      `restart ${service}`,
      (docker) => docker.getContainer(id).restart({ t: Math.ceil(graceMs / 1000) }),
      limitMs,
    );
  }

  /** The last lines that a container wrote; empty where it cannot be asked. */
  async logTail(service: string): Promise<string[]> {
    const id = this.#idByService.get(service);
    if (id === undefined) return [];
    const { all } = await execa('docker', ['logs', '--tail', String(tailLines), id], {
      all: true,
      reject: false,
      timeout: answerLimitMs,
    });
    return all.split('\n').filter((line) => line.trim() !== '');
  }

  /** Writes all that a container wrote to a file. */
  async saveLog(service: string, file: string): Promise<void> {
    const id = this.#idByService.get(service);
    if (id === undefined) return;
    const output = { file };
    await execa('docker', ['logs', id], { stdout: output, stderr: output, reject: false, timeout: answerLimitMs });
  }

  /** How a container that has ended did so, in a few words; null while it runs. */
  async howItEnded(service: string): Promise<string | null> {
    const { State } = await this.inspect(service);
    if (State.Running) return null;
    return State.OOMKilled ? 'was killed for its memory limit' : `ended with exit code ${State.ExitCode}`;
  }

  /** A handle that reads the container's control group where this machine's kernel has it, and asks the engine elsewhere. */
  handle(service: string): AskedHandle {
    const id = this.id(service);
    const read = async (): Promise<UsageReading> => {
      // Control groups outlive no restart: with it the counters begin anew.
      const life = `${id} ${this.#lives.get(service) ?? 0}`;
      try {
        const group = await this.#groupOf(service);
        return group === null ? await this.#askUsage(id, life) : await readControlGroup(group, life);
      } catch (error) {
        return { unreadable: `the Docker engine does not say: ${messageOf(error)}` };
      }
    };
    return { kind: 'asked', read, cores: this.#engine.cores };
  }

  /** Engines answer with their next regular reading, up to a second later, whatever `one-shot` says; newer ones may not. */
  async #askUsage(id: string, life: string): Promise<UsageReading> {
    const container = this.#engine.docker.getContainer(id);
    return usageOf(await within(readingLimitMs, container.stats({ stream: false, 'one-shot': true })), life);
  }

  readonly #groups = new Map<string, ControlGroup | null>();

  /** The same over all lives of a container: its id is in the path. */
  async #groupOf(service: string): Promise<ControlGroup | null> {
    const id = this.id(service);
    const known = this.#groups.get(id);
    if (known !== undefined) return known;
    const { State } = await this.inspect(service);
    const text = await readFile(`/proc/${State.Pid}/cgroup`, 'utf8').catch(() => '');
    const group = controlGroupIn(text, id);
    this.#groups.set(id, group);
    return group;
  }

  readonly #lives = new Map<string, number>();

  /** A container was started anew. */
  countLife(service: string): void {
    this.#lives.set(service, (this.#lives.get(service) ?? 0) + 1);
  }

  /** What it may use, and what it is made of. */
  async facts(service: string): Promise<{ limits: Limits; image: Image }> {
    const { HostConfig, Image: id, Config } = await this.inspect(service);
    const image = await this.ask(`inspect the image of ${service}`, (docker) => docker.getImage(id).inspect());
    // An image that was built here has no digest of a registry.
    const digests = image.RepoDigests as readonly string[] | undefined;
    return { limits: limitsOf(HostConfig), image: { name: Config.Image, id, digest: digests?.[0] ?? null } };
  }

  /** A question to the engine, bounded. Throws a LabError ENVIRONMENT_FAILED. */
  async ask<T>(what: string, question: (docker: Docker) => Promise<T>, limitMs = answerLimitMs): Promise<T> {
    try {
      return await within(limitMs, question(this.#engine.docker));
    } catch (error) {
      throw new LabError(
        'ENVIRONMENT_FAILED',
        `the Docker engine failed to ${what}: ${messageOf(error)}`,
        'Does `docker ps` answer?',
        { cause: error },
      );
    }
  }
}

/** A port that is not published has no bindings, whatever the type says. */
function portsOf({
  NetworkSettings,
}: ContainerInspectInfo): Readonly<Record<string, readonly { readonly HostPort: string }[] | null | undefined>> {
  return NetworkSettings.Ports;
}
