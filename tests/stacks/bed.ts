import type pg from 'pg';
import type { Contract } from '../../lab/model/contract.ts';

/** How a process ended: one of the two is set. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Where the tests reach a server. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** One life of a stack. */
export interface StackProcess {
  readonly address: Address;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly exited: Promise<Exit>;
  /** All that it has written to stderr so far. */
  stderr(): string;
  signal(name: 'SIGTERM' | 'SIGINT'): void;
  /** Ends it without mercy, if it still runs, and waits for its end. */
  kill(): Promise<void>;
}

/** How a stack is started; what is left out is the bed's seeded database, its Redis, and the project's contract. */
export interface StartOptions {
  /** As the stack reaches it; null: the variable is not set. */
  readonly databaseUrl?: string | null;
  /** As the stack reaches it; null: the variable is not set. */
  readonly redisUrl?: string | null;
  /** A folder of the host that the tests run on. */
  readonly contractDir?: string;
  /** Further variables of docs/api.md; they win. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A stack that the same tests examine, wherever it runs. */
export interface StackUnderTest {
  readonly id: string;
  /** Starts it and waits until it says that it listens. Rejects, with what it wrote, when it ends before. */
  start(options?: StartOptions): Promise<StackProcess>;
  /** Starts it and waits for nothing: for starts that must fail. */
  launch(options?: StartOptions): Promise<StackProcess>;
}

/** A database that the tests reach as its owner. */
export interface TestDatabase {
  /** As a stack reaches it. */
  readonly url: string;
  /** Runs `work` on a connection of its own. */
  connect<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
}

/** A Redis that can be broken; it is the tests' own. */
export interface RedisServer {
  /** As a stack reaches it; the same after every start. */
  readonly url: string;
  /** Starts it, empty, and waits until it answers. */
  start(): Promise<void>;
  /** Kills it and waits for its end. */
  stop(): Promise<void>;
  /** Makes it hang: its connections stay open, new ones are accepted, nothing is answered. */
  pause(): Promise<void>;
  /** Ends a pause; nothing happens where there is none. */
  resume(): Promise<void>;
  /** One command on a connection of its own, in database `db`. */
  command(db: number, name: string, ...args: string[]): Promise<unknown>;
}

/** A database server of the tests' own; it does not run yet. Its first start makes the database and takes longer. */
export interface DatabaseServer {
  /** Holds the contract's seed; its URL is the same after every start, and known before the first. */
  readonly database: TestDatabase;
  /** Starts it and waits until it serves. */
  start(): Promise<void>;
  /** Asks it to end, as an operator does: it tells those who are connected. Waits for its end. */
  stop(): Promise<void>;
  /** Ends it in the middle of what it does: the next start has to recover. Waits for its end. */
  crash(): Promise<void>;
}

/** A door in front of a database: closed, nobody listens there and every connection through it is cut. */
export interface Gate {
  /** As a stack reaches the database through it. */
  readonly databaseUrl: string;
  open(): Promise<void>;
  close(): Promise<void>;
  /** Closed for those behind it, but connections are accepted: nothing is ever answered on them. */
  stall(): Promise<void>;
}

/** What the stacks work with. */
export interface Services {
  /** Holds the contract's seed, shared by everybody: nobody alters or locks it. */
  readonly database: TestDatabase;
  readonly redis: RedisServer;
  /** A database of the tests' own on the same server, with or without the seed; it goes with the bed. */
  newDatabase(content: 'seeded' | 'empty'): Promise<TestDatabase>;
  /** Another server, which may be stopped; it goes with the bed. */
  newDatabaseServer(): Promise<DatabaseServer>;
  /** A closed door in front of a database. */
  newGate(database: TestDatabase): Promise<Gate>;
  /** The URL of a database server that is not there. */
  readonly absentDatabaseUrl: string;
}

/** The place where the tests run: what the stacks work with may be processes of this host, or containers. */
export interface Bed {
  readonly name: string;
  readonly contract: Contract;
  readonly contractDir: string;
  readonly stacks: readonly StackUnderTest[];
  /** Throws before up(). */
  readonly services: Services;
  /** Builds the stacks and starts the services. */
  up(): Promise<void>;
  /** Ends all that was started, also after an up() that failed. */
  down(): Promise<void>;
}
