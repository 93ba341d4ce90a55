import { createInterface } from 'node:readline';
import { initWebAssembly } from 'hdr-histogram-js';
import { messageOf } from '../../model/errors.ts';
import { FromWorker, type Job, lineOf, messageIn, ToWorker } from './messages.ts';
import { LoadRun } from './run-load.ts';

/**
 * Entry of the generator's process: takes one run at a time, as lines of JSON on its standard streams, so that it can also run in
 * a container; it lives on, so that its compiled code stays warm.
 */

const aborted = new Error('aborted');
let current: LoadRun | null = null;

function send(message: FromWorker): void {
  process.stdout.write(lineOf(FromWorker, message));
}

async function run(job: Job): Promise<FromWorker> {
  try {
    current = new LoadRun(job);
    return { type: 'done', raw: await current.run() };
  } catch (thrown) {
    return thrown === aborted ? { type: 'aborted' } : { type: 'failed', message: messageOf(thrown) };
  } finally {
    current = null;
  }
}

const lines = createInterface({ input: process.stdin });

lines.on('line', (line) => {
  const message = messageIn(ToWorker, line);
  if (message.type === 'run') void run(message.job).then(send);
  else if (current !== null) current.abort(aborted);
});

// The stream ends when the lab closes it, and also when the lab was killed: nobody is left to load for.
lines.on('close', () => {
  process.exit(0);
});

await initWebAssembly();
send({ type: 'ready' });
