import { initWebAssembly } from 'hdr-histogram-js';
import { messageOf } from '../../model/errors.ts';
import { LoadRun } from './run-load.ts';
import { type FromWorker, type Job, ToWorker } from './messages.ts';

/** Entry of the generator's process: takes one run at a time over IPC, and lives on so that its compiled code stays warm. */

const aborted = new Error('aborted');
let current: LoadRun | null = null;

function send(message: FromWorker): void {
  if (process.send === undefined) throw new Error('this file runs as a child process with an IPC channel');
  process.send(message);
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

process.on('message', (received) => {
  const message = ToWorker.parse(received);
  if (message.type === 'run') void run(message.job).then(send);
  else if (current !== null) current.abort(aborted);
});

// The channel closes when the lab closes it, and also when the lab was killed: nobody is left to load for.
process.on('disconnect', () => {
  process.exit(0);
});

await initWebAssembly();
send({ type: 'ready' });
