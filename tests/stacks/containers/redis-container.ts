import type { RedisServer } from '../bed.ts';
import { redisCommand } from '../host/redis-command.ts';
import type { Engine } from './engine.ts';
import { PublishedContainer } from './published-container.ts';

/** Redis in a container of its own, nothing kept on disk. */
export class RedisContainer implements RedisServer {
  readonly url: string;
  readonly #container: PublishedContainer;

  private constructor(container: PublishedContainer) {
    this.#container = container;
    this.url = `redis://${container.host}:${container.port}`;
  }

  static async make(engine: Engine): Promise<RedisContainer> {
    const container = await PublishedContainer.choose(engine, {
      image: process.env.REDIS_IMAGE ?? 'redis:7-alpine',
      port: 6379,
      command: ['redis-server', '--save', '', '--appendonly', 'no'],
    });
    return new RedisContainer(container);
  }

  start(): Promise<void> {
    // Not only that it answers: while it loads it does so with an error.
    return this.#container.start(async () => (await this.command(0, 'PING').catch(() => null)) === 'PONG');
  }

  stop(): Promise<void> {
    return this.#container.kill();
  }

  pause(): Promise<void> {
    return this.#container.pause();
  }

  resume(): Promise<void> {
    return this.#container.resume();
  }

  command(db: number, name: string, ...args: string[]): Promise<unknown> {
    return redisCommand(this.#container, db, name, ...args);
  }
}
