import { Redis } from 'ioredis';

const connectLimitMs = 5_000;
const commandLimitMs = 2_000;
const retryMs = 250;

/** Under which a Redis of the lab's own holds the nonce. */
export const nonceKey = 'loadlab:nonce';

/**
 * Connects the lab's own client. Rejects when nobody answers, or when `isRight`, asked once on the new connection, says no;
 * then it is closed. Once connected, it restores a lost connection by itself, and `report` hears of the loss.
 */
export async function openRedis(
  url: string,
  isRight: (client: Redis) => Promise<boolean>,
  report: (line: string) => void,
): Promise<Redis> {
  let proven = false;
  const client = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    connectTimeout: connectLimitMs,
    commandTimeout: commandLimitMs,
    // The first connection is for the caller to try again; once it stood, ioredis restores it.
    retryStrategy: () => (proven ? retryMs : null),
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!(await isRight(client))) throw new Error('another Redis answers there');
  } catch (error) {
    client.disconnect();
    throw error;
  }
  proven = true;
  client.removeAllListeners('error');
  reportLoss(client, report);
  return client;
}

/** One line when the connection is lost, not one for every try to restore it. */
function reportLoss(client: Redis, report: (line: string) => void): void {
  let lost = false;
  client.on('error', (error: Error) => {
    if (!lost) report(`the lab's Redis connection was lost: ${error.message}`);
    lost = true;
  });
  client.on('ready', () => {
    lost = false;
  });
}

/** A field of INFO's answer. */
export function infoField(info: string, name: string): string | null {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? null;
}
