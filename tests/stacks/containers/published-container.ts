import type { Container } from 'dockerode';
import { GenericContainer, Wait } from 'testcontainers';
import { freePort } from '../../../lab/environment/native/ports.ts';
import { messageOf } from '../../../lab/model/errors.ts';
import { until } from '../until.ts';
import type { Engine } from './engine.ts';

/** The first start of a database may take this long on a slow machine. */
const readyLimitMs = 60_000;
const stopLimitSeconds = 10;
const tailLines = 20;

export interface ContainerRequest {
  readonly image: string;
  /** Where it listens, in the container. */
  readonly port: number;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: readonly { readonly source: string; readonly target: string }[];
}

/**
 * A container with one port, which may be stopped and started again. The port of the host is chosen once: one that the
 * engine chooses is another after every start, and the stacks would look for it in vain.
 */
export class PublishedContainer {
  /** Where this host reaches it. */
  readonly host: string;
  readonly port: number;
  readonly #engine: Engine;
  readonly #request: ContainerRequest;
  #container: Container | null = null;
  #state: 'stopped' | 'running' | 'paused' = 'stopped';

  private constructor(engine: Engine, request: ContainerRequest, port: number) {
    this.#engine = engine;
    this.#request = request;
    this.host = engine.host;
    this.port = port;
  }

  /** Nothing is created before the first start. */
  static async choose(engine: Engine, request: ContainerRequest): Promise<PublishedContainer> {
    return new PublishedContainer(engine, request, await freePort());
  }

  /** Starts it and waits until `isReady`, asked from this host, as the stacks ask. Nothing happens if it runs. */
  async start(isReady: () => Promise<boolean>): Promise<void> {
    if (this.#state !== 'stopped') return;
    if (this.#container === null) this.#container = await this.#create();
    else await this.#container.start();
    this.#state = 'running';
    const container = this.#container;
    const look = async (): Promise<true | null> => {
      if (await isReady()) return true;
      const { State } = await container.inspect();
      if (!State.Running) throw new Error(`the container of ${this.#request.image} ended by itself`);
      return null;
    };
    try {
      await until(`${this.#request.image} answers`, look, readyLimitMs);
    } catch (error) {
      const tail = await container.logs({ stdout: true, stderr: true, tail: tailLines }).catch(() => null);
      throw new Error(`${messageOf(error)}; its last lines:\n${textOf(tail)}`, { cause: error });
    }
  }

  /** Asks it to end, by the signal of its image. */
  async stop(): Promise<void> {
    await this.#end((container) => container.stop({ t: stopLimitSeconds }));
  }

  async kill(): Promise<void> {
    await this.#end(async (container) => {
      const ended: unknown = container.wait();
      await container.kill();
      await ended;
    });
  }

  /** Freezes its processes: the kernel goes on accepting connections for them. */
  async pause(): Promise<void> {
    if (this.#state !== 'running') throw new Error(`the container of ${this.#request.image} is ${this.#state}`);
    await this.#container?.pause();
    this.#state = 'paused';
  }

  async resume(): Promise<void> {
    if (this.#state !== 'paused') return;
    await this.#container?.unpause();
    this.#state = 'running';
  }

  async #end(end: (container: Container) => Promise<unknown>): Promise<void> {
    await this.resume();
    if (this.#state === 'stopped' || this.#container === null) return;
    await end(this.#container);
    this.#state = 'stopped';
  }

  async #create(): Promise<Container> {
    const { image, port, command, environment = {}, files = [] } = this.#request;
    const request = new PrivateContainer(image, this.host)
      .withLabels({ ...this.#engine.labels })
      .withEnvironment({ ...environment })
      .withCommand([...command])
      .withCopyFilesToContainer([...files])
      .withExposedPorts({ container: port, host: this.port })
      // start() waits, by the same question after every start.
      .withWaitStrategy(Wait.forAll([]));
    const started = await request.start().catch((error: unknown) => {
      throw new Error(`no container of ${image}: ${messageOf(error)}`, { cause: error });
    });
    return this.#engine.container(started.getId());
  }
}

/** Publishes its ports to this host alone, where the engine is on it: the servers in it have passwords that everybody knows, or none. */
class PrivateContainer extends GenericContainer {
  readonly #host: string;

  constructor(image: string, host: string) {
    super(image);
    this.#host = host;
  }

  protected override beforeContainerCreated(): Promise<void> {
    if (this.#host === '127.0.0.1') {
      const bindings = this.hostConfig.PortBindings as Record<string, { HostPort: string }[]>;
      this.hostConfig.PortBindings = Object.fromEntries(
        Object.entries(bindings).map(([port, hosts]) => [port, hosts.map((to) => ({ ...to, HostIp: this.#host }))]),
      );
    }
    return Promise.resolve();
  }
}

/** What the engine hands out of a container without a terminal: frames of 8 bytes, the last 4 of which are a length, and text. */
function textOf(log: Buffer | null): string {
  let text = '';
  for (let at = 0; log !== null && at + 8 <= log.length;) {
    const end = at + 8 + log.readUInt32BE(at + 4);
    text += log.toString('utf8', at + 8, end);
    at = end;
  }
  return text;
}
